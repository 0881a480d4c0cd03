import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { enter } from '../support/console.ts'
import { createEventType, createOrganization, type Organization, unique } from '../support/factories.ts'
import { createMember } from '../support/hosts.ts'
import { userWithRole } from '../support/members.ts'
import { connectGoogle, serviceWithGoogle } from '../support/oauth-calendars.ts'
import { formOf, visit, wordsOf } from '../support/pages.ts'
import { serviceWith } from '../support/service-with.ts'
import { openWorld } from '../support/world.ts'

const PARALLEL = Array.from({ length: 20 }, (_, at) => at)
const FREE = {
  calendars_per_member: 5,
  calendar_feeds: 5,
  members: 5,
  event_types: 25,
  invitations_per_day: 10,
  resources: 5,
}

function statusesOf(answers: readonly { status: number }[]) {
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, some]) => [status, some.length]),
  )
}

function addEventType(key: string) {
  const body = { title: 'Intro call', slug: unique('intro'), duration_minutes: 30 }
  return call('POST', '/v1/event-types', { key, body })
}

function addFeed(key: string) {
  return call('POST', '/v1/calendar-feeds', { key, body: {} })
}

function patch({ id }: Organization, body: Record<string, unknown>, headers: Record<string, string> = {}) {
  return callAsService('PATCH', `/v1/organizations/${id}`, { body, headers })
}

async function recordOf({ ownerUserId }: Organization) {
  return (await callAsService('GET', `/v1/organizations?owner_user_id=${ownerUserId}`)).body
}

function asService({ id }: Organization, mode = 'live', userId?: string) {
  return {
    'X-Org-Id': id,
    'X-Service-Mode': mode,
    ...(userId !== undefined && { 'X-User-Id': userId }),
  }
}

/** The service key makes one on behalf of the owner, or by itself. */
function addAs(organization: Organization, mode: string, userId: string | null = organization.ownerUserId) {
  return callAsService('POST', '/v1/event-types', {
    headers: asService(organization, mode, userId ?? undefined),
    body: { title: 'Intro call', slug: unique('intro'), duration_minutes: 30 },
  })
}

/** The event types that are missing until only `left` more are allowed. */
async function leaveRoom(organization: Organization, key: string, left: number, limit = 25) {
  const { data } = (await call('GET', '/v1/event-types?limit=100', { key })).body
  for (let there = data.length; there < limit - left; there++) await createEventType(key)
  return organization
}

