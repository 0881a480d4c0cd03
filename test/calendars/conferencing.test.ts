import { runDurableObjectAlarm } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import { LINK_MEETING } from '../../src/booking/bookings/commands.ts'
import { AccountKeeper } from '../../src/calendars/accounts/account-keeper.ts'
import { accountName, askMeetingAccount } from '../../src/calendars/accounts/ask-account.ts'
import { meetingAccounts } from '../../src/calendars/meetings/accounts/account-source.ts'
import { makeMeeting } from '../../src/calendars/meetings/make-meeting.ts'
import { askEventType } from '../../src/engine/turn/command.ts'
import type { Env } from '../../src/env.ts'
import { seal, unseal } from '../../src/platform/auth/secret.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { accountMemory } from '../support/account-memory.ts'
import { call } from '../support/app.ts'
import { connectAs, pointToWorld, soon } from '../support/connected.ts'
import { answerConsent, pressOn } from '../support/consent.ts'
import { databaseThrough } from '../support/database-through.ts'
import {
  book,
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  organizationBackTo,
  unique,
} from '../support/factories.ts'
import { leftByFirst } from '../support/hosts.ts'
import { memberWithRole } from '../support/members.ts'
import { exportTextOf, forgetEverything, importText } from '../support/moves.ts'
import { visit, wordsOf } from '../support/pages.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const zoom = pointToWorld('video_a')
const google = pointToWorld('calendar_a')

const CONNECT = '/v1/conferencing/video_a/connect'

async function connected() {
  const organization = await createOrganization()
  const email = `${unique('ada')}@example.com`
  expect((await connectAs(zoom, organization.liveKey, CONNECT, email)).status).toBe(200)
  return { ...organization, email }
}

async function account(key: string, provider = 'video_a') {
  const { body } = await call('GET', '/v1/conferencing', { key })
  return body.data.find((one: { provider: string }) => one.provider === provider)
}

/** How the permissions that the user gave ended; null for the one that lives. */
async function grants(email: string): Promise<(string | null)[]> {
  return (await zoom.look(email)).grants!.map(({ ending }) => ending)
}

/** Calls of a method and a path since so many calls ago. */
async function callsSince(before: number, line: string) {
  return (await zoom.look()).calls!.slice(before).filter(({ method, path }) => `${method} ${path}` === line)
}

const callsUntilNow = async () => (await zoom.look()).calls!.length

async function booking(key: string, id: string) {
  return (await call('GET', `/v1/bookings/${id}`, { key })).body
}

function videoType(key: string, input: Record<string, unknown> = {}) {
  return createEventType(key, { conferencing_provider: 'video_a', reminder_intervals: [], ...input })
}

/** The letters to an address, as they were put on their way: subjects and what is said of a link. */
async function letters(organizationId: string) {
  const { results } = await env.DB.prepare(
    `SELECT id, kind, subject_id FROM posted_letters WHERE organization_id = ?1
     UNION ALL SELECT e.id, 'event', e.id FROM events e JOIN booking_emails sent ON sent.booking_id = e.data ->> 'id'
       AND sent.once_key = e.id || '/event' WHERE e.organization_id = ?1 ORDER BY id`,
  )
    .bind(organizationId)
    .all<{ kind: string; subject_id: string }>()
  return results.map(({ kind, subject_id }) => (kind === 'event' ? subject_id : kind))
}

async function meetingStates(organizationId: string) {
  const { results } = await env.DB.prepare('SELECT status FROM meetings WHERE organization_id = ?')
    .bind(organizationId)
    .all<{ status: string }>()
  return results.map(({ status }) => status)
}

async function activity(organizationId: string) {
  const { results } = await env.DB.prepare('SELECT action FROM activity WHERE organization_id = ?')
    .bind(organizationId)
    .all<{ action: string }>()
  return results.map(({ action }) => action)
}

/** As if the tokens that are kept had been good until long ago. */
async function expireTokens(id: string) {
  const row = await env.DB.prepare('SELECT credentials FROM conferencing_connections WHERE id = ?')
    .bind(id)
    .first<{ credentials: string }>()
  if (!row?.credentials) return
  const stale = { ...JSON.parse(await unseal(env.ENCRYPTION_KEY, row.credentials)), expiresAt: 0 }
  await env.DB.prepare('UPDATE conferencing_connections SET credentials = ? WHERE id = ?')
    .bind(await seal(env.ENCRYPTION_KEY, JSON.stringify(stale)), id)
    .run()
  await askMeetingAccount(env, id).changed()
}

async function meetingRow(holderId: string) {
  return env.DB.prepare('SELECT * FROM meetings WHERE holder_id = ?').bind(holderId).first<any>()
}

