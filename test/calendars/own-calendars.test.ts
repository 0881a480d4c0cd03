import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { newCalendar } from '../support/caldav-calendars.ts'
import { insertConnection } from '../support/connections.ts'
import { createOrganization, type Organization } from '../support/factories.ts'
import { keyOfMember, memberWithRole } from '../support/members.ts'
import { lettersTo } from '../support/outbox.ts'
import { asService } from '../support/recipes.ts'
import { createRoom } from '../support/rooms.ts'
import { serviceWith } from '../support/service-with.ts'
import { openWorld } from '../support/world.ts'

const local = serviceWith({ ALLOW_PRIVATE_HOSTS: 'true' })

async function newFeed(): Promise<string> {
  const world = openWorld('ics')
  return ((await world.control('PUT', '/feeds', { path: '/own.ics' })) as { url: string }).url
}

/** A member with a key of their own. */
async function hired() {
  const organization = await createOrganization()
  const member = await memberWithRole(organization, 'member')
  const owner = await memberWithRole(organization, 'owner')
  return { organization, member, owner, key: await keyOfMember(organization, member) }
}

async function calendarsOf({ liveKey: key }: Organization): Promise<any[]> {
  return (await call('GET', '/v1/calendars', { key })).body.data
}

describe('a member', () => {
  it('connects a feed of their own, changes it and disconnects it', async () => {
    const { organization, member, key } = await hired()
    const { status, body } = await local.call('POST', '/v1/calendars/ics/connect', {
      key,
      body: { url: await newFeed() },
    })
    expect([status, body.member_id]).toEqual([201, member.id])
    const changed = await local.call('PATCH', `/v1/calendars/${body.id}`, {
      key,
      body: { checks_busy: false, everybody: false },
    })
    expect([changed.status, changed.body.checks_busy]).toEqual([200, false])
    expect((await local.call('DELETE', `/v1/calendars/${body.id}`, { key })).status).toBe(204)
    expect(await calendarsOf(organization)).toEqual([])
  })

  it('connects a CalDAV account of their own by X-User-Id, and another calendar of it', async () => {
    const { organization, member } = await hired()
    const own = await newCalendar()
    const headers = asService(organization, { 'X-User-Id': member.userId })
    const { serverUrl: server_url, username, password, calendarUrl: calendar_url } = own
    const account = { preset: 'custom', server_url, calendar_url, username, password }
    const { status, body } = await local.call('POST', '/v1/calendars/caldav/connect', {
      headers,
      body: { ...account, member_id: member.id },
    })
    expect([status, body.member_id, body.receives_bookings]).toEqual([201, member.id, true])
    const other = await newCalendar()
    const added = await local.call('POST', '/v1/calendars', {
      headers,
      body: { account_id: body.account_id, external_id: other.calendarUrl },
    })
    expect([added.status, added.body.member_id]).toEqual([201, member.id])
  })

  it('has nothing to do with calendars and meetings of others', async () => {
    const { organization, owner, key } = await hired()
    const id = await insertConnection(organization, 'live')
    const url = await newFeed()
    const resource = await createRoom(organization.liveKey)
    const named = `?member_id=${owner.id}`
    const caldav = { preset: 'caldav_preset_a', username: 'ada', password: 'secret' }
    for (const [method, path, body] of [
      ['POST', '/v1/calendars/ics/connect', { url, member_id: owner.id }],
      ['POST', '/v1/calendars/ics/connect', { url, resource_id: resource.id }],
      ['POST', '/v1/calendars/ics/connect', { url, everybody: true }],
      ['POST', '/v1/calendars/caldav/connect', { ...caldav, member_id: owner.id }],
      ['POST', '/v1/calendars', { account_id: id, external_id: 'other' }],
      ['PATCH', `/v1/calendars/${id}`, { checks_busy: false }],
      ['DELETE', `/v1/calendars/${id}`],
      ['DELETE', `/v1/conferencing/video_a${named}`],
      ['POST', '/v1/calendars/invitations', { member_id: owner.id }],
    ] as const) {
      const answer = await local.call(method, path, { key, ...(body && { body }) })
      expect([method, path, answer.status, answer.body.error?.code]).toEqual([method, path, 403, 'forbidden'])
    }
    expect(await calendarsOf(organization)).toMatchObject([{ id, checks_busy: true }])
  })

  it('neither makes a calendar one of everybody nor changes one that is', async () => {
    const { organization, member, key } = await hired()
    const id = await insertConnection(organization, 'live', { memberId: member.id })
    const path = `/v1/calendars/${id}`
    await call('PATCH', path, { key: organization.liveKey, body: { receives_bookings: false } })
    expect((await call('PATCH', path, { key, body: { everybody: true } })).status).toBe(403)
    const closing = await call('PATCH', path, { key: organization.liveKey, body: { everybody: true } })
    expect(closing.status).toBe(200)
    for (const body of [{ everybody: false }, { checks_busy: false }]) {
      expect((await call('PATCH', path, { key, body })).status).toBe(403)
    }
    expect((await call('DELETE', path, { key })).status).toBe(403)
    expect(await calendarsOf(organization)).toMatchObject([{ everybody: true, checks_busy: true }])
  })
})

