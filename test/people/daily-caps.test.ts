import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { instantOf, looseId } from '../../src/platform/db/ids.ts'
import { call, callAsService } from '../support/app.ts'
import { enter } from '../support/console.ts'
import { createOrganization, type Organization, unique } from '../support/factories.ts'
import { wordsOf } from '../support/pages.ts'

const DAY_MS = 86_400_000
const PARALLEL = Array.from({ length: 20 }, (_, at) => at)

afterEach(() => {
  vi.useRealTimers()
})

/** From now on the clock says so. */
function setClock(instant: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: instant })
}

let noons = 0

/** A later one each time: ids never go back in time, not even behind those of another file. */
function nextNoon(): number {
  noons += 10
  return (Math.floor(Math.max(Date.now(), instantOf(looseId())) / DAY_MS) + noons + 0.5) * DAY_MS
}

function statusesOf(answers: readonly { status: number }[]) {
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, some]) => [status, some.length]),
  )
}

function invite({ id, liveKey: key }: Organization, email = `${unique('grace')}@example.com`) {
  return call('POST', `/v1/organizations/${id}/invitations`, { key, body: { email, role: 'member' } })
}

function inviteAsService({ id }: Organization, userId?: string) {
  return callAsService('POST', `/v1/organizations/${id}/invitations`, {
    headers: { 'X-Org-Id': id, ...(userId !== undefined && { 'X-User-Id': userId }) },
    body: { email: `${unique('grace')}@example.com`, role: 'member' },
  })
}

async function countOf(table: string, { id }: Organization): Promise<number> {
  const count = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE organization_id = ?`)
  return (await count.bind(id).first<number>('n'))!
}

describe('the invitations of a day', () => {
  it('end at the number of the plan, for 20 calls at once, until midnight UTC', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const noon = nextNoon()
    setClock(noon)
    const answers = await Promise.all(PARALLEL.map(() => invite(organization)))
    expect(statusesOf(answers)).toEqual({ 201: 10, 429: 10 })
    const { body, headers } = answers.find(({ status }) => status === 429)!
    expect([body.error.code, body.error.details, headers.get('Retry-After')]).toEqual([
      'rate_limit_exceeded',
      { limit: 'invitations_per_day', retry_after: 43_200 },
      '43200',
    ])
    expect(await countOf('invitations', organization)).toBe(10)
    setClock(noon + DAY_MS / 2 - 1)
    expect((await invite(organization)).status).toBe(429)
    setClock(noon + DAY_MS / 2)
    expect((await invite(organization)).status).toBe(201)
  })

  it('count revoked ones, those of a member through the service key, and none of the service key itself', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const { id, liveKey: key, ownerUserId } = organization
    setClock(nextNoon())
    for (let at = 0; at < 12; at++) expect((await inviteAsService(organization)).status).toBe(201)
    const { body } = await invite(organization)
    await call('DELETE', `/v1/organizations/${id}/invitations/${body.id}`, { key })
    for (let at = 1; at < 10; at++)
      expect((await inviteAsService(organization, ownerUserId)).status).toBe(201)
    const refused = await inviteAsService(organization, ownerUserId)
    expect(refused.body.error.details.limit).toBe('invitations_per_day')
    expect((await inviteAsService(organization)).status).toBe(201)
  })

  it('end at the operator’s number, and the console says until when', async () => {
    const organization = await createOrganization()
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { plan_limits: { invitations_per_day: 1 } },
    })
    expect((await invite(organization)).status).toBe(201)
    const browser = await enter(organization)
    const form = await browser.visit('/console/team/invite')
    const fields = { email: `${unique('grace')}@example.com`, role: 'viewer' }
    const page = await browser.send(form, '/console/team/invite', fields)
    expect(page.status).toBe(429)
    expect(wordsOf(page)).toContain(
      'The organization can invite nobody else today: the plan allows no more until midnight UTC.',
    )
    expect(await countOf('invitations', organization)).toBe(1)
  })
})

describe('pending invitations', () => {
  it('are 50 at most, also when 20 are made at once; revoked and expired ones leave room', async () => {
    const organization = await createOrganization()
    const { id, liveKey: key } = organization
    setClock(nextNoon())
    for (let at = 0; at < 45; at++) await inviteAsService(organization)
    const answers = await Promise.all(PARALLEL.map(() => invite(organization)))
    expect(statusesOf(answers)).toEqual({ 201: 5, 403: 15 })
    const { error } = answers.find(({ status }) => status === 403)!.body
    expect([error.code, error.details]).toEqual(['plan_limit_exceeded', { limit: 'invitations_pending' }])
    expect(await countOf('invitations', organization)).toBe(50)
    expect((await inviteAsService(organization)).status).toBe(201)
    const made = answers.filter(({ status }) => status === 201)
    for (const { body } of made.slice(0, 2))
      await call('DELETE', `/v1/organizations/${id}/invitations/${body.id}`, { key })
    expect((await invite(organization)).status).toBe(201)
    expect((await invite(organization)).status).toBe(403)
    setClock(Date.now() + 7 * DAY_MS)
    expect((await invite(organization)).status).toBe(201)
  })
})

describe('the requests for support of a day', () => {
  const QUESTION = { subject: 'Sundays', message: 'Every second one?', category: 'question' }
  const ask = (key: string) => call('POST', '/v1/support', { key, body: QUESTION })

  it('are ten, for 20 calls at once and each mode alone, until midnight UTC', async () => {
    const organization = await createOrganization()
    const noon = nextNoon()
    setClock(noon)
    const answers = await Promise.all(PARALLEL.map(() => ask(organization.liveKey)))
    expect(statusesOf(answers)).toEqual({ 201: 10, 429: 10 })
    const { body } = answers.find(({ status }) => status === 429)!
    expect(body.error.details).toEqual({ limit: 'support_requests_per_day', retry_after: 43_200 })
    expect(await countOf('support_requests', organization)).toBe(10)
    expect((await ask(organization.testKey)).status).toBe(201)
    setClock(noon + DAY_MS / 2)
    expect((await ask(organization.liveKey)).status).toBe(201)
  })

  it('do not apply to the service key itself, but to a member it acts for', async () => {
    const organization = await createOrganization()
    const asService = (userId?: string) =>
      callAsService('POST', '/v1/support', {
        headers: { 'X-Org-Id': organization.id, ...(userId !== undefined && { 'X-User-Id': userId }) },
        body: QUESTION,
      })
    for (let at = 0; at < 10; at++) expect((await asService(organization.ownerUserId)).status).toBe(201)
    expect((await asService(organization.ownerUserId)).status).toBe(429)
    expect((await asService()).status).toBe(201)
  })
})