describe('the accounts of providers of meetings', () => {
  it('are connected, shown and disconnected', async () => {
    const { liveKey, testKey, email } = await connected()
    expect(await account(liveKey)).toEqual({
      provider: 'video_a',
      member_id: expect.any(String),
      connected: true,
      account_email: email,
      status: 'active',
      error: null,
      connected_at: expect.any(String),
    })
    expect(await account(testKey)).toMatchObject({ connected: false, status: null })
    const neighbour = await createOrganization()
    expect(await account(neighbour.liveKey)).toMatchObject({ connected: false, account_email: null })
    expect((await call('DELETE', '/v1/conferencing/video_a', { key: liveKey })).status).toBe(204)
    expect(await account(liveKey)).toMatchObject({ connected: false, account_email: null })
    expect(await grants(email)).toEqual(['revoked'])
    expect((await call('DELETE', '/v1/conferencing/video_a', { key: liveKey })).status).toBe(404)
  })

  it('redirect to the address for the owner, also when the owner declines', async () => {
    const { liveKey } = await organizationBackTo('app.example.com')
    const path = `${CONNECT}?redirect_url=${encodeURIComponent('https://app.example.com/done?x=1')}`
    const yes = await connectAs(zoom, liveKey, path, 'grace@example.com')
    expect([yes.status, yes.headers.get('Location')]).toEqual([
      303,
      'https://app.example.com/done?x=1&conferencing=connected',
    ])
    const { body } = await call('GET', path, { key: liveKey })
    const back = await zoom.consent(body.url, 'grace@example.com', 'no')
    const no = await visit(`${back.pathname}${back.search}`)
    expect([no.status, no.headers.get('Location')]).toEqual([
      303,
      expect.stringContaining('https://app.example.com/done?x=1&error=bad_request'),
    ])
  })

  it('are connected only once their owner agreed here, and revoked if the owner declines', async () => {
    const organization = await createOrganization()
    const { body } = await call('GET', CONNECT, { key: organization.liveKey })
    const email = `${unique('no')}@example.com`
    const back = await zoom.consent(body.url, email)
    const asked = await visit(`${back.pathname}${back.search}`)
    expect(wordsOf(asked)).toContain('create, update and delete meetings in your account')
    expect(await account(organization.liveKey)).toMatchObject({ connected: false })

    const declined = await pressOn(visit, asked, 'decline')
    expect([declined.status, declined.headers.get('Location')]).toEqual([200, null])
    expect(wordsOf(declined)).toContain('Nothing was connected')
    expect(await grants(email)).toEqual(['revoked'])
    expect(await account(organization.liveKey)).toMatchObject({ connected: false })
  })

  it('are connected by one state once', async () => {
    const { liveKey } = await createOrganization()
    const { body } = await call('GET', CONNECT, { key: liveKey })
    const back = await zoom.consent(body.url, `${unique('once')}@example.com`)
    const asked = await visit(`${back.pathname}${back.search}`)
    expect((await pressOn(visit, asked, 'connect')).status).toBe(200)
    expect((await call('DELETE', '/v1/conferencing/video_a', { key: liveKey })).status).toBe(204)
    const again = await pressOn(visit, asked, 'connect')
    expect([again.status, wordsOf(again)]).toEqual([400, expect.stringContaining('already been used')])
    expect((await visit(`${back.pathname}${back.search}`)).status).toBe(400)
    expect(await account(liveKey)).toMatchObject({ connected: false })
  })

  it('hold their tokens sealed', async () => {
    const { id } = await connected()
    const row = await env.DB.prepare(
      'SELECT credentials FROM conferencing_connections WHERE organization_id = ?',
    )
      .bind(id)
      .first<{ credentials: string }>()
    expect(row!.credentials).toMatch(/^[0-9a-f]{8}\.[\w-]+\.[\w-]+$/)
  })

  it('of calendar suites come with their calendars', async () => {
    const { liveKey } = await createOrganization()
    const email = `${unique('g')}@example.com`
    await connectAs(google, liveKey, '/v1/conferencing/calendar_a_meet/connect', email)
    expect(await account(liveKey, 'calendar_a_meet')).toMatchObject({ connected: true, account_email: email })
    const refused = await call('DELETE', '/v1/conferencing/calendar_a_meet', { key: liveKey })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
  })
})