describe('a viewer', () => {
  it('connects nothing, not even for themselves', async () => {
    const { organization } = await hired()
    const viewer = await memberWithRole(organization, 'viewer')
    const headers = asService(organization, { 'X-User-Id': viewer.userId })
    const body = { url: await newFeed(), member_id: viewer.id }
    const answer = await local.call('POST', '/v1/calendars/ics/connect', { headers, body })
    expect([answer.status, answer.body.error?.code]).toEqual([403, 'forbidden'])
    expect(await calendarsOf(organization)).toEqual([])
  })
})

describe('an admin or a key without a member', () => {
  it('connects for the owner by default, and for whom they name', async () => {
    const { organization, member, owner } = await hired()
    const admin = await memberWithRole(organization, 'admin')
    const byAdmin = { headers: asService(organization, { 'X-User-Id': admin.userId }) }
    const connect = async (as: object, more: object) =>
      (
        await local.call('POST', '/v1/calendars/ics/connect', {
          ...as,
          body: { url: await newFeed(), ...more },
        })
      ).body.member_id
    expect(await connect(byAdmin, {})).toBe(owner.id)
    expect(await connect({ key: organization.liveKey }, {})).toBe(owner.id)
    expect(await connect(byAdmin, { member_id: member.id })).toBe(member.id)
  })
})

describe('the invitation to connect a calendar', () => {
  it('is an email in the language of the member with a link that holds no secret', async () => {
    const { organization, member } = await hired()
    const key = organization.testKey
    await env.DB.prepare("UPDATE members SET locale = 'de' WHERE id = ?").bind(member.id).run()
    const { status, body } = await call('POST', '/v1/calendars/invitations', {
      key,
      body: { member_id: member.id },
    })
    const address = `${member.userId}@example.com`
    expect([status, body]).toEqual([202, { member_id: member.id, sent_to: address }])
    const [letter] = await lettersTo(key, address, 1)
    expect(letter!.subject).toContain('Verbinden Sie Ihren Kalender')
    expect(letter!.body).toMatch(/\/console\/calendars\/connect(?![?/\w])/)
    const log = await call('GET', '/v1/activity?action=calendar.invited', { key })
    expect(log.body.data).toMatchObject([{ resource_type: 'member', resource_id: member.id }])
  })

  it('goes neither to viewers nor to members without an address or of other organizations', async () => {
    const { organization, member } = await hired()
    const viewer = await memberWithRole(organization, 'viewer')
    const stranger = await memberWithRole(await createOrganization(), 'member')
    await env.DB.prepare("UPDATE members SET user_email = '' WHERE id = ?").bind(member.id).run()
    const invite = async (id: string) =>
      (
        await call('POST', '/v1/calendars/invitations', {
          key: organization.testKey,
          body: { member_id: id },
        })
      ).status
    expect([await invite(viewer.id), await invite(member.id), await invite(stranger.id)]).toEqual([
      409, 409, 404,
    ])
  })

  it('is sent to an address twenty times a day', async () => {
    const { organization, member } = await hired()
    const invite = () =>
      call('POST', '/v1/calendars/invitations', {
        key: organization.testKey,
        body: { member_id: member.id },
      })
    for (let sent = 0; sent < 20; sent++) expect((await invite()).status).toBe(202)
    const { status, body } = await invite()
    expect([status, body.error.details.limit]).toEqual([429, 'emails_per_address_day'])
  })
})
