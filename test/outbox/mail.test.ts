import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import ICAL from 'ical.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { remind } from '../../src/booking/bookings/reminders/remind.ts'
import { emailWriter } from '../../src/delivery/emails/write-email.ts'
import { PROVIDER_FAILED } from '../../src/money/payments/reasons.ts'
import { emailBody } from '../../src/outbox/mail/email-body.ts'
import { enqueueEmail } from '../../src/outbox/mail/enqueue-email.ts'
import { secondsToNextAttempt } from '../../src/outbox/mail/next-attempt.ts'
import { sendAtOnce } from '../../src/outbox/mail/send-at-once.ts'
import { sendEmail } from '../../src/outbox/mail/send-email.ts'
import { PRODUCT } from '../../src/outbox/mail/sender.ts'
import type { Tenant } from '../../src/platform/auth/caller.ts'
import { commitBatch, openDb } from '../../src/platform/db/client.ts'
import { looseId, newId } from '../../src/platform/db/ids.ts'
import type { Email } from '../../src/platform/email/email-sender.ts'
import { localeOf } from '../../src/platform/i18n/locale.ts'
import { type RealMs, realNow } from '../../src/platform/limits/clock.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { databaseThrough } from '../support/database-through.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { insertTimeOff } from '../support/hours.ts'
import { stayInOneMinute } from '../support/minute.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

type Item = {
  id: string
  channel: string
  to: string
  subject: string
  body: string
  html: string
  attachments: { filename: string; type: string; content: string }[]
}

async function outbox(key: string): Promise<Item[]> {
  const { body } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
  return body.data
}

/** What the outbox holds once the queue has done its work. */
async function outboxOf(key: string, count: number): Promise<Item[]> {
  return vi.waitFor(
    async () => {
      const items = await outbox(key)
      expect(items).toHaveLength(count)
      return items.reverse()
    },
    { timeout: 10_000, interval: 50 },
  )
}