describe('the meeting of a booking', () => {
  it('is made, included in the emails, moved and deleted with it', async () => {
    const { id: organizationId, liveKey, email } = await connected()
    const { id } = await videoType(liveKey)
    const { body: made } = await book(id, SLOT)
    expect(made.conferencing_url).toBeNull()
    const url = await soon(async () => {
      const { conferencing_url } = await booking(liveKey, made.id)
      expect(conferencing_url).toMatch(/^https:\/\/us05web\.zoom\.us\/j\//)
      return conferencing_url
    })
    await soon(async () => expect(await letters(organizationId)).toHaveLength(1))
    expect((await zoom.look(email)).meetings).toMatchObject([{ start_time: iso(SLOT).replace('.000', '') }])

    const moved = await call('POST', `/v1/bookings/${made.id}/reschedule`, {
      key: liveKey,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    expect(moved.body.conferencing_url).toBe(url)
    await soon(async () =>
      expect((await zoom.look(email)).meetings).toMatchObject([
        { start_time: iso(SLOT + HOUR_MS).replace('.000', '') },
      ]),
    )
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key: liveKey })
    await soon(async () => expect((await zoom.look(email)).meetings).toEqual([]))
  })

  it('that is being held cannot be deleted, is deleted later, and says nothing against the account', async () => {
    const { liveKey, email } = await connected()
    const { id } = await videoType(liveKey)
    const { body: made } = await book(id, SLOT)
    await soon(async () =>
      expect((await booking(liveKey, made.id)).conferencing_url).toEqual(expect.any(String)),
    )
    const { meeting_id } = await meetingRow(made.id)
    await zoom.change(meeting_id, { status: 'started' }, email)
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key: liveKey })
    await soon(async () => expect((await meetingRow(made.id)).last_error).toContain('Zoom'))
    expect(await account(liveKey)).toMatchObject({ status: 'active', error: null })
    await zoom.change(meeting_id, { status: 'waiting' }, email)
    await env.DB.prepare('UPDATE meetings SET next_attempt_at = 0 WHERE holder_id = ?').bind(made.id).run()
    await sweep(env, Date.now())
    await soon(async () => expect((await zoom.look(email)).meetings).toEqual([]))
  })

  it('is one for everybody in a session, and goes with the last of them', async () => {
    const { liveKey, email } = await connected()
    const { id } = await videoType(liveKey, { max_attendees: 3 })
    const first = await book(id, SLOT)
    const second = await book(id, SLOT, { invitee_email: 'grace@example.com' })
    const urls = await soon(async () => {
      const both = await Promise.all([first, second].map(({ body }) => booking(liveKey, body.id)))
      const links = both.map(({ conferencing_url }) => conferencing_url)
      expect(links).toEqual([expect.any(String), expect.any(String)])
      return links
    })
    expect(urls[0]).toBe(urls[1])
    expect((await zoom.look(email)).meetings).toHaveLength(1)
    await call('POST', `/v1/bookings/${first.body.id}/cancel`, { key: liveKey })
    await call('POST', `/v1/bookings/${second.body.id}/cancel`, { key: liveKey })
    await soon(async () => expect((await zoom.look(email)).meetings).toEqual([]))
  })

  it('no longer names the invitee and the reason once others can join it', async () => {
    const { liveKey, email } = await connected()
    const { id } = await videoType(liveKey)
    const { body: made } = await book(id, SLOT, { notes: 'About my health' })
    const about = async () => (await zoom.look(email)).meetings!.map(({ topic, agenda }) => [topic, agenda])
    const link = await soon(async () => {
      const { conferencing_url } = await booking(liveKey, made.id)
      expect(conferencing_url).toEqual(expect.any(String))
      return conferencing_url
    })
    expect(await about()).toEqual([['Intro call: Ada Lovelace', 'About my health']])
    await call('PATCH', `/v1/event-types/${id}`, { key: liveKey, body: { max_attendees: 3 } })
    await soon(async () => expect(await about()).toEqual([[expect.stringMatching(/^Intro call with /), '']]))
    expect((await booking(liveKey, made.id)).conferencing_url).toBe(link)
  })

  it('of a session that ended goes although its organization moved after the provider had refused that', async () => {
    const { id: organizationId, liveKey, email } = await connected()
    const { id } = await videoType(liveKey, { max_attendees: 3 })
    const { body: booked } = await book(id, SLOT)
    await soon(async () => expect(await meetingStates(organizationId)).toEqual(['made']))
    const setMeeting = (what: string) =>
      env.DB.prepare(`UPDATE meetings SET ${what} WHERE organization_id = ?`).bind(organizationId).run()
    await setMeeting('claimed_until = 8e15')
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key: liveKey })
    await setMeeting("claimed_until = NULL, next_attempt_at = NULL, status = 'failed'")
    const text = await exportTextOf(liveKey)
    await forgetEverything()
    expect(await importText(text)).toMatchObject({ status: 201, body: { rows: { meetings: 1 } } })
    await connectAs(zoom, liveKey, CONNECT, email)
    await sweep(env, Date.now())
    await soon(async () => expect((await zoom.look(email)).meetings).toEqual([]))
  })

  it('that is there as it should be is left alone', async () => {
    const { id: organizationId, liveKey } = await connected()
    const { id } = await videoType(liveKey, { max_attendees: 3 })
    const restingMeetings = async () => {
      const { results } = await env.DB.prepare(
        "SELECT wanted_revision FROM meetings WHERE organization_id = ? AND status = 'made' AND next_attempt_at IS NULL",
      )
        .bind(organizationId)
        .all<{ wanted_revision: number }>()
      return results.map(({ wanted_revision }) => wanted_revision)
    }
    await book(id, SLOT)
    const before = await soon(async () => {
      const resting = await restingMeetings()
      expect(resting).toHaveLength(1)
      return resting[0]!
    })
    await book(id, SLOT, { invitee_email: 'grace@example.com' })
    await soon(async () => expect(await restingMeetings()).toEqual([before + 1]))
  })

  it('of another session replaces the link of a booking that moves there', async () => {
    const { liveKey } = await connected()
    const { id } = await videoType(liveKey, { max_attendees: 3 })
    const first = await book(id, SLOT)
    await book(id, SLOT, { invitee_email: 'grace@example.com' })
    const link = (bookingId: string) => booking(liveKey, bookingId).then((found) => found.conferencing_url)
    const before = await soon(async () => {
      const url = await link(first.body.id)
      expect(url).toEqual(expect.any(String))
      return url
    })
    const { body } = await call('POST', `/v1/bookings/${first.body.id}/reschedule`, {
      key: liveKey,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    expect(body.conferencing_url).toBeNull()
    await soon(async () => {
      const after = await link(first.body.id)
      expect(after).toEqual(expect.any(String))
      expect(after).not.toBe(before)
    })
  })

  it.each([
    { to: 'on-site meetings', changes: { conferencing_provider: 'in_person' }, link: null },
    {
      to: 'a room of their own',
      changes: { conferencing_provider: 'custom', custom_meeting_url: 'https://meet.example.com/room' },
      link: 'https://meet.example.com/room',
    },
  ])(
    'is left behind by a booking that moves to another session once the event type has $to',
    async ({ changes, link }) => {
      const { liveKey, email } = await connected()
      const { id } = await videoType(liveKey, { max_attendees: 3 })
      const { body: booked } = await book(id, SLOT)
      await soon(async () =>
        expect((await booking(liveKey, booked.id)).conferencing_url).toEqual(expect.any(String)),
      )
      await call('PATCH', `/v1/event-types/${id}`, { key: liveKey, body: changes })
      const { body } = await call('POST', `/v1/bookings/${booked.id}/reschedule`, {
        key: liveKey,
        body: { new_start_time: iso(SLOT + HOUR_MS) },
      })
      expect(body.conferencing_url).toBe(link)
      await soon(async () => expect((await zoom.look(email)).meetings).toEqual([]))
      expect((await booking(liveKey, booked.id)).conferencing_url).toBe(link)
    },
  )

  it('delays the emails for a while when the provider is down, and delays no webhook', async () => {
    const { id: organizationId, liveKey } = await connected()
    const { id } = await videoType(liveKey)
    const { body: endpoint } = await call('POST', '/v1/webhooks', {
      key: liveKey,
      body: { url: `${inject('receiver')}/${unique('hook')}`, events: ['booking.created'] },
    })
    await zoom.troubles([{ about: '/v2/', times: null, status: 503 }])
    const { body: made } = await book(id, SLOT)
    await soon(async () => expect((await meetingRow(made.id)).last_error).toContain('Zoom'))
    expect(await letters(organizationId)).toEqual([])
    await soon(async () => {
      const { body } = await call('GET', `/v1/webhooks/${endpoint.id}/deliveries`, { key: liveKey })
      expect(body.data).toMatchObject([{ status: 'success', event_type: 'booking.created' }])
    })
    expect(await account(liveKey)).toMatchObject({
      connected: true,
      status: 'error',
      error: expect.any(String),
    })

    const event = await env.DB.prepare('SELECT id FROM events WHERE organization_id = ?')
      .bind(organizationId)
      .first<{ id: string }>()
    await handleEvent(env, event!.id, (Date.now() + 60_000) as RealMs)
    expect(await letters(organizationId)).toEqual([])
    await handleEvent(env, event!.id, (Date.now() + 121_000) as RealMs)
    expect(await letters(organizationId)).toEqual([event!.id])
    expect((await booking(liveKey, made.id)).conferencing_url).toBeNull()

    await zoom.noTroubles()
    await sweep(env, Date.now() + HOUR_MS)
    await env.DB.prepare('UPDATE meetings SET next_attempt_at = 0 WHERE holder_id = ?').bind(made.id).run()
    await sweep(env, Date.now())
    await soon(async () =>
      expect((await booking(liveKey, made.id)).conferencing_url).toEqual(expect.any(String)),
    )
    expect(await letters(organizationId)).toEqual([event!.id, 'link'])
    await soon(async () => expect(await account(liveKey)).toMatchObject({ status: 'active', error: null }))
  })

  it('fails visibly when the permission has ended, and is made when the account is connected again', async () => {
    const { id: organizationId, liveKey, email } = await connected()
    const { id } = await videoType(liveKey)
    await zoom.end('revoked', email)
    const { body: made } = await book(id, SLOT)
    await soon(async () =>
      expect(await account(liveKey)).toMatchObject({ connected: false, status: 'revoked' }),
    )
    await soon(async () => expect(await letters(organizationId)).toHaveLength(1))
    await connectAs(zoom, liveKey, CONNECT, email)
    await sweep(env, Date.now())
    await soon(async () =>
      expect((await booking(liveKey, made.id)).conferencing_url).toEqual(expect.any(String)),
    )
    expect(await account(liveKey)).toMatchObject({ connected: true, status: 'active', error: null })
  })

  it('has an email of its own if only the request had not been sent yet', async () => {
    const { id: organizationId, liveKey, email } = await connected()
    const { id } = await videoType(liveKey, { requires_approval: true })
    await zoom.end('revoked', email)
    const { body: made } = await book(id, SLOT)
    await soon(async () => expect(await letters(organizationId)).toHaveLength(1))
    expect((await call('POST', `/v1/bookings/${made.id}/approve`, { key: liveKey })).status).toBe(200)
    await soon(async () => expect(await letters(organizationId)).toHaveLength(2))
    // As if whoever was telling it had died before.
    await env.DB.prepare(
      "UPDATE events SET handled_at = NULL, claimed_until = NULL WHERE organization_id = ? AND kind = 'booking.requested'",
    )
      .bind(organizationId)
      .run()
    await connectAs(zoom, liveKey, CONNECT, email)
    await sweep(env, Date.now())
    await soon(async () =>
      expect((await booking(liveKey, made.id)).conferencing_url).toEqual(expect.any(String)),
    )
    expect(await letters(organizationId)).toContain('link')
  })

  it('has an email of its own if only attendance had not been sent yet, which no email includes', async () => {
    const { id: organizationId, liveKey, email } = await connected()
    const { id } = await videoType(liveKey)
    await zoom.end('revoked', email)
    const { body: made } = await book(id, SLOT)
    await soon(async () => expect(await letters(organizationId)).toHaveLength(1))
    await env.DB.prepare(
      `INSERT INTO events (id, organization_id, is_test, sequence, kind, data, created_at)
       VALUES (?1, ?2, 0, 99, 'booking.attendance', json_object('id', ?3, 'status', 'confirmed'), ?4)`,
    )
      .bind(looseId(), organizationId, made.id, Date.now())
      .run()
    const link = {
      eventTypeId: id,
      holderId: made.id,
      url: 'https://zoom.example/j/1',
      maker: 'account' as const,
    }
    await askEventType(env, id, LINK_MEETING, { ...link, now: Date.now() as RealMs })
    expect(await letters(organizationId)).toContain('link')
  })

  it.each([
    ['before the letter without it is claimed', /INSERT INTO booking_emails/i],
    ['after it was seen that one is still to go', /UPDATE "bookings" SET "conferencing_url"/i],
  ])('is in one email only if it is made a moment %s', async (_when, isThen) => {
    const { id: organizationId, liveKey } = await connected()
    const { id } = await videoType(liveKey)
    const sent: { to: string; text: string }[] = []
    let meanwhile: (() => Promise<unknown>) | null = null
    const DB = databaseThrough(async (ask, queries) => {
      const does = queries.some((query) => isThen.test(query)) ? meanwhile : null
      if (does) meanwhile = null
      await does?.()
      return ask()
    })
    const service = serviceWith({ DB, EMAIL: { send: async (letter: any) => void sent.push(letter) } })
    const { body: made } = await service.book(id, SLOT)
    const event = await env.DB.prepare('SELECT id FROM events WHERE organization_id = ?')
      .bind(organizationId)
      .first<{ id: string }>()
    await zoom.troubles([{ about: 'POST /v2/', times: null, status: 503 }])
    const now = Date.now() + 121_000
    const tell = (after = 0) => handleEvent(service.env, event!.id, (now + after) as RealMs)
    const url = 'https://zoom.example/j/1'
    const link = { eventTypeId: id, holderId: made.id, url, maker: 'account' as const, now: now as RealMs }
    const giveLink = () => askEventType(service.env, id, LINK_MEETING, link)
    const [first, second] = isThen.source.includes('booking_emails') ? [tell, giveLink] : [giveLink, tell]
    meanwhile = second
    await first()
    expect(meanwhile).toBeNull()
    await zoom.noTroubles()
    await tell(15_000)
    const letters = await env.DB.prepare(
      "SELECT kind FROM emails WHERE organization_id = ? AND kind = 'link'",
    )
      .bind(organizationId)
      .all()
    const told = sent.filter(({ to, text }) => to === made.invitee_email && text.includes(url))
    expect(told.length + letters.results.length).toBe(1)
  })

  it('does not exist if no account is connected, and nobody waits for one', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id } = await videoType(liveKey)
    const { body: made } = await book(id, SLOT)
    await soon(async () => expect(await letters(organizationId)).toHaveLength(1))
    expect((await booking(liveKey, made.id)).conferencing_url).toBeNull()
  })

  it('is simulated in the sandbox: in the outbox and in the emails, and no provider is called', async () => {
    const { testKey } = await createOrganization()
    const { id } = await videoType(testKey)
    const callsBefore = await callsUntilNow()
    const { body: made } = await book(id, SLOT)
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key: testKey })
    await soon(async () => {
      const { body } = await call('GET', '/v1/test-data/outbox', { key: testKey })
      const meetings = body.data.filter(({ channel }: { channel: string }) => channel === 'calendar')
      expect(meetings.map(({ to }: { to: string }) => to)).toEqual(meetings.map(() => 'video_a'))
      const mails = body.data.filter(({ channel }: { channel: string }) => channel === 'email')
      expect(mails).toHaveLength(2)
    })
    const { body: second } = await book(id, SLOT)
    await soon(async () => {
      const { body } = await call('GET', '/v1/test-data/outbox', { key: testKey })
      const [mail] = body.data.filter(({ body: text }: { body: string }) =>
        text.includes(second.cancel_token),
      )
      expect(mail.body).toContain('Video call:\nhttps://meetings.example.com/test-meeting/')
      expect(mail.attachments[0].content).toContain('URL:https://meetings.example.com/test-meeting/')
      expect(body.data.map(({ subject }: { subject: string }) => subject)).toContain(
        'Create meeting: Intro call',
      )
    })
    expect(await callsUntilNow()).toBe(callsBefore)
  })
})