async function countOf(table: string, { id }: Organization, more = ''): Promise<number> {
  const count = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE organization_id = ? ${more}`)
  return (await count.bind(id).first<number>('n'))!
}

describe('the event types of a plan', () => {
  it('end at its number, for each mode alone, and deleted ones do not count', async () => {
    const organization = await createOrganization()
    await leaveRoom(organization, organization.testKey, 1)
    await patch(organization, { tier: 'free' })
    const add = (mode: string) => addAs(organization, mode)
    expect((await add('test')).status).toBe(201)
    const { status, body } = await add('test')
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'plan_limit_exceeded',
      { limit: 'event_types' },
    ])
    expect((await add('live')).status).toBe(201)
    const headers = asService(organization, 'test')
    const { data } = (await callAsService('GET', '/v1/event-types', { headers })).body
    await callAsService('DELETE', `/v1/event-types/${data[0].id}`, { headers })
    expect((await add('test')).status).toBe(201)
    expect((await add('test')).status).toBe(403)
  })

  it('end there for 20 calls at once, too', async () => {
    const organization = await createOrganization()
    await patch(organization, { plan_limits: { event_types: 6 } })
    const answers = await Promise.all(PARALLEL.map(() => addEventType(organization.liveKey)))
    expect(statusesOf(answers)).toEqual({ 201: 6, 403: 14 })
    expect(await countOf('event_types', organization)).toBe(6)
  })

  it('stay after a change to a smaller plan, and can be changed', async () => {
    const organization = await createOrganization()
    await leaveRoom(organization, organization.testKey, 0, 26)
    await patch(organization, { tier: 'free' })
    const headers = asService(organization, 'test', organization.ownerUserId)
    const { data } = (await callAsService('GET', '/v1/event-types?limit=100', { headers })).body
    expect(data.length).toBe(26)
    const path = `/v1/event-types/${data[0].id}`
    const changed = await callAsService('PATCH', path, { headers, body: { title: 'Other' } })
    expect(changed.status).toBe(200)
    expect((await addAs(organization, 'test')).status).toBe(403)
  })

  it('do not apply to the service key itself, but to a member it acts for', async () => {
    const organization = await createOrganization()
    await patch(organization, { plan_limits: { event_types: 1 } })
    await createEventType(organization.liveKey)
    expect((await addAs(organization, 'live')).body.error.details).toEqual({ limit: 'event_types' })
    expect((await addAs(organization, 'live', null)).status).toBe(201)
  })

  it('leave out test data that has no room, as a whole', async () => {
    const organization = await createOrganization()
    await patch(organization, { plan_limits: { event_types: 2 } })
    await createEventType(organization.testKey)
    const { status, body } = await call('POST', '/v1/test-data', { key: organization.testKey })
    expect([status, body.error?.details]).toEqual([403, { limit: 'event_types' }])
    expect(await countOf('event_types', organization)).toBe(1)
  })

  it('end there in the console, too, which says what to do about it', async () => {
    const organization = await createOrganization()
    await createEventType(organization.liveKey)
    await patch(organization, { plan_limits: { event_types: 1 } })
    const browser = await enter(organization)
    const form = await browser.visit('/console/event-types/new')
    const page = await browser.send(form, '/console/event-types/new', { title: 'One more', duration: '30' })
    expect(page.status).toBe(403)
    expect(page.text).toContain('event types')
    expect(await countOf('event_types', organization)).toBe(1)
  })
})

describe('the feeds of a plan', () => {
  it('end at its number for 20 calls at once, and revoked ones do not count', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const key = organization.liveKey
    const answers = await Promise.all(PARALLEL.map(() => addFeed(key)))
    expect(statusesOf(answers)).toEqual({ 201: 5, 403: 15 })
    expect(answers.find(({ status }) => status === 403)!.body.error.details).toEqual({
      limit: 'calendar_feeds',
    })
    const made = answers.find(({ status }) => status === 201)!
    await call('DELETE', `/v1/calendar-feeds/${made.body.id}`, { key })
    expect((await addFeed(key)).status).toBe(201)
    expect((await addFeed(key)).status).toBe(403)
  })
})

describe('the members of a plan', () => {
  const inviteAll = async (organization: Organization, count: number) => {
    const invite = () =>
      callAsService('POST', `/v1/organizations/${organization.id}/invitations`, {
        headers: asService(organization),
        body: { email: `${unique('grace')}@example.com`, role: 'member' },
      })
    return (await Promise.all(Array.from({ length: count }, invite))).map(({ body }) => body)
  }
  const accept = ({ token, email }: { token: string; email: string }) =>
    callAsService('POST', '/v1/invitations/accept', { body: { token, user_id: email, user_email: email } })

  it('end at its number when invitations are accepted, 20 of them at once', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const invitations = await inviteAll(organization, 20)
    expect(invitations.every(({ status }) => status === 'pending')).toBe(true)
    const answers = await Promise.all(invitations.map(accept))
    expect(statusesOf(answers)).toEqual({ 200: 4, 403: 16 })
    const refused = answers.findIndex(({ status }) => status === 403)
    expect(answers[refused]!.body.error).toMatchObject({
      code: 'plan_limit_exceeded',
      details: { limit: 'members' },
    })
    expect(await countOf('members', organization)).toBe(5)
    await patch(organization, { tier: 'starter' })
    expect((await accept(invitations[refused]!)).status).toBe(200)
  })

  it('end there on the page of an invitation, which says why', async () => {
    const organization = await createOrganization()
    await patch(organization, { plan_limits: { members: 1 } })
    const [invitation] = await inviteAll(organization, 1)
    const link = `/invitations?token=${invitation.token}`
    const { action, fields } = formOf(await visit(link), '/invitations')
    const answer = await visit(action, { form: fields, headers: { Referer: link } })
    expect(answer.status).toBe(403)
    expect(wordsOf(answer)).toContain('the member limit of its plan')
    expect(await countOf('members', organization)).toBe(1)
  })
})

describe('the calendars of a plan', () => {
  const fill = async (organization: Organization, memberId: string | null, count: number) => {
    for (let at = 0; at < count; at++) await insertConnection(organization, 'live', { memberId })
  }
  const FULL = { code: 'plan_limit_exceeded', details: { limit: 'calendars_per_member' } }

  it('end at its number for each member and mode, for 20 connections at once', async () => {
    const organization = await createOrganization({ tier: 'free' })
    await fill(organization, null, 3)
    const world = openWorld('ics')
    const { call: ask } = serviceWith({ ALLOW_PRIVATE_HOSTS: 'true' })
    const urls = await Promise.all(
      PARALLEL.map((at) => world.control('PUT', '/feeds', { path: `/one-${at}.ics` })),
    )
    const connect = (url: string, body: object = {}, key = organization.liveKey) =>
      ask('POST', '/v1/calendars/ics/connect', { key, body: { url, ...body } })
    const answers = await Promise.all(urls.map(({ url }) => connect(String(url))))
    expect(statusesOf(answers)).toEqual({ 201: 2, 403: 18 })
    expect(answers.find(({ status }) => status === 403)!.body.error).toMatchObject(FULL)
    expect(await countOf('calendar_connections', organization)).toBe(5)
    const { id } = await createMember(organization)
    const [{ url } = {}] = urls
    expect((await connect(String(url), { member_id: id })).status).toBe(201)
    expect((await connect(String(url), {}, organization.testKey)).status).toBe(201)
  })

  it('end there when an account is connected by consent and when another of its calendars is added', async () => {
    const organization = await createOrganization()
    const { world, service } = serviceWithGoogle()
    const key = organization.liveKey
    await world.control('POST', '/calendars', { name: 'Second' })
    await connectGoogle(service, world, key)
    await patch(organization, { plan_limits: { calendars_per_member: 1 } })
    const [account] = (await service.call('GET', '/v1/calendars/accounts', { key })).body.data
    const second = account.calendars.find((one: { connection_id: unknown }) => one.connection_id === null)
    const body = { account_id: account.id, external_id: second.external_id }
    const added = await service.call('POST', '/v1/calendars', { key, body })
    expect([added.status, added.body.error]).toMatchObject([403, FULL])
    await expect(connectGoogle(service, world, key, { as: 'grace@example.com' })).rejects.toThrow()
    expect(await countOf('calendar_connections', organization)).toBe(1)
  })
})

describe('the numbers of a plan', () => {
  it('are in the record, and the operator may set others', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const record = () => recordOf(organization)
    expect((await record()).plan_limits).toEqual(FREE)
    const set = await patch(organization, { plan_limits: { members: 7, event_types: 0 } })
    expect(set.body.plan_limits).toEqual({ ...FREE, members: 7, event_types: 0 })
    expect((await addEventType(organization.liveKey)).status).toBe(403)
    await patch(organization, { plan_limits: { event_types: null } })
    expect((await record()).plan_limits).toEqual({ ...FREE, members: 7 })
    await patch(organization, { tier: 'grow' })
    expect((await record()).plan_limits).toMatchObject({ members: 7, event_types: 1000 })
  })

  it('can be set by no other caller, and only to whole numbers', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const admin = await userWithRole(organization, 'admin')
    for (const userId of [organization.ownerUserId, admin]) {
      const refused = await patch(organization, { plan_limits: { members: 99 } }, { 'X-User-Id': userId })
      expect(refused.status).toBe(403)
    }
    const wrong = await patch(organization, { plan_limits: { members: -1 } })
    expect(Object.keys(wrong.body.error.details)).toEqual(['plan_limits.members'])
    expect((await recordOf(organization)).plan_limits).toEqual(FREE)
  })

  it('are in the usage, as they are for this organization', async () => {
    const organization = await createOrganization({ tier: 'starter' })
    await patch(organization, { plan_limits: { members: 30 } })
    const { body } = await call('GET', '/v1/usage', { key: organization.liveKey })
    expect(body.limits).toMatchObject({ members: 30, event_types: 100, calendar_feeds: 20 })
  })
})