async function rowsOf(table: string, organizationId: string): Promise<any[]> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ?`)
    .bind(organizationId)
    .all()
  return results
}

async function eventOf(organizationId: string): Promise<string> {
  const [event] = await rowsOf('events', organizationId)
  return event.id
}

/** What is sent when the letter is, without a provider. */
async function sentOf(emailId: string, now: RealMs = realNow()): Promise<Email | undefined> {
  const sent: Email[] = []
  await sendEmail(env, emailId, emailWriter, now, { send: async (email) => void sent.push(email) })
  return sent[0]
}

function setClock(key: string, now: number | null) {
  return call('PUT', '/v1/test-data/clock', { key, body: { now: now === null ? null : iso(now) } })
}

function invitation(item: Item) {
  const calendar = new ICAL.Component(ICAL.parse(item.attachments[0]!.content))
  const event = calendar.getFirstSubcomponent('vevent')!
  return {
    method: calendar.getFirstPropertyValue('method'),
    uid: event.getFirstPropertyValue('uid'),
    sequence: event.getFirstPropertyValue('sequence'),
    start: event.getFirstPropertyValue('dtstart')!.toString(),
  }
}

describe('the emails of a booking', () => {
  it('notify the invitee when it is made, moved and cancelled, with one calendar event that is updated', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { title: 'Tea <b>& cake</b>', reminder_intervals: [] })
    const { body: booking } = await book(id, SLOT, { invitee_timezone: 'Asia/Tokyo', notes: 'Hi <script>' })
    const path = `/v1/bookings/${booking.id}`
    await outboxOf(testKey, 1)
    await call('POST', `${path}/reschedule?token=${booking.cancel_token}`, {
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await outboxOf(testKey, 2)
    await call('POST', `${path}/cancel?token=${booking.cancel_token}`, { body: { reason: 'Rain' } })
    const items = await outboxOf(testKey, 3)
    expect(items.map(({ channel, to }) => [channel, to])).toEqual(Array(3).fill(['email', 'ada@example.com']))
    const [made, moved, ended] = items as [Item, Item, Item]
    expect(made.subject).toMatch(/^Confirmed: Tea <b>& cake<\/b>, \w{3}, \w{3} \d{1,2}, \d{4}$/)
    expect(made.body).toMatch(/^7:00\sPM – 7:30\sPM \(30 minutes\)\nJapan Standard Time \(Asia\/Tokyo\)$/m)
    expect(made.body).toContain(booking.cancel_token)
    expect(made.html).toContain('Tea &lt;b&gt;&amp; cake&lt;/b&gt;')
    expect(made.html).toContain('Hi &lt;script&gt;')
    expect(moved.body).toMatch(/^8:00\sPM – 8:30\sPM/m)
    expect(moved.body).toMatch(/^Previously:\n.*\n7:00\sPM/m)
    expect(ended.body).toContain('Rain')
    const uid = `${booking.id}@holdfast`
    const start = (instant: number) => iso(instant).replace('.000', '')
    expect(items.map(invitation)).toEqual([
      { method: 'REQUEST', uid, sequence: 0, start: start(SLOT) },
      { method: 'REQUEST', uid, sequence: 1, start: start(SLOT + HOUR_MS) },
      { method: 'CANCEL', uid, sequence: 2, start: start(SLOT + HOUR_MS) },
    ])
    expect(made.attachments[0]!.type).toContain('method=REQUEST')
    expect(ended.attachments[0]!.type).toContain('method=CANCEL')
  })

  it('are stored once, however often the queue repeats them', async () => {
    const { id: organizationId, testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { reminder_intervals: [] })
    await book(id, SLOT)
    await outboxOf(testKey, 1)
    const event = await eventOf(organizationId)
    await Promise.all([handleEvent(env, event), handleEvent(env, event)])
    await env.DB.prepare('UPDATE events SET handled_at = NULL WHERE id = ?').bind(event).run()
    await Promise.all([handleEvent(env, event), handleEvent(env, event)])
    expect(await outbox(testKey)).toHaveLength(1)
  })

  it('are found by the sweep if they were never enqueued', async () => {
    const { id: organizationId, testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { reminder_intervals: [] })
    await book(id, SLOT)
    await outboxOf(testKey, 1)
    await env.DB.prepare('DELETE FROM sandbox_outbox WHERE organization_id = ?').bind(organizationId).run()
    await env.DB.prepare('UPDATE events SET handled_at = NULL WHERE organization_id = ?')
      .bind(organizationId)
      .run()
    await sweep(env, Date.now())
    expect(await outbox(testKey)).toHaveLength(0)
    await sweep(env, Date.now() + 61_000)
    await outboxOf(testKey, 1)
  })

  it('leave no readable secret in the database', async () => {
    const { id: organizationId, testKey } = await createOrganization()
    const { id } = await createEventType(testKey)
    const { body: booking } = await book(id, SLOT)
    await outboxOf(testKey, 1)
    for (const table of ['sandbox_outbox', 'events', 'emails', 'activity']) {
      const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE organization_id = ?`)
        .bind(organizationId)
        .all()
      expect(JSON.stringify(results)).not.toContain(booking.cancel_token)
    }
  })

  const GUESTS = [{ name: 'Win at evil.example', email: 'bob@example.com' }]
  const TYPED = { notes: 'Pay here:\r\nhttps://evil.example\u2028Now', metadata: { see: 'evil.example' } }
  const to = (items: Item[], address: string) => items.filter((item) => item.to === address)
  const wordsTo = (items: Item[], address: string) => JSON.stringify(to(items, address))

  it('give the guests of a booking without a key nothing that its invitee typed', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { max_attendees: 5, reminder_intervals: [60] })
    const { body: booking } = await book(id, SLOT, { ...TYPED, invitee_name: 'evil', attendees: GUESTS })
    await outboxOf(testKey, 2)
    await call('POST', `/v1/bookings/${booking.id}/reschedule?token=${booking.cancel_token}`, {
      body: { new_start_time: iso(SLOT + HOUR_MS), reason: 'evil' },
    })
    await outboxOf(testKey, 4)
    await setClock(testKey, SLOT)
    await outboxOf(testKey, 6)
    await call('POST', `/v1/bookings/${booking.id}/cancel?token=${booking.cancel_token}`, {
      body: { reason: 'evil' },
    })
    const items = await outboxOf(testKey, 8)
    expect(to(items, 'bob@example.com')).toHaveLength(4)
    expect(wordsTo(items, 'bob@example.com')).not.toContain('evil')
    expect(wordsTo(items, 'bob@example.com')).not.toContain(booking.cancel_token)
    expect(wordsTo(items, 'ada@example.com')).toContain('evil.example')
    const [invited] = to(items, 'bob@example.com')
    expect(ICAL.parse(invited!.attachments[0]!.content)).toBeTruthy()
    expect(invitation(invited!).uid).toBe(`${booking.id}@holdfast`)
  })

  it('quote line by line what somebody typed, also to guests if a key booked', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { max_attendees: 5, reminder_intervals: [] })
    await call('POST', '/v1/bookings', {
      key: testKey,
      body: {
        event_type_id: id,
        start_time: iso(SLOT),
        invitee_name: 'Ada',
        invitee_email: 'ada@example.com',
        attendees: GUESTS,
        ...TYPED,
      },
    })
    for (const { body, html } of await outboxOf(testKey, 2)) {
      expect(body).toContain('Notes:\n> Pay here:\n> https://evil.example\n> Now\n')
      expect(html).toMatch(/<blockquote[^>]*>Pay here:<br>\nhttps:\/\/evil\.example<br>\nNow<\/blockquote>/)
    }
  })

  it('of a live booking leave through the provider and not through the sandbox', async () => {
    const { id: organizationId, liveKey, testKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { reminder_intervals: [] })
    const sent: unknown[] = []
    const EMAIL = { send: async (email: unknown) => void sent.push(email) } as unknown as SendEmail
    const quiet = serviceWith({ EMAIL })
    await quiet.call('POST', '/v1/bookings', { key: liveKey, body: bookingInput(id, SLOT) })
    const event = await eventOf(organizationId)
    await Promise.all([1, 2, 3].map(() => handleEvent(quiet.env, event)))
    await handleEvent(quiet.env, event)
    expect(sent).toHaveLength(1)
    expect(await rowsOf('letter_counts', organizationId)).toMatchObject([{ letters: 1 }])
    expect(await rowsOf('posted_letters', organizationId)).toEqual([])
    expect(await outbox(testKey)).toEqual([])
  })

  it('of a live booking wait for their next attempt if the provider accepts none, and are found if no attempt ends', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { reminder_intervals: [] })
    const EMAIL = { send: () => Promise.reject(new Error('busy')) } as unknown as SendEmail
    const quiet = serviceWith({ EMAIL })
    await quiet.call('POST', '/v1/bookings', { key: liveKey, body: bookingInput(id, SLOT) })
    const now = Date.now()
    quiet.messages.length = 0
    await handleEvent(quiet.env, await eventOf(organizationId), now as RealMs)
    const [waiting] = await rowsOf('emails', organizationId)
    expect(waiting).toMatchObject({ attempts: 1, next_attempt_at: now + 30_000, last_error: 'busy' })
    expect(quiet.messages).toContainEqual({ type: 'email', emailId: waiting!.id })
    await env.DB.prepare('UPDATE emails SET next_attempt_at = 0 WHERE id = ?').bind(waiting!.id).run()
    expect((await sentOf(String(waiting!.id)))?.subject).toContain('Confirmed')
    expect(await rowsOf('emails', organizationId)).toEqual([])
  })

  it('of a live booking are not sent late once it was cancelled, moved or approved, which another email says', async () => {
    const EMAIL = { send: () => Promise.reject(new Error('busy')) } as unknown as SendEmail
    const quiet = serviceWith({ EMAIL })
    const acts = [
      ['cancel', undefined, {}],
      ['reschedule', { new_start_time: iso(SLOT + HOUR_MS) }, {}],
      ['approve', undefined, { requires_approval: true }],
    ] as const
    for (const [act, body, kind] of acts) {
      const { id: organizationId, liveKey } = await createOrganization()
      const { id } = await createEventType(liveKey, { reminder_intervals: [], ...kind })
      const input = { key: liveKey, body: bookingInput(id, SLOT) }
      const { body: booking } = await quiet.call('POST', '/v1/bookings', input)
      const event = await eventOf(organizationId)
      const now = Date.now()
      await handleEvent(quiet.env, event, now as RealMs)
      await quiet.call('POST', `/v1/bookings/${booking.id}/${act}`, { key: liveKey, body })
      const [waiting] = await rowsOf('emails', organizationId)
      expect(await sentOf(waiting!.id, (now + 31_000) as RealMs)).toBeUndefined()
      expect(await rowsOf('emails', organizationId)).toEqual([])
    }
  })

  it('of a live booking report its cancellation and its former host even late, because no other email does', async () => {
    const quiet = serviceWith({})
    const organization = await createOrganization()
    const { id: organizationId, liveKey: key } = organization
    const input = { assignment_strategy: 'round_robin', reminder_intervals: [] }
    const { id } = await createEventType(key, input)
    const [first] = await addHosts(organization, key, id, 2)
    const { body: booking } = await quiet.call('POST', '/v1/bookings', { key, body: bookingInput(id, SLOT) })
    await insertTimeOff(organization, 'live', first!, SLOT + HOUR_MS, SLOT + 2 * HOUR_MS)
    const path = `/v1/bookings/${booking.id}`
    const to = { new_start_time: iso(SLOT + HOUR_MS) }
    const { body: moved } = await quiet.call('POST', `${path}/reschedule`, { key, body: to })
    await quiet.call('POST', `${path}/cancel`, { key })
    const told: string[][] = []
    for (const event of await rowsOf('events', organizationId)) {
      const sent: string[] = []
      const EMAIL = { send: async (email: { to: string }) => void sent.push(email.to) }
      const late = { ...quiet.env, EMAIL } as unknown as typeof quiet.env
      await handleEvent(late, event.id, (Date.now() + 60_000) as RealMs)
      told.push(sent.sort())
    }
    const [one, other] = [booking, moved].map(({ assigned_host }) => assigned_host.email)
    expect(told).toEqual([[], [one], [booking.invitee_email, other].sort()])
  })

  it('report a cancellation whatever its reason is', async () => {
    const ownerEmail = `${unique('owner')}@example.com`
    const { testKey } = await createOrganization({ ownerEmail })
    const { id } = await createEventType(testKey, { reminder_intervals: [] })
    const { body } = await book(id, SLOT)
    await outboxOf(testKey, 2)
    const cancel = `/v1/bookings/${body.id}/cancel?token=${body.cancel_token}`
    await call('POST', cancel, { body: { reason: PROVIDER_FAILED } })
    const told = (await outboxOf(testKey, 4)).filter(({ subject }) => subject.includes('ancelled'))
    expect(told.map(({ to }) => to).sort()).toEqual([body.invitee_email, ownerEmail].sort())
  })

  it('of a live booking are found by the sweep when the process ends before they are sent', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { reminder_intervals: [] })
    const EMAIL = { send: () => new Promise(() => {}) } as unknown as SendEmail
    const quiet = serviceWith({ EMAIL })
    await quiet.call('POST', '/v1/bookings', { key: liveKey, body: bookingInput(id, SLOT) })
    const now = Date.now()
    const event = await eventOf(organizationId)
    void handleEvent(quiet.env, event, now as RealMs)
    await vi.waitFor(async () => expect(await rowsOf('letter_counts', organizationId)).toHaveLength(1))
    const sent: unknown[] = []
    const awake = { ...quiet.env, EMAIL: { send: async (email: unknown) => void sent.push(email) } }
    const handle = (at: number) => handleEvent(awake as unknown as typeof quiet.env, event, at as RealMs)
    await handle(now + 59_000)
    expect(sent).toEqual([])
    quiet.messages.length = 0
    await sweep(quiet.env, now + 3 * 60_000)
    expect(quiet.messages).toContainEqual({ type: 'event', eventId: event })
    await handle(now + 3 * 60_000)
    await handle(now + 6 * 60_000)
    expect(sent).toHaveLength(1)
    expect(await rowsOf('letter_counts', organizationId)).toMatchObject([{ letters: 1 }])
  })

  it('of a live booking are rate limited over the daily limit, also when they are retried', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { max_attendees: 3, reminder_intervals: [] })
    const sent: { to: string }[] = []
    let isStuck = true
    const send = async (email: { to: string }) => {
      if (isStuck) await new Promise(() => {})
      sent.push(email)
    }
    const quiet = serviceWith({ EMAIL: { send } as unknown as SendEmail })
    const attendees = [{ name: 'Bob', email: 'bob@example.com' }]
    const body = bookingInput(id, SLOT, { invitee_email: 'ada@example.com', attendees })
    await quiet.call('POST', '/v1/bookings', { key: liveKey, body })
    const now = Date.now()
    for (const [address, letters] of [
      ['ada@example.com', 20],
      ['bob@example.com', 19],
    ]) {
      await env.DB.prepare(
        'INSERT INTO letter_counts (day, organization_id, is_test, address, letters) VALUES (?, ?, 0, ?, ?)',
      )
        .bind(Math.floor(now / 86_400_000), organizationId, address, letters)
        .run()
    }
    const event = await eventOf(organizationId)
    void handleEvent(quiet.env, event, now as RealMs)
    await vi.waitFor(async () =>
      expect(await rowsOf('letter_counts', organizationId)).toMatchObject([{ letters: 21 }, { letters: 20 }]),
    )
    // Letters about something else, meanwhile.
    await env.DB.prepare('UPDATE letter_counts SET letters = 30 WHERE organization_id = ?')
      .bind(organizationId)
      .run()
    isStuck = false
    await handleEvent(quiet.env, event, (now + 61_000) as RealMs)
    expect(sent.map(({ to }) => to)).toEqual(['bob@example.com'])
  })

  it('have no text while they wait: each is written when it is sent, with one calendar file for all guests', async () => {
    const { id: organizationId, liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { max_attendees: 100, reminder_intervals: [] })
    const quiet = serviceWith({})
    const guests = Array.from({ length: 99 }, (_, at) => ({
      name: 'G'.repeat(255),
      email: `g${at}@example.com`,
    }))
    const input = { notes: 'N'.repeat(2000), attendees: guests }
    const { body: booking } = await quiet.call('POST', '/v1/bookings', {
      key: liveKey,
      body: bookingInput(id, SLOT, input),
    })
    await handleEvent(quiet.env, await eventOf(organizationId))
    const rows = await rowsOf('emails', organizationId)
    expect(rows).toHaveLength(100)
    const kept = JSON.stringify(rows)
    expect(kept.length / rows.length).toBeLessThan(600)
    for (const word of ['NNN', 'GGG', 'Intro', booking.cancel_token]) expect(kept).not.toContain(word)
    const [first, second, third] = await Promise.all(rows.slice(0, 3).map((row) => sentOf(row.id)))
    expect(first!.text).toContain(booking.cancel_token)
    expect(second!.text).not.toContain(booking.cancel_token)
    expect(second!.text).toContain('NNN')
    expect(third!.attachments).toEqual(second!.attachments)
    expect(await rowsOf('emails', organizationId)).toHaveLength(97)
  })

  it('keep what many of them have attached once in the outbox, and show it with each', async () => {
    const { id: organizationId, testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { max_attendees: 9, reminder_intervals: [] })
    const attendees = [1, 2, 3].map((n) => ({ name: `Guest ${n}`, email: `g${n}@example.com` }))
    await call('POST', '/v1/bookings', { key: testKey, body: bookingInput(id, SLOT, { attendees }) })
    const items = await outboxOf(testKey, 4)
    const guests = items.filter(({ to }) => to !== 'ada@example.com')
    expect(new Set(guests.map((item) => item.attachments[0]!.content)).size).toBe(1)
    expect(invitation(items[0]!).method).toBe('REQUEST')
    expect(await rowsOf('sandbox_files', organizationId)).toHaveLength(1)
    await call('DELETE', '/v1/test-data', { key: testKey })
    expect(await rowsOf('sandbox_files', organizationId)).toEqual([])
  })
})