describe('an account', () => {
  it("belongs to a member, makes the meetings that they host, and the owner's the others", async () => {
    const owner = await connected()
    const { liveKey } = owner
    const [host, other] = [await memberWithRole(owner, 'member'), await memberWithRole(owner, 'member')]
    const email = `${unique('host')}@example.com`
    expect((await connectAs(zoom, liveKey, `${CONNECT}?member_id=${host.id}`, email)).status).toBe(200)
    const { body: listed } = await call('GET', '/v1/conferencing', { key: liveKey })
    const videos = listed.data.filter(({ provider }: { provider: string }) => provider === 'video_a')
    expect(videos.map((one: any) => [one.account_email, one.member_id === host.id])).toEqual([
      [owner.email, false],
      [email, true],
    ])
    expect((await call('GET', `${CONNECT}?member_id=${crypto.randomUUID()}`, { key: liveKey })).status).toBe(
      404,
    )

    const madeFor = async (memberId: string, start: number) => {
      const { id } = await videoType(liveKey, { assignment_strategy: 'round_robin' })
      await call('POST', `/v1/event-types/${id}/hosts`, { key: liveKey, body: { member_id: memberId } })
      const { body: made } = await book(id, start)
      await soon(async () =>
        expect((await booking(liveKey, made.id)).conferencing_url).toEqual(expect.any(String)),
      )
      return made.id as string
    }
    const count = async () => [
      (await zoom.look(owner.email)).meetings!.length,
      (await zoom.look(email)).meetings!.length,
    ]
    await madeFor(host.id, SLOT)
    expect(await count()).toEqual([0, 1])
    const others = await madeFor(other.id, SLOT)
    expect(await count()).toEqual([1, 1])

    // What the owner's made stays theirs, although its host has one by now.
    const late = `${unique('late')}@example.com`
    await connectAs(zoom, liveKey, `${CONNECT}?member_id=${other.id}`, late)
    const body = { new_start_time: iso(SLOT + HOUR_MS) }
    await call('POST', `/v1/bookings/${others}/reschedule`, { key: liveKey, body })
    await soon(async () =>
      expect((await zoom.look(owner.email)).meetings).toMatchObject([
        { start_time: iso(SLOT + HOUR_MS).replace('.000', '') },
      ]),
    )
    expect((await zoom.look(late)).meetings).toEqual([])
    await call('POST', `/v1/bookings/${others}/cancel`, { key: liveKey })
    await soon(async () => expect(await count()).toEqual([0, 1]))

    const remove = (query: string) => call('DELETE', `/v1/conferencing/video_a${query}`, { key: liveKey })
    expect((await remove(`?member_id=${host.id}`)).status).toBe(204)
    expect((await remove(`?member_id=${host.id}`)).status).toBe(404)
    expect([await grants(email), await grants(owner.email)]).toEqual([['revoked'], [null]])
    expect((await remove('')).status).toBe(204)
    expect(await account(liveKey)).toMatchObject({ account_email: late, member_id: other.id })
  })

  it('makes the meeting of a session that its member hosts, if the invitee who began it is in one of another host', async () => {
    const owner = await connected()
    const key = owner.liveKey
    const { id, host, other } = await leftByFirst(owner, SLOT)
    const [email, elsewhere] = [`${unique('host')}@example.com`, `${unique('other')}@example.com`]
    await connectAs(zoom, key, `${CONNECT}?member_id=${host}`, email)
    await connectAs(zoom, key, `${CONNECT}?member_id=${other}`, elsewhere)
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { conferencing_provider: 'video_a' } })
    const { body: joined } = await bookAsAnother(id, SLOT)
    await soon(async () =>
      expect((await booking(key, joined.id)).conferencing_url).toEqual(expect.any(String)),
    )
    const count = async (as: string) => (await zoom.look(as)).meetings!.length
    expect([await count(email), await count(elsewhere)]).toEqual([1, 0])
  })

  it('is deleted with its member, and its permission is revoked', async () => {
    const organization = await createOrganization()
    const member = await memberWithRole(organization, 'member')
    const email = `${unique('leaving')}@example.com`
    await connectAs(zoom, organization.liveKey, `${CONNECT}?member_id=${member.id}`, email)
    const removed = await call('DELETE', `/v1/organizations/${organization.id}/members/${member.id}`, {
      key: organization.liveKey,
    })
    expect(removed.status).toBe(204)
    expect(await account(organization.liveKey)).toMatchObject({ connected: false, account_email: null })
    expect(await grants(email)).toEqual(['revoked'])
  })

  it('of another Zoom user replaces the one before, whose permission is revoked', async () => {
    const { liveKey, email } = await connected()
    const next = `${unique('next')}@example.com`
    await connectAs(zoom, liveKey, CONNECT, next)
    expect(await account(liveKey)).toMatchObject({ account_email: next, status: 'active' })
    expect([await grants(email), await grants(next)]).toEqual([['revoked'], [null]])
  })

  it('has its tokens renewed once, however many bookings need them at that moment', async () => {
    const { liveKey, email } = await connected()
    const { id } = await videoType(liveKey)
    await zoom.expire(email)
    const before = await callsUntilNow()
    const made = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((n) => book(id, SLOT + n * HOUR_MS)))
    await soon(async () => expect((await zoom.look(email)).meetings).toHaveLength(8))
    for (const { body } of made)
      await soon(async () =>
        expect((await booking(liveKey, body.id)).conferencing_url).toEqual(expect.any(String)),
      )
    expect(await callsSince(before, 'POST /oauth/token')).toHaveLength(1)
    expect(await account(liveKey)).toMatchObject({ status: 'active' })
  })

  it('ends when the answer to a renewal is lost, is reported, and makes the link once it is connected again', async () => {
    const { id: organizationId, liveKey, email } = await connected()
    const title = unique('Renewal')
    const { id } = await videoType(liveKey, { title })
    const asked = async () =>
      (await zoom.look()).calls!.filter((one) => JSON.stringify(one).includes(title)).length
    await zoom.expire(email)
    await zoom.troubles([{ about: 'POST /oauth/token', isCarriedOut: true, does: 'drops' }])
    const { body: made } = await book(id, SLOT)
    await soon(async () => expect(await account(liveKey)).toMatchObject({ connected: true, status: 'error' }))
    await env.DB.prepare('UPDATE meetings SET next_attempt_at = 0 WHERE holder_id = ?').bind(made.id).run()
    await sweep(env, Date.now())
    await soon(async () =>
      expect(await account(liveKey)).toMatchObject({ connected: false, status: 'revoked' }),
    )
    expect(await activity(organizationId)).toContain('conferencing.ended')
    const before = [await grants(email), await asked()]
    await book(id, SLOT + HOUR_MS)
    await soon(async () => expect(await meetingStates(organizationId)).toEqual(['failed', 'failed']))
    expect([await grants(email), await asked()]).toEqual(before)

    await connectAs(zoom, liveKey, CONNECT, email)
    await sweep(env, Date.now())
    await soon(async () => expect(await meetingStates(organizationId)).toEqual(['made', 'made']))
    expect((await booking(liveKey, made.id)).conferencing_url).toEqual(expect.any(String))
    expect(await asked()).toBeGreaterThan(before[1] as number)
  })

  it('is kept from ending while nobody books with it, and reports at once if it ended all the same', async () => {
    const { id: organizationId, liveKey, email } = await connected()
    const { id } = (await env.DB.prepare('SELECT id FROM conferencing_connections WHERE organization_id = ?')
      .bind(organizationId)
      .first<{ id: string }>())!
    const passTwoWeeks = async () => {
      await expireTokens(id)
      return runDurableObjectAlarm(env.ACCOUNTS.getByName(accountName('conferencing', id)))
    }
    const before = await callsUntilNow()
    expect(await passTwoWeeks()).toBe(true)
    expect(await callsSince(before, 'POST /oauth/token')).toHaveLength(1)
    expect(await account(liveKey)).toMatchObject({ status: 'active' })

    await zoom.end('expired', email)
    expect(await passTwoWeeks()).toBe(true)
    expect(await account(liveKey)).toMatchObject({ connected: false, status: 'revoked' })
    expect(await activity(organizationId)).toContain('conferencing.ended')
    expect([await passTwoWeeks(), await passTwoWeeks()]).toEqual([true, false])
  })

  it('has renewed tokens in its object until the database takes them', async () => {
    const { id: organizationId, email } = await connected()
    const row = await env.DB.prepare('SELECT * FROM conferencing_connections WHERE organization_id = ?')
      .bind(organizationId)
      .first<any>()
    const memory = accountMemory()
    let isDown = true
    const failing = (session: D1DatabaseSession) => ({
      prepare: (text: string) => {
        if (isDown && /^update/i.test(text)) throw new Error('The database is away.')
        return session.prepare(text)
      },
      batch: session.batch.bind(session),
      getBookmark: () => session.getBookmark(),
    })
    const DB = { withSession: (how: string) => failing(env.DB.withSession(how)) }
    const own = { ...env, DB } as unknown as Env
    const token = async () => new AccountKeeper(own, meetingAccounts, row.id, memory).accessToken(null)
    await expireTokens(row.id)
    await expect(token()).rejects.toThrow()
    isDown = false
    const before = await callsUntilNow()
    expect(await token()).toEqual({ value: expect.any(String) })
    expect(await callsUntilNow()).toBe(before)
    expect(memory.renewals.get()).toBeNull()
    expect(await grants(email)).toEqual([null])
  })

  it('that is connected elsewhere is taken over, which is reported, and no permission in use is revoked', async () => {
    const organization = await createOrganization()
    const { id: memberId } = await memberWithRole(organization, 'member')
    const first = { ...organization, email: `${unique('shared')}@example.com` }
    await connectAs(zoom, first.liveKey, `${CONNECT}?member_id=${memberId}`, first.email)
    const second = await createOrganization()
    await zoom.expire(first.email)
    expect((await connectAs(zoom, second.liveKey, CONNECT, first.email)).status).toBe(200)
    expect(await account(second.liveKey)).toMatchObject({ connected: true, status: 'active' })
    expect(await account(first.liveKey)).toMatchObject({
      connected: false,
      status: 'revoked',
      error: expect.stringContaining('connected elsewhere'),
    })
    expect(await activity(first.id)).toContain('conferencing.ended')
    await soon(async () => expect(await letters(first.id)).toEqual(['ready']))
    expect(
      (await call('DELETE', `/v1/conferencing/video_a?member_id=${memberId}`, { key: first.liveKey })).status,
    ).toBe(204)
    const { id } = await videoType(second.liveKey)
    const { body: made } = await book(id, SLOT)
    await soon(async () =>
      expect((await booking(second.liveKey, made.id)).conferencing_url).toEqual(expect.any(String)),
    )
    expect((await grants(first.email)).at(-1)).toBeNull()
  })

  it('goes on where it was when its owner was asked for it elsewhere, and said no or nothing', async () => {
    const first = await connected()
    const second = await createOrganization()
    const { body } = await call('GET', CONNECT, { key: second.liveKey })
    const back = await zoom.consent(body.url, first.email)
    const asked = await visit(`${back.pathname}${back.search}`)
    const { id } = await videoType(first.liveKey)
    const linked = async (start: number) => {
      const { body: made } = await book(id, start)
      await soon(async () =>
        expect((await booking(first.liveKey, made.id)).conferencing_url).toEqual(expect.any(String)),
      )
    }
    await linked(SLOT)
    expect((await pressOn(visit, asked, 'decline')).status).toBe(200)
    await linked(SLOT + HOUR_MS)
    expect(await account(first.liveKey)).toMatchObject({ connected: true, status: 'active', error: null })
    expect((await grants(first.email)).at(-1)).toBeNull()
  })

  it('is taken over with its latest tokens, which were renewed while its owner was asked', async () => {
    const first = await connected()
    const second = await createOrganization()
    const { body } = await call('GET', CONNECT, { key: second.liveKey })
    const back = await zoom.consent(body.url, first.email)
    const asked = await visit(`${back.pathname}${back.search}`)
    await zoom.expire(first.email)
    const { id } = await videoType(first.liveKey)
    await book(id, SLOT)
    await soon(async () => expect((await zoom.look(first.email)).meetings).toHaveLength(1))
    expect((await pressOn(visit, asked, 'connect')).status).toBe(200)
    await zoom.expire(first.email)
    const type = await videoType(second.liveKey)
    const { body: made } = await book(type.id, SLOT)
    await soon(async () =>
      expect((await booking(second.liveKey, made.id)).conferencing_url).toEqual(expect.any(String)),
    )
  })

  it('waits for the next day if the quota of the day is used up, and recovers automatically', async () => {
    const { id: organizationId, liveKey } = await connected()
    const { id } = await videoType(liveKey)
    await zoom.set({ dailyMeetingRequests: 0 })
    const before = Date.now()
    const { body: made } = await book(id, SLOT)
    await soon(async () => expect(await account(liveKey)).toMatchObject({ connected: true, status: 'error' }))
    const { next_attempt_at } = await meetingRow(made.id)
    // Soon after midnight, which may come in between.
    expect(Math.floor(next_attempt_at / DAY_MS)).toBeGreaterThan(Math.floor(before / DAY_MS))
    expect((next_attempt_at + 60_000) % DAY_MS).toBeLessThan(60_000 + DAY_MS / 9)
    await zoom.set({ dailyMeetingRequests: 100 })
    await book(id, SLOT + HOUR_MS)
    await soon(async () => expect(await account(liveKey)).toMatchObject({ status: 'active', error: null }))
    await sweep(env, Date.now())
    await soon(async () => expect(await meetingStates(organizationId)).toEqual(['made', 'made']))
  })

  it('stays if the fault is in the registration of this service, and is retried each hour', async () => {
    const { liveKey, email } = await connected()
    const { id } = await videoType(liveKey)
    await zoom.expire(email)
    await zoom.register({ isDisabled: true })
    const { body: made } = await book(id, SLOT)
    await soon(async () =>
      expect(await account(liveKey)).toMatchObject({
        status: 'error',
        error: expect.stringContaining('registration'),
      }),
    )
    const told = env.DB.prepare("SELECT told_at FROM operator_notices WHERE subject = 'video_a'")
    await soon(async () => expect(await told.first()).not.toBeNull())
    const makeDue = (attempts: number) =>
      env.DB.prepare('UPDATE meetings SET next_attempt_at = 0, attempts = ? WHERE holder_id = ?')
        .bind(attempts, made.id)
        .run()
    const waits = async () => {
      const { next_attempt_at, status } = await meetingRow(made.id)
      return [status, Math.round((next_attempt_at - Date.now()) / 60_000)]
    }
    await soon(async () => expect(await waits()).toEqual(['pending', 60]))
    await makeDue(99)
    await makeMeeting(env, made.id)
    await soon(async () => expect(await waits()).toEqual(['pending', 60]))
    await zoom.register({ isDisabled: false })
    // The queue may be at it, too.
    await soon(async () => {
      await makeDue(99)
      await makeMeeting(env, made.id)
      expect((await booking(liveKey, made.id)).conferencing_url).toEqual(expect.any(String))
    })
    await soon(async () => expect(await account(liveKey)).toMatchObject({ status: 'active', error: null }))
  })

  it('is gone when its user removes the app at Zoom, unless it was added again since then', async () => {
    const { id: organizationId, liveKey, email } = await connected()
    const notificationUrl = 'https://holdfast.test/v1/conferencing/video_a/deauthorization'
    await zoom.register({ notificationUrl })
    await zoom.end('revoked', email)
    const { notifications } = await zoom.look()
    const { headers, body } = notifications!.at(-1)!
    const tell = (raw: string = body) =>
      exports.default.fetch(new Request(notificationUrl, { method: 'POST', headers, body: raw }))
    for (const secret of ['', 'another']) {
      Object.assign(env, { ZOOM_WEBHOOK_SECRET: secret })
      expect((await tell()).status).toBe(400)
    }
    Object.assign(env, { ZOOM_WEBHOOK_SECRET: 'another, double-webhook-secret_1' })
    expect((await tell(`${body} `)).status).toBe(400)
    expect(await account(liveKey)).toMatchObject({ connected: true })
    const taken = await tell()
    expect([taken.status, await taken.json()]).toEqual([200, { received: true }])
    expect(await account(liveKey)).toMatchObject({ connected: false, account_email: null })
    expect(await activity(organizationId)).toContain('conferencing.ended')

    await connectAs(zoom, liveKey, CONNECT, email)
    expect((await tell()).status).toBe(200)
    expect(await account(liveKey)).toMatchObject({ connected: true })
    await zoom.register({ notificationUrl: null })
  })

  it('of the sandbox is a pretend one, and Zoom is not called', async () => {
    const { testKey, liveKey } = await createOrganization()
    const before = await callsUntilNow()
    const { body } = await call('GET', CONNECT, { key: testKey })
    expect((await answerConsent(visit, body.url)).status).toBe(200)
    expect(await account(testKey)).toMatchObject({ connected: true, account_email: 'zoom@example.com' })
    expect(await account(liveKey)).toMatchObject({ connected: false })
    expect((await call('DELETE', '/v1/conferencing/video_a', { key: testKey })).status).toBe(204)
    expect(await account(testKey)).toMatchObject({ connected: false })
    expect(await callsUntilNow()).toBe(before)
  })
})

describe.each([['calendar_a', google, /^https:\/\/meet\.google\.com\//]] as const)(
  'the meeting of a %s event',
  (suite, world, link) => {
    it('is the link of the booking and in its email', async () => {
      const { id: organizationId, liveKey } = await createOrganization()
      const refused = await call('POST', '/v1/event-types', {
        key: liveKey,
        body: { title: 'X', slug: 'x', duration_minutes: 30, conferencing_provider: `${suite}_meet` },
      })
      expect(refused.status).toBe(422)
      const email = `${unique('m')}@example.com`
      await connectAs(world, liveKey, `/v1/calendars/${suite}/connect`, email)
      const { id } = await createEventType(liveKey, {
        conferencing_provider: `${suite}_meet`,
        reminder_intervals: [],
      })
      const { body: made } = await book(id, SLOT)
      await soon(async () => {
        const found = await booking(liveKey, made.id)
        expect(found.conferencing_url).toMatch(link)
        expect(found.calendar_event_id).toEqual(expect.any(String))
      })
      await soon(async () => expect(await letters(organizationId)).toHaveLength(1))
      expect((await world.look(email)).events).toHaveLength(1)
    })
  },
)
