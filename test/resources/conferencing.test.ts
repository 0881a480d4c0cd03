import { env } from 'cloudflare:workers'
import { describe, expect, inject, it } from 'vitest'
import { handleEvent } from '../../src/jobs/handle-event.ts'
import { sweep } from '../../src/jobs/sweep.ts'
import type { RealMs } from '../../src/limits/clock.ts'
import { call } from '../support/app.ts'
import { connectAs, pointTo, pointToGoogle, soon } from '../support/connected.ts'
import { pressOn } from '../support/consent.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  organizationBackTo,
  unique,
} from '../support/factories.ts'
import { visit, wordsOf } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const zoom = pointTo(inject('doubles'), 'video_a')
const google = pointToGoogle()

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
     UNION ALL SELECT id, 'event', id FROM events WHERE organization_id = ?1 AND claimed_until IS NOT NULL ORDER BY id`,
  )
    .bind(organizationId)
    .all<{ kind: string; subject_id: string }>()
  return results.map(({ kind, subject_id }) => (kind === 'event' ? subject_id : kind))
}

async function meetingRow(holderId: string) {
  return env.DB.prepare('SELECT * FROM meetings WHERE holder_id = ?').bind(holderId).first<any>()
}

describe('the accounts of providers of meetings', () => {
  it('are connected, shown and given back', async () => {
    const { liveKey, testKey, email } = await connected()
    expect(await account(liveKey)).toEqual({
      provider: 'video_a',
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
    const { calls } = await zoom.look()
    expect(calls.some(({ path }) => path === '/oauth/revoke')).toBe(true)
    expect((await call('DELETE', '/v1/conferencing/video_a', { key: liveKey })).status).toBe(404)
  })

  it('lead back to where the owner is wanted, also when they say no', async () => {
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

  it('are connected only once their owner said yes here, and given back where they say no', async () => {
    const organization = await createOrganization()
    const { body } = await call('GET', CONNECT, { key: organization.liveKey })
    const back = await zoom.consent(body.url, `${unique('no')}@example.com`)
    const asked = await visit(`${back.pathname}${back.search}`)
    expect(wordsOf(asked)).toContain('create, change and delete meetings in your account')
    expect(await account(organization.liveKey)).toMatchObject({ connected: false })

    const revocations = async () => (await zoom.look()).calls.filter(({ path }) => path === '/oauth/revoke')
    const before = (await revocations()).length
    const declined = await pressOn(visit, asked, 'decline')
    expect([declined.status, declined.headers.get('Location')]).toEqual([200, null])
    expect(wordsOf(declined)).toContain('Nothing was connected')
    expect(await revocations()).toHaveLength(before + 1)
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
  it('is made, told in the letters, moved and deleted with it', async () => {
    const { id: organizationId, liveKey, email } = await connected()
    const { id } = await videoType(liveKey)
    const { body: made } = await book(id, SLOT)
    expect(made.conferencing_url).toBeNull()
    const url = await soon(async () => {
      const { conferencing_url } = await booking(liveKey, made.id)
      expect(conferencing_url).toMatch(/^https:\/\/zoom\.us\/j\//)
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

  it('of another session replaces the link of a booking that moves there', async () => {
    const { liveKey } = await connected()
    const { id } = await videoType(liveKey, { max_attendees: 3 })
    const first = await book(id, SLOT)
    await book(id, SLOT, { invitee_email: 'grace@example.com' })
    const link = (bookingId: string) => booking(liveKey, bookingId).then((found) => found.conferencing_url)
    const before = await soon(async () => {
      const url = await link(first.body.id)
      expect(url).not.toBeNull()
      return url
    })
    const { body } = await call('POST', `/v1/bookings/${first.body.id}/reschedule`, {
      key: liveKey,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    expect(body.conferencing_url).toBeNull()
    await soon(async () => {
      const after = await link(first.body.id)
      expect(after).not.toBeNull()
      expect(after).not.toBe(before)
    })
  })

  it('keeps the letters waiting for a while when the provider is down, and no webhook', async () => {
    const { id: organizationId, liveKey } = await connected()
    const { id } = await videoType(liveKey)
    const { body: endpoint } = await call('POST', '/v1/webhooks', {
      key: liveKey,
      body: { url: `${inject('receiver')}/${unique('hook')}`, events: ['booking.created'] },
    })
    await zoom.set({ failures: 1000 })
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

    await zoom.set({ failures: 0 })
    await sweep(env, Date.now() + HOUR_MS)
    await env.DB.prepare('UPDATE meetings SET next_attempt_at = 0 WHERE holder_id = ?').bind(made.id).run()
    await sweep(env, Date.now())
    await soon(async () => expect((await booking(liveKey, made.id)).conferencing_url).not.toBeNull())
    expect(await letters(organizationId)).toEqual([event!.id, 'link'])
    await soon(async () => expect(await account(liveKey)).toMatchObject({ status: 'active', error: null }))
  })

  it('fails visibly when the permission has ended, and is made when the account is connected anew', async () => {
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
    await soon(async () => expect((await booking(liveKey, made.id)).conferencing_url).not.toBeNull())
    expect(await account(liveKey)).toMatchObject({ connected: true, status: 'active', error: null })
  })

  it('is none where no account is connected, and nobody waits for one', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id } = await videoType(liveKey)
    const { body: made } = await book(id, SLOT)
    await soon(async () => expect(await letters(organizationId)).toHaveLength(1))
    expect((await booking(liveKey, made.id)).conferencing_url).toBeNull()
  })

  it('is simulated in the sandbox: in the outbox and in the letters, and no provider hears of it', async () => {
    const { testKey } = await createOrganization()
    const { id } = await videoType(testKey)
    const callsBefore = (await zoom.look()).calls.length
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
      expect(mail.body).toContain('Link: https://meetings.example.com/test-meeting/')
      expect(mail.attachments[0].content).toContain('URL:https://meetings.example.com/test-meeting/')
      expect(body.data.map(({ subject }: { subject: string }) => subject)).toContain(
        'Create meeting: Intro call',
      )
    })
    expect((await zoom.look()).calls).toHaveLength(callsBefore)
  })
})

describe.each([['calendar_a', google, /^https:\/\/meet\.google\.com\//]] as const)(
  'the meeting of a %s event',
  (suite, world, link) => {
    it('is the link of the booking and in its letter', async () => {
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
        expect(found.calendar_event_id).not.toBeNull()
      })
      await soon(async () => expect(await letters(organizationId)).toHaveLength(1))
      expect((await world.look(email)).events).toHaveLength(1)
    })
  },
)