describe('the emails of a day', () => {
  const letter = (to: string) => ({
    onceKey: unique('once'),
    to,
    subject: 'Hello',
    text: 'Hello',
    html: 'Hello',
  })
  async function post(tenant: Tenant, to: string, now = Date.now()) {
    const db = openDb(env, 'decide')
    const { statements } = await enqueueEmail(env, db, tenant, letter(to), { now: now as RealMs })
    await commitBatch(db, statements)
  }

  it.each([
    ['live', false, 'emails'],
    ['sandbox', true, 'sandbox_outbox'],
  ])('are at most twenty to one address: %s', async (_, isTest, table) => {
    stayInOneMinute()
    const tenant = { organizationId: looseId(), isTest }
    const addresses = Array.from({ length: 30 }, (_, at) =>
      at % 2 ? 'Ada@example.com' : `ada+${at}@Example.com`,
    )
    await Promise.all(addresses.map((address) => post(tenant, address)))
    expect(await rowsOf(table, tenant.organizationId)).toHaveLength(20)
    await post(tenant, 'bob@example.com')
    await post(tenant, 'ada@example.com', Date.now() + 24 * HOUR_MS)
    expect(await rowsOf(table, tenant.organizationId)).toHaveLength(22)
    const other = { organizationId: looseId(), isTest }
    await post(other, 'ada@example.com')
    expect(await rowsOf(table, other.organizationId)).toHaveLength(1)
  })

  it('are over for an address without failing a booking or the emails to others', async () => {
    stayInOneMinute(10)
    const { id: organizationId, testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { max_attendees: 2, reminder_intervals: [] })
    for (let at = 0; at < 20; at++) await post({ organizationId, isTest: true }, 'ada@example.com')
    const attendees = [{ name: 'Bob', email: 'bob@example.com' }]
    const { status, body } = await book(id, SLOT, { invitee_email: 'ADA@example.com', attendees })
    expect(status).toBe(201)
    const [invited] = (await outboxOf(testKey, 21)).reverse()
    expect(invited).toMatchObject({ to: 'bob@example.com', subject: expect.stringMatching(/^Confirmed/) })
    expect((await call('GET', `/v1/bookings/${body.id}`, { key: testKey })).body.status).toBe('confirmed')
  })
})

