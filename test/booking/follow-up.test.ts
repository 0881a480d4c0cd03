import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { remind } from '../../src/booking/bookings/reminders/remind.ts'
import { openDb } from '../../src/platform/db/client.ts'
import type { Email } from '../../src/platform/email/email-sender.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { call, callAsService } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { book, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { type Item, lettersTo } from '../support/outbox.ts'
import { serviceWith } from '../support/service-with.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const END = SLOT + 30 * MINUTE_MS
const ADA = 'ada@example.com'

const nextOf = (id: string) =>
  env.DB.prepare('SELECT next_reminder_at AS next, follow_up_minutes AS minutes FROM bookings WHERE id = ?')
    .bind(id)
    .first<{ next: number | null; minutes: number | null }>()

async function sandbox(input: Record<string, unknown> = {}) {
  const organization = await createOrganization()
  const key = organization.testKey
  const { id } = await createEventType(key, { reminder_intervals: [], follow_up_minutes: 60, ...input })
  const setClock = async (now: number) => {
    const { status } = await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })
    expect(status).toBe(200)
  }
  return { organization, key, id, setClock }
}

const isFollowUp = ({ subject }: Item) => subject.startsWith('Thank you')

describe('a follow-up', () => {
  it('is chosen for an event type, from the end to a week later, and is off by default', async () => {
    const { liveKey: key } = await createOrganization()
    expect((await createEventType(key)).follow_up_minutes).toBe(null)
    const { id, follow_up_minutes } = await createEventType(key, { follow_up_minutes: 0 })
    expect(follow_up_minutes).toBe(0)
    for (const wrong of [-1, 10_081, 1.5, '60']) {
      const path = `/v1/event-types/${id}`
      const { status, body } = await call('PATCH', path, { key, body: { follow_up_minutes: wrong } })
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['follow_up_minutes']])
    }
    const off = await call('PATCH', `/v1/event-types/${id}`, { key, body: { follow_up_minutes: null } })
    expect(off.body.follow_up_minutes).toBe(null)
  })

  it('is sent to attendees once, that long after the end, and not to guests', async () => {
    const { organization, key, id, setClock } = await sandbox({ max_attendees: 3, max_guests: 1 })
    const text = { subject: 'How was {{event_type}}?', intro: 'Dear {{invitee_name}}' }
    const put = { key: organization.liveKey, body: text }
    await call('PUT', '/v1/email-texts/follow_up?locale=en', put)
    const attendees = [{ name: 'Bob', email: 'bob@example.com' }]
    await book(id, SLOT, { attendees, guests: [{ email: 'guest@example.com' }] })
    await setClock(END + 59 * MINUTE_MS)
    await lettersTo(key, ADA, 1)
    await setClock(END + 60 * MINUTE_MS)
    const [, letter] = await lettersTo(key, ADA, 2)
    expect([letter!.subject, letter!.attachments]).toEqual(['How was Intro call?', []])
    expect(letter!.body).toContain('Dear Ada Lovelace')
    await lettersTo(key, 'bob@example.com', 2)
    await setClock(END + 3 * HOUR_MS)
    await lettersTo(key, ADA, 2)
    await lettersTo(key, 'guest@example.com', 1)
  })

  it('follows the end as it is, and reminders are sent before', async () => {
    const { key, id, setClock } = await sandbox({ reminder_intervals: [60] })
    const { body } = await book(id, SLOT)
    await lettersTo(key, ADA, 1)
    const path = `/v1/bookings/${body.id}/reschedule`
    await call('POST', path, { key, body: { new_start_time: iso(SLOT + 2 * HOUR_MS) } })
    expect(await nextOf(body.id)).toEqual({ next: SLOT + HOUR_MS, minutes: 60 })
    await lettersTo(key, ADA, 2)
    await setClock(SLOT + HOUR_MS)
    expect(await nextOf(body.id)).toEqual({ next: END + 3 * HOUR_MS, minutes: 60 })
    await setClock(END + 3 * HOUR_MS)
    const letters = await lettersTo(key, ADA, 4)
    expect(letters.map(({ subject }) => subject.split(':')[0])).toEqual([
      'Confirmed',
      'New time',
      'Reminder',
      'Thank you',
    ])
    expect(await nextOf(body.id)).toEqual({ next: null, minutes: null })
  })

  it('is not sent to who did not come, nor if no host came', async () => {
    const { key, id, setClock } = await sandbox({ max_attendees: 3 })
    const attendees = [{ name: 'Bob', email: 'bob@example.com' }]
    const { body: first } = await book(id, SLOT, { attendees })
    const { body: second } = await book(id, SLOT + HOUR_MS, { invitee_email: 'cy@example.com' })
    await setClock(SLOT + HOUR_MS + MINUTE_MS)
    const record = (booking: any, body: Record<string, unknown>) =>
      call('POST', `/v1/bookings/${booking.id}/attendance`, { key, body })
    const isAda = ({ email }: { email: string }) => email === ADA
    const { status } = await record(first, { no_shows: [first.attendees.find(isAda).id] })
    expect([status, (await record(second, { no_shows: [], host_absent: true })).status]).toEqual([200, 200])
    await setClock(END + 5 * HOUR_MS)
    const bobs = await lettersTo(key, 'bob@example.com', 2)
    expect(bobs.filter(isFollowUp)).toHaveLength(1)
    expect((await lettersTo(key, ADA, 1)).filter(isFollowUp)).toEqual([])
    await lettersTo(key, 'cy@example.com', 1)
  })

  it('is not sent after a cancel, a quiet call, or by an organization that sends its own emails', async () => {
    const { organization, key, id, setClock } = await sandbox()
    const { body: cancelled } = await book(id, SLOT)
    await call('POST', `/v1/bookings/${cancelled.id}/cancel`, { key, body: {} })
    expect(await nextOf(cancelled.id)).toEqual({ next: null, minutes: null })
    const body = {
      event_type_id: id,
      start_time: iso(SLOT),
      invitee_name: 'Bo',
      invitee_email: 'bo@example.com',
    }
    const quiet = await call('POST', '/v1/bookings', { key, body: { ...body, notify: false } })
    expect(await nextOf(quiet.body.id)).toEqual({ next: null, minutes: null })
    const { body: told } = await book(id, SLOT + 2 * HOUR_MS, { invitee_email: 'cy@example.com' })
    expect((await nextOf(told.id))!.minutes).toBe(60)
    const moving = { new_start_time: iso(SLOT + 4 * HOUR_MS), notify: false }
    await call('POST', `/v1/bookings/${told.id}/reschedule`, { key, body: moving })
    expect(await nextOf(told.id)).toEqual({ next: null, minutes: null })
    await book(id, SLOT + 6 * HOUR_MS, { invitee_email: 'di@example.com' })
    await lettersTo(key, 'di@example.com', 1)
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { invitee_emails: 'none' } })
    await setClock(END + 10 * HOUR_MS)
    await lettersTo(key, 'di@example.com', 1)
  })

  /** A live booking, and what the provider is given for it. */
  async function live(send: (email: Email) => Promise<void>) {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { reminder_intervals: [], follow_up_minutes: 60 })
    const quiet = serviceWith({ EMAIL: { send } })
    const { body: booking } = await quiet.book(id, SLOT)
    const db = openDb(quiet.env, 'decide')
    const at = (dueBy: number) => remind(quiet.env, db, { bookingId: booking.id, dueBy }, realNow())
    return { organizationId, booking, at, quiet }
  }

  it('is sent once although several processes have it, and by the next one if a process dies', async () => {
    const sent: string[] = []
    let isStuck = false
    const { at } = await live(async ({ subject }) => {
      if (isStuck) await new Promise(() => {})
      sent.push(subject)
    })
    const due = END + HOUR_MS
    await at(due - 1)
    expect(sent).toEqual([])
    isStuck = true
    void at(due)
    await vi.waitFor(async () => {
      await at(due)
      expect(sent).toEqual([])
    })
    isStuck = false
    await Promise.all([1, 2, 3].map(() => at(due + 59_000)))
    expect(sent).toEqual([])
    await Promise.all([1, 2, 3].map(() => at(due + 61_000)))
    await at(due + 62_000)
    expect(sent).toEqual([expect.stringMatching(/^Thank you/)])
  })

  it('is dropped once it is more than a day late', async () => {
    const sent: string[] = []
    const late = await live(async ({ subject }) => void sent.push(subject))
    await late.at(END + 25 * HOUR_MS + 1)
    expect([sent, await nextOf(late.booking.id)]).toEqual([[], { next: null, minutes: null }])
    const inTime = await live(async ({ subject }) => void sent.push(subject))
    await inTime.at(END + 25 * HOUR_MS)
    expect(sent).toHaveLength(1)
  })

  it('costs as much as a reminder, with texts of the organization too', async () => {
    const costOf = async (plan: Record<string, unknown>, dueBy: number, kind: string | null) => {
      const organization = await createOrganization()
      const { id } = await createEventType(organization.liveKey, plan)
      const quiet = serviceWith({ EMAIL: { send: async () => {} } })
      const { body: booking } = await quiet.book(id, SLOT)
      const put = { key: organization.liveKey, body: { intro: 'Hello' } }
      if (kind !== null) await call('PUT', `/v1/email-texts/${kind}?locale=en`, put)
      const { trips, ran, env: counted } = countedEnv(quiet.env)
      await remind(counted, openDb(counted, 'decide'), { bookingId: booking.id, dueBy }, realNow())
      return {
        trips: trips.count,
        statements: ran.length,
        written: ran.reduce((n, { written }) => n + written, 0),
      }
    }
    const reminder = await costOf({ reminder_intervals: [60], follow_up_minutes: null }, SLOT - HOUR_MS, null)
    // It is noted, which is its lease too, counted, and removed.
    expect(reminder).toEqual({ trips: 3, statements: 6, written: 3 })
    const plan = { reminder_intervals: [], follow_up_minutes: 60 }
    expect(await costOf(plan, END + HOUR_MS, null)).toEqual(reminder)
    expect(await costOf(plan, END + HOUR_MS, 'follow_up')).toEqual(reminder)
  })
})
