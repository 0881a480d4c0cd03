import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { soon } from '../support/connected.ts'
import { answerConsent } from '../support/consent.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { visit } from '../support/pages.ts'
import { openWorld } from '../support/world.ts'
import { settingsOf } from '../support/world-account.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const world = openWorld('microsoft')
Object.assign(env, settingsOf('calendar_b', world.base))

const CONNECT = '/v1/calendars/calendar_b/connect'
const MEET = { conferencing_provider: 'calendar_b_meet', reminder_intervals: [] }

async function connected(domain = 'example.com') {
  const organization = await createOrganization()
  const key = organization.liveKey
  const email = `${unique('m')}@${domain}`
  const { body } = await call('GET', CONNECT, { key })
  expect((await answerConsent(visit, await world.consent(body.url, email))).status).toBe(200)
  const listed = await call('GET', '/v1/calendars', { key })
  return { ...organization, key, email, connection: listed.body.data[0] }
}

async function booking(key: string, id: string) {
  return (await call('GET', `/v1/bookings/${id}`, { key })).body
}

const wall = (instant: number) => ({ dateTime: iso(instant).slice(0, 19), timeZone: 'UTC' })

describe('a Microsoft account', () => {
  it('is connected by its owner, also where series in it never end, and they block their time', async () => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const email = `${unique('m')}@example.com`
    const startDate = iso(dayFromNow(-30)).slice(0, 10)
    const start = dayFromNow(-30) + 10 * HOUR_MS
    await world.seed(
      [
        {
          subject: 'Daily',
          start: wall(start),
          end: wall(start + HOUR_MS),
          recurrence: { pattern: { type: 'daily', interval: 1 }, range: { type: 'noEnd', startDate } },
        },
      ],
      email,
    )
    const { body } = await call('GET', CONNECT, { key })
    expect((await answerConsent(visit, await world.consent(body.url, email))).status).toBe(200)
    const listed = await call('GET', '/v1/calendars', { key })
    expect(listed.body.data).toMatchObject([
      { account_email: email, name: 'Calendar', status: 'active', sync_status: 'connected' },
    ])
    const { id } = await createEventType(key)
    const open = await openStarts(id, SLOT)
    expect(open).not.toContain(iso(SLOT))
    expect(open).toContain(iso(SLOT + HOUR_MS))
  })

  it('shows all its calendars, and each can be connected', async () => {
    const { key, email, connection } = await connected()
    const { id } = await world.addCalendar({ name: 'Team' }, email)
    const { body } = await call('GET', '/v1/calendars/accounts', { key })
    expect(body.data).toMatchObject([
      {
        id: connection.account_id,
        calendars: [
          { name: 'Calendar', is_primary: true, can_write: true, connection_id: connection.id },
          { external_id: id, name: 'Team', is_primary: false, can_write: true, connection_id: null },
        ],
      },
    ])
    await world.seed([{ start: wall(SLOT), end: wall(SLOT + HOUR_MS) }], email, id)
    const { id: eventTypeId } = await createEventType(key)
    expect(await openStarts(eventTypeId, SLOT)).toContain(iso(SLOT))
    const input = { account_id: connection.account_id, external_id: id }
    expect((await call('POST', '/v1/calendars', { key, body: input })).status).toBe(201)
    expect(await openStarts(eventTypeId, SLOT)).not.toContain(iso(SLOT))
  })

  it('that has not changed is asked once, and nothing is written', async () => {
    const { key, email, connection } = await connected()
    await world.seed([{ start: wall(SLOT), end: wall(SLOT + HOUR_MS) }], email)
    const sync = () => call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    const row = () =>
      env.DB.prepare(
        'SELECT *, (SELECT count(*) FROM calendar_busy_times WHERE connection_id = id) AS busy FROM calendar_connections WHERE id = ?',
      )
        .bind(connection.id)
        .first<any>()
    await sync()
    const before = await row()
    expect(before.busy).toBe(1)
    const views = async () => (await world.look()).calls!.filter(({ path }) => path.includes('calendarView'))
    const asked = (await views()).length
    await sync()
    expect(await row()).toEqual(before)
    expect(await views()).toHaveLength(asked + 1)
  })
})

describe('the Teams meeting of a booking', () => {
  it('is its link', async () => {
    const { liveKey } = await createOrganization()
    const refused = await call('POST', '/v1/event-types', {
      key: liveKey,
      body: { ...MEET, title: 'X', slug: 'x', duration_minutes: 30 },
    })
    expect(refused.status).toBe(422)
    const { key, email } = await connected()
    const { id } = await createEventType(key, MEET)
    const { body: made } = await book(id, SLOT)
    await soon(async () => {
      const found = await booking(key, made.id)
      expect(found.conferencing_url).toMatch(/^https:\/\/teams\./)
      expect(found.calendar_event_id).not.toBeNull()
    })
    expect((await world.look(email)).events).toHaveLength(1)
  })

  it('is refused for a personal account when it is chosen', async () => {
    const { key } = await connected('outlook.com')
    const { status, body } = await call('POST', '/v1/event-types', {
      key,
      body: { ...MEET, title: 'X', slug: 'x', duration_minutes: 30 },
    })
    expect([status, body.error.code]).toEqual([422, 'no_calendar_b_connection'])
    expect(body.error.message).toContain('work or school account')
  })

  it('that an account cannot make is told in its booking at once, and not waited for', async () => {
    const { key, email } = await connected()
    const { id } = await createEventType(key, MEET)
    await world.control('PUT', '', { onlineMeetingProviders: [] }, email)
    const { body: made } = await book(id, SLOT)
    await soon(async () => {
      const found = await booking(key, made.id)
      expect(found.sync_error).toContain('no Teams meetings')
      expect(found.calendar_event_id).not.toBeNull()
      expect(found.conferencing_url).toBeNull()
    })
    const write = await env.DB.prepare(
      'SELECT status, next_attempt_at FROM calendar_writes WHERE holder_id = ?',
    )
      .bind(made.id)
      .first()
    expect(write).toEqual({ status: 'written', next_attempt_at: null })
  })
})