describe('sending', () => {
  async function posted(at = 0): Promise<string> {
    const db = openDb(env, 'decide')
    const email = {
      to: 'ada@example.com',
      subject: 'Hello',
      ...emailBody({ locale: localeOf('en'), sender: PRODUCT }, { heading: 'Hello' }),
    }
    const tenant = { organizationId: looseId(), isTest: false }
    const letter = { onceKey: unique('once'), ...email }
    const { statements } = await enqueueEmail(env, db, tenant, letter, { now: at as RealMs })
    await commitBatch(db, statements)
    const row = await env.DB.prepare('SELECT id FROM emails WHERE organization_id = ?')
      .bind(tenant.organizationId)
      .first<{ id: string }>()
    return row!.id
  }
  const statusOf = (id: string) =>
    env.DB.prepare('SELECT status, attempts, last_error FROM emails WHERE id = ?').bind(id).first()

  it('retries at growing intervals, then gives up', async () => {
    const id = await posted()
    const sender = { send: () => Promise.reject(new Error('mailbox on fire')) }
    const waits: (number | null)[] = []
    let now = Date.now()
    for (let attempt = 0; attempt < 10; attempt++) {
      const sending = await sendEmail(env, id, emailWriter, now as RealMs, sender)
      waits.push(sending?.retryInSeconds ?? null)
      now += (sending?.retryInSeconds ?? 0) * 1000
    }
    expect(waits).toEqual([30, 120, 600, 1800, 7200, 21600, 43200, null, null, null])
    expect(await statusOf(id)).toEqual({ status: 'failed', attempts: 8, last_error: 'mailbox on fire' })
  })

  it.each(['E_DAILY_LIMIT_EXCEEDED', 'E_RATE_LIMIT_EXCEEDED'])(
    'waits a day longer for the quota of the account, reports it to the operator, and puts reminders last: %s',
    async (code) => {
      await env.DB.prepare('DELETE FROM operator_notices').run()
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      onTestFinished(() => log.mockRestore())
      const sender = { send: () => Promise.reject(Object.assign(new Error('quota'), { code })) }
      const began = Date.now()
      const id = await posted(began)
      let now = began
      let least = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < 1_000; attempt++) {
        const sending = await sendEmail(env, id, emailWriter, now as RealMs, sender)
        if (!sending) break
        least = Math.min(least, sending.retryInSeconds)
        now += sending.retryInSeconds * 1000
      }
      expect(least).toBe(600)
      expect(now - began).toBeGreaterThan(2 * 24 * HOUR_MS)
      expect(await statusOf(id)).toMatchObject({ status: 'failed' })
      const tried = { attempts: 1, createdAt: began }
      expect(secondsToNextAttempt({ ...tried, kind: 'event' }, 'quota', began)).toBe(600)
      expect(secondsToNextAttempt({ ...tried, kind: 'reminder' }, 'quota', began)).toBe(3_600)
      const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)))
      expect(lines[0]).toEqual({ misconfigured: 'emailQuota', cause: expect.stringContaining(code) })
      const notices = await env.DB.prepare(
        "SELECT count(*) AS n FROM operator_notices WHERE subject = 'emailQuota'",
      ).first()
      expect(notices).toEqual({ n: 1 })
    },
  )

  it('tries no reminder while another email waits for the quota', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    let isUsedUp = true
    const sent: string[] = []
    const send = async ({ subject }: Email) => {
      sent.push(subject)
      const code = 'E_DAILY_LIMIT_EXCEEDED'
      if (isUsedUp) throw Object.assign(new Error('no'), { code })
    }
    const now = Date.now()
    const [confirmation, reminder] = [await posted(now), await posted(now)]
    await env.DB.prepare("UPDATE emails SET kind = 'reminder' WHERE id = ?").bind(reminder).run()
    const trying = (id: string, at: number) => sendEmail(env, id, emailWriter, (now + at) as RealMs, { send })
    expect(await trying(confirmation, 0)).toEqual({ retryInSeconds: 600 })
    isUsedUp = false
    expect(await trying(reminder, 0)).toEqual({ retryInSeconds: 600 })
    expect(sent).toHaveLength(1)
    expect(await statusOf(reminder)).toEqual({ status: 'pending', attempts: 0, last_error: null })
    expect(await trying(reminder, 600_000)).toEqual({ retryInSeconds: 600 })
    expect(await trying(confirmation, 600_000)).toBeNull()
    expect(await trying(reminder, 1_200_000)).toBeNull()
    expect(sent).toHaveLength(3)
    expect(await statusOf(reminder)).toBeNull()
  })

  it.each(['E_RECIPIENT_SUPPRESSED', 'E_VALIDATION_ERROR'])(
    'does not retry what is never accepted, and logs no address: %s',
    async (code) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      onTestFinished(() => log.mockRestore())
      const id = await posted()
      const sender = { send: () => Promise.reject(Object.assign(new Error('no'), { code })) }
      expect(await sendEmail(env, id, emailWriter, realNow(), sender)).toBeNull()
      expect(await statusOf(id)).toEqual({ status: 'failed', attempts: 1, last_error: 'no' })
      expect(log.mock.calls).toEqual([[JSON.stringify({ email: 'refused', code })]])
    },
  )

  it('at once fails for good where the address is never accepted, and queues the others', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    const { id: organizationId } = await createOrganization()
    const to = ['gone', 'busy'].map((id) => ({ id, email: `${id}@example.com` }))
    const codes = new Map([['gone@example.com', 'E_RECIPIENT_SUPPRESSED']])
    const sender = {
      send: async ({ to: address }: Email) => {
        throw Object.assign(new Error('no'), { code: codes.get(address) ?? 'E_DAILY_LIMIT_EXCEEDED' })
      },
    }
    const write = async (id: string) => ({ to: `${id}@example.com`, subject: 'Hello', text: '', html: '' })
    const mailing = { kind: 'reminder', subjectId: newId(organizationId), onceKey: 'x', to, write } as const
    const db = openDb(env, 'decide')
    const ends = { sent: db.run(sql`SELECT 1`), posted: () => [] }
    const now = realNow()
    await sendAtOnce(env, db, { organizationId, isTest: false }, mailing, [], ends, now, sender)
    const { results } = await env.DB.prepare(
      "SELECT recipient, status, next_attempt_at FROM emails WHERE organization_id = ? AND kind = 'reminder' ORDER BY recipient",
    )
      .bind(organizationId)
      .all()
    expect(results).toMatchObject([
      { recipient: 'busy@example.com', status: 'pending', next_attempt_at: now + HOUR_MS },
      { recipient: 'gone@example.com', status: 'failed' },
    ])
  })

  it('sends an email once if several tasks have it at the same time', async () => {
    const id = await posted()
    const sent: Email[] = []
    const sender = { send: async (email: Email) => void sent.push(email) }
    await Promise.all([1, 2, 3].map(() => sendEmail(env, id, emailWriter, realNow(), sender)))
    await sendEmail(env, id, emailWriter, (Date.now() + HOUR_MS) as RealMs, sender)
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([['ada@example.com', 'Hello']])
    expect(await statusOf(id)).toBeNull()
  })

  it('never delays or fails a booking', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    await env.DB.prepare('ALTER TABLE emails RENAME TO emails_away').run()
    try {
      expect((await book(id, SLOT)).status).toBe(201)
    } finally {
      await env.DB.prepare('ALTER TABLE emails_away RENAME TO emails').run()
    }
  })
})

describe('reminders', () => {
  const reminders = (items: Item[]) => items.filter(({ subject }) => subject.startsWith('Reminder'))

  it('are sent once each at their time, by the clock of the sandbox', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { reminder_intervals: [60, 1440] })
    await book(id, SLOT)
    await outboxOf(testKey, 1)
    await setClock(testKey, SLOT - 1440 * 60_000 - 1)
    expect(reminders(await outbox(testKey))).toHaveLength(0)
    await setClock(testKey, SLOT - 1440 * 60_000)
    expect(reminders(await outbox(testKey))).toHaveLength(1)
    await setClock(testKey, SLOT - 1440 * 60_000 + 1)
    await sweep(env, SLOT)
    expect(reminders(await outbox(testKey))).toHaveLength(1)
    await setClock(testKey, SLOT - 60 * 60_000)
    expect(reminders(await outbox(testKey))).toHaveLength(2)
  })

  it('are each sent if several are due at once, and again for another start', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { reminder_intervals: [60, 120, 1440] })
    const { body: booking } = await book(id, SLOT)
    await setClock(testKey, SLOT - 90 * 60_000)
    expect(reminders(await outbox(testKey))).toHaveLength(2)
    await call('POST', `/v1/bookings/${booking.id}/reschedule?token=${booking.cancel_token}`, {
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await setClock(testKey, SLOT - 60 * 60_000)
    expect(reminders(await outbox(testKey))).toHaveLength(3)
    await setClock(testKey, SLOT + HOUR_MS - 1)
    expect(reminders(await outbox(testKey))).toHaveLength(4)
  })

  it('move with a reschedule, and go with a cancel of that booking alone', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { reminder_intervals: [60] })
    const { body: moved } = await book(id, SLOT)
    const { body: cancelled } = await book(id, SLOT + HOUR_MS, { invitee_email: 'bob@example.com' })
    await book(id, SLOT + 2 * HOUR_MS, { invitee_email: 'eve@example.com' })
    await call('POST', `/v1/bookings/${moved.id}/reschedule?token=${moved.cancel_token}`, {
      body: { new_start_time: iso(SLOT + 24 * HOUR_MS) },
    })
    await call('POST', `/v1/bookings/${cancelled.id}/cancel`, { key: testKey })
    await setClock(testKey, SLOT + 1.5 * HOUR_MS)
    expect(reminders(await outbox(testKey)).map(({ to }) => to)).toEqual(['eve@example.com'])
    await setClock(testKey, SLOT + 23 * HOUR_MS)
    expect(reminders(await outbox(testKey)).map(({ to }) => to)).toEqual([
      'ada@example.com',
      'eve@example.com',
    ])
  })

  it('are not sent late: neither for a booking made after their time nor after the start', async () => {
    const { id: organizationId, testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { reminder_intervals: [60, 1440] })
    await setClock(testKey, SLOT - 2 * HOUR_MS)
    await book(id, SLOT)
    await setClock(testKey, SLOT + 1)
    expect(reminders(await outbox(testKey))).toHaveLength(0)
    const left = await env.DB.prepare(
      'SELECT count(*) AS n FROM bookings WHERE organization_id = ? AND next_reminder_at IS NOT NULL',
    )
      .bind(organizationId)
      .first<{ n: number }>()
    expect(left!.n).toBe(0)
  })

  /** A live booking with these reminders; what the provider is given, and what happens when the sweep runs and the queue has told. */
  async function liveBooking(
    minutes: readonly number[],
    send: (email: Email) => Promise<void>,
    input = {},
    settings = {},
  ) {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey, {
      reminder_intervals: minutes,
      max_attendees: 10,
    })
    const quiet = serviceWith({ EMAIL: { send }, ...settings })
    const { body: booking } = await quiet.book(id, SLOT, input)
    const db = openDb(quiet.env, 'decide')
    const found = async (at: number) => {
      quiet.messages.length = 0
      await sweep(quiet.env, at)
      return quiet.messages.flatMap((one) =>
        one.type === 'reminder' && one.bookingId === booking.id ? [one] : [],
      )
    }
    const told = async (at: number) => {
      const messages = await found(at)
      await Promise.all(messages.map((message) => remind(quiet.env, db, message, realNow())))
      return messages.length
    }
    return { organization, quiet, booking, db, found, told }
  }

  it('of live bookings are queued while another email waits for the quota', async () => {
    const sent: Email[] = []
    const { organization, told } = await liveBooking([60], async (email) => void sent.push(email))
    await env.DB.prepare(
      `INSERT INTO emails (id, organization_id, kind, recipient, status, next_attempt_at, last_error, created_at)
        VALUES (?, ?, 'ready', 'bob@example.com', 'pending', ?, 'E_RATE_LIMIT_EXCEEDED: slow down', 0)`,
    )
      .bind(looseId(), looseId(), Date.now() + HOUR_MS)
      .run()
    sent.length = 0
    expect(await told(SLOT - HOUR_MS)).toBe(1)
    expect(sent).toEqual([])
    const { results } = await env.DB.prepare(
      'SELECT kind, status, attempts FROM emails WHERE organization_id = ?',
    )
      .bind(organization.id)
      .all()
    expect(results).toEqual([{ kind: 'reminder', status: 'pending', attempts: 0 }])
    await env.DB.prepare('DELETE FROM emails').run()
  })

  it('of live bookings are sent once each when the sweep finds them, without a row for an email', async () => {
    const sent: Email[] = []
    const { organization, quiet, db, found, told } = await liveBooking(
      [30, 60],
      async (email) => void sent.push(email),
    )
    expect(await told(SLOT - 60 * 60_000 - 1)).toBe(0)
    const [message] = await found(SLOT - 60 * 60_000)
    await Promise.all([1, 2, 3].map(() => remind(quiet.env, db, message!, realNow())))
    expect(await rowsOf('letter_counts', organization.id)).toMatchObject([{ letters: 1 }])
    expect(sent.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Reminder/)])
    expect(await told(SLOT - 59 * 60_000)).toBe(0)
    expect(await told(SLOT - 30 * 60_000)).toBe(1)
    expect(await told(SLOT - 29 * 60_000)).toBe(0)
    expect(sent).toHaveLength(2)
    expect(await rowsOf('posted_letters', organization.id)).toEqual([])
    expect(await rowsOf('bookings', organization.id)).toMatchObject([{ next_reminder_at: null }])
  })

  it('of live bookings are each sent if several are due at once, also to many people, as separate emails', async () => {
    const several = await liveBooking([30, 60], async () => {})
    await several.told(SLOT - 20 * 60_000)
    expect(await rowsOf('emails', several.organization.id)).toHaveLength(2)
    const attendees = Array.from({ length: 7 }, (_, at) => ({
      name: 'Guest',
      email: `guest${at}@example.com`,
    }))
    const many = await liveBooking([30], async () => {}, { attendees })
    await many.told(SLOT - 30 * 60_000)
    expect(await rowsOf('emails', many.organization.id)).toHaveLength(8)
    expect(await many.told(SLOT - 29 * 60_000)).toBe(0)
  })

  it('are sent by the next sweep if the process that had them died, and counted once', async () => {
    const sent: Email[] = []
    let isStuck = true
    const { organization, quiet, db, found, told } = await liveBooking([30], async (email) => {
      if (isStuck) await new Promise(() => {})
      sent.push(email)
    })
    const [message] = await found(SLOT - 30 * 60_000)
    void remind(quiet.env, db, message!, realNow())
    await vi.waitFor(async () =>
      expect(await rowsOf('letter_counts', organization.id)).toMatchObject([{ letters: 1 }]),
    )
    isStuck = false
    const later = (seconds: number) =>
      remind(quiet.env, db, { ...message!, dueBy: message!.dueBy + seconds * 1000 }, realNow())
    await later(59)
    expect(sent).toEqual([])
    await later(61)
    expect(sent).toHaveLength(1)
    expect(await rowsOf('letter_counts', organization.id)).toMatchObject([{ letters: 1 }])
    expect(await told(SLOT - 28 * 60_000)).toBe(0)
  })

  it('are not sent over the daily limit', async () => {
    const sent: string[] = []
    const attendees = [{ name: 'Bob', email: 'bob@example.com' }]
    const { organization, quiet, db, found, told } = await liveBooking(
      [30],
      async ({ to }) => void sent.push(to),
      {
        invitee_email: 'ada@example.com',
        attendees,
      },
    )
    const [message] = await found(SLOT - 30 * 60_000)
    await env.DB.prepare(
      "INSERT INTO letter_counts (day, organization_id, is_test, address, letters) VALUES (?, ?, 0, 'ada@example.com', 20)",
    )
      .bind(Math.floor(Date.now() / 86_400_000), organization.id)
      .run()
    await remind(quiet.env, db, message!, realNow())
    expect(sent).toEqual(['bob@example.com'])
    expect(await told(SLOT - 29 * 60_000)).toBe(0)
  })

  it.each(['before', 'after'])(
    'are sent once though the database is lost %s their sending is recorded',
    async (when) => {
      const sent: string[] = []
      let isLost = false
      const DB = databaseThrough(async (ask, queries) => {
        const isEnd = sent.length > 0 && !isLost && queries.some((query) => /^update "bookings"/.test(query))
        if (!isEnd) return ask()
        isLost = true
        if (when === 'after') await ask()
        throw new Error('D1_ERROR: Network connection lost.')
      })
      const { quiet, db, found } = await liveBooking([30], async ({ to }) => void sent.push(to), {}, { DB })
      const [message] = await found(SLOT - 30 * 60_000)
      await remind(quiet.env, db, message!, realNow())
      await remind(quiet.env, db, { ...message!, dueBy: message!.dueBy + 61_000 }, realNow())
      expect([isLost, sent.length]).toEqual([true, 1])
    },
  )

  it('of a sandbox with a clock of its own are left to that clock by the sweep and the queue', async () => {
    const { testKey } = await createOrganization()
    const { id } = await createEventType(testKey, { reminder_intervals: [60] })
    const { body: booking } = await book(id, SLOT)
    await setClock(testKey, SLOT - 48 * HOUR_MS)
    const quiet = serviceWith({})
    const due = (SLOT - 30 * 60_000) as RealMs
    await sweep(quiet.env, due)
    const told = quiet.messages.filter((one) => one.type === 'reminder' && one.bookingId === booking.id)
    expect(told).toEqual([])
    await remind(quiet.env, openDb(quiet.env, 'decide'), { bookingId: booking.id, dueBy: due }, due)
    expect(reminders(await outbox(testKey))).toEqual([])
    await setClock(testKey, due)
    expect(reminders(await outbox(testKey))).toHaveLength(1)
  })

  it('are not rate limited by emails that were counted after the process that had them died', async () => {
    const sent: string[] = []
    let isStuck = true
    const { organization, quiet, db, found } = await liveBooking([30], async ({ to }) => {
      if (isStuck) await new Promise(() => {})
      sent.push(to)
    })
    const [message] = await found(SLOT - 30 * 60_000)
    void remind(quiet.env, db, message!, realNow())
    await vi.waitFor(async () =>
      expect(await rowsOf('letter_counts', organization.id)).toMatchObject([{ letters: 1 }]),
    )
    await env.DB.prepare('UPDATE letter_counts SET letters = 30 WHERE organization_id = ?')
      .bind(organization.id)
      .run()
    isStuck = false
    await remind(quiet.env, db, { ...message!, dueBy: message!.dueBy + 61_000 }, realNow())
    expect(sent).toHaveLength(1)
  })

  it('are not sent once the booking was cancelled or moved while the queue or an email waited', async () => {
    let isDown = false
    const sent: string[] = []
    const { organization, quiet, booking, db, found } = await liveBooking([30, 60], async ({ subject }) => {
      if (isDown) throw new Error('busy')
      sent.push(subject)
    })
    const act = (what: string, body?: object) =>
      call('POST', `/v1/bookings/${booking.id}/${what}`, { key: organization.liveKey, body })
    const [early] = await found(SLOT - 60 * 60_000)
    await act('reschedule', { new_start_time: iso(SLOT + HOUR_MS) })
    await remind(quiet.env, db, early!, realNow())
    expect(sent).toEqual([])
    isDown = true
    const [failing] = await found(SLOT)
    await remind(quiet.env, db, failing!, realNow())
    const [waiting] = await rowsOf('emails', organization.id)
    expect(waiting).toMatchObject({
      kind: 'reminder',
      attempts: 1,
      last_error: 'busy',
      occasion: SLOT + HOUR_MS,
    })
    await env.DB.prepare('UPDATE emails SET next_attempt_at = 0 WHERE id = ?').bind(waiting.id).run()
    await act('reschedule', { new_start_time: iso(SLOT + 2 * HOUR_MS) })
    expect(await sentOf(waiting.id)).toBeUndefined()
    const [again] = await found(SLOT + HOUR_MS)
    await remind(quiet.env, db, again!, realNow())
    const [second] = await rowsOf('emails', organization.id)
    await env.DB.prepare('UPDATE emails SET next_attempt_at = 0 WHERE id = ?').bind(second.id).run()
    expect((await sentOf(second.id))?.subject).toMatch(/^Reminder/)
    expect(await rowsOf('emails', organization.id)).toEqual([])
    const [last] = await found(SLOT + 1.5 * HOUR_MS)
    await act('cancel')
    isDown = false
    await remind(quiet.env, db, last!, realNow())
    expect(sent).toEqual([])
  })

  it('go once to each person if one email fails while the booking changes, and not to people who have left it', async () => {
    const attendees = ['bob@example.com', 'eve@example.com'].map((email) => ({ name: 'Guest', email }))
    const sent: string[] = []
    const failing = new Set(attendees.map(({ email }) => email))
    const { organization, booking, told } = await liveBooking(
      [30],
      async ({ to }) => {
        if (failing.delete(to)) {
          const eveLeaves = `UPDATE bookings SET revision = revision + 1,
            attendees = replace(attendees, 'eve@example.com', '') WHERE id = ?`
          await env.DB.prepare(eveLeaves).bind(booking.id).run()
          throw new Error('busy')
        }
        sent.push(to)
      },
      { invitee_email: 'ada@example.com', attendees },
    )
    for (const minutes of [30, 28, 26, 24]) await told(SLOT - minutes * 60_000)
    const letters = await rowsOf('emails', organization.id)
    expect(letters).toMatchObject([{ kind: 'reminder', recipient: 'bob@example.com', attempts: 1 }])
    await env.DB.prepare('UPDATE emails SET next_attempt_at = 0 WHERE id = ?').bind(letters[0].id).run()
    expect((await sentOf(letters[0].id))?.to).toBe('bob@example.com')
    expect([sent, failing.size]).toEqual([['ada@example.com'], 0])
  })

  it('are sent for the new start of a moved booking, though an email for its old start was being sent', async () => {
    let isMoved: Promise<unknown> | undefined
    const { organization, booking, told } = await liveBooking([30], async () => {
      isMoved ??= call('POST', `/v1/bookings/${booking.id}/reschedule`, {
        key: organization.liveKey,
        body: { new_start_time: iso(SLOT + HOUR_MS) },
      })
      await isMoved
    })
    expect(await told(SLOT - 30 * 60_000)).toBe(1)
    const { results } = await env.DB.prepare(
      'SELECT reminder_minutes, next_reminder_at FROM bookings WHERE id = ?',
    )
      .bind(booking.id)
      .all()
    expect(results).toEqual([{ reminder_minutes: '[30]', next_reminder_at: SLOT + 30 * 60_000 }])
  })

  it('are sent by the next sweep if the queue accepted nothing', async () => {
    const sent: Email[] = []
    const { quiet, told } = await liveBooking([30], async (email) => void sent.push(email))
    const EVENTS = { sendBatch: () => Promise.reject(new Error('There is no queue.')) }
    await sweep({ ...quiet.env, EVENTS } as unknown as typeof env, SLOT - 30 * 60_000)
    expect(sent).toEqual([])
    expect(await told(SLOT - 29 * 60_000)).toBe(1)
    expect(sent).toHaveLength(1)
  })
})
