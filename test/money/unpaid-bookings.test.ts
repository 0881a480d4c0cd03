import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { emailWriter } from '../../src/delivery/emails/write-email.ts'
import { heldUntil, promotedUntil } from '../../src/money/payments/new-payment.ts'
import { settlePayment } from '../../src/money/payments/settle-payment.ts'
import { sendEmail } from '../../src/outbox/mail/send-email.ts'
import { type RealMs, realNow } from '../../src/platform/limits/clock.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { call } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
} from '../support/factories.ts'
import { createPaid } from '../support/payments.ts'
import { serviceWith } from '../support/service-with.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const SETTLED = { timeout: 20_000, interval: 100 }

async function createSandbox(input: Record<string, unknown> = {}) {
  const key = (await createOrganization()).testKey
  const { id } = await createEventType(key, { price_amount: 4_900, price_currency: 'eur', ...input })
  const setClock = (at: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(at) } })
  const lettersTo = async (to: string): Promise<any[]> => {
    const { body } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
    return body.data.filter((item: any) => item.channel === 'email' && item.to === to)
  }
  return { key, eventTypeId: id as string, setClock, lettersTo }
}

async function oneLetter(lettersTo: (to: string) => Promise<any[]>, to: string): Promise<any> {
  await vi.waitFor(async () => expect(await lettersTo(to)).toHaveLength(1), SETTLED)
  return (await lettersTo(to))[0]
}

describe('a booking that waits for its payment', () => {
  it('sends its invitee alone an email saying where to pay, how much and until when', async () => {
    const { eventTypeId, setClock, lettersTo, key } = await createSandbox({ max_attendees: 3 })
    await setClock(SLOT - 48 * HOUR_MS)
    const attendees = [{ name: 'Guest', email: 'guest@example.com' }]
    const { body } = await book(eventTypeId, SLOT, { attendees })
    const letter = await oneLetter(lettersTo, 'ada@example.com')
    expect(letter.subject).toMatch(/^Payment is due: Intro call, /)
    expect(letter.body).toContain('Price:\n€98.00')
    expect(letter.body).toMatch(/Your time is reserved until .* at 10:30\sAM UTC\. Pay by then/)
    expect(letter.body).toMatch(new RegExp(`Pay or cancel:\nhttp.*/bookings/${body.id}\\?token=`))
    expect(letter.attachments).toEqual([])
    await call('POST', `/v1/test-data/payments/${body.payment.id}/succeed`, { key })
    await vi.waitFor(async () => expect(await lettersTo('ada@example.com')).toHaveLength(2), SETTLED)
    await vi.waitFor(async () => expect(await lettersTo('guest@example.com')).toHaveLength(1), SETTLED)
    const told = (await lettersTo('ada@example.com')).map(({ subject }) => subject.split(':')[0])
    expect(told).toEqual(['Confirmed', 'Payment is due'])
  })

  it('asks for the payment once it can be made, however long the provider has taken', async () => {
    const { eventTypeId } = await createPaid()
    const sent: { subject: string }[] = []
    const EMAIL = { send: async (email: { subject: string }) => void sent.push(email) }
    const quiet = serviceWith({ EMAIL })
    const { body } = await quiet.call('POST', '/v1/bookings', { body: bookingInput(eventTypeId, SLOT) })
    // As if the process had died before it asked the provider.
    const forget = 'UPDATE payments SET intent_id = NULL, next_attempt_at = 0 WHERE booking_id = ?'
    await env.DB.prepare(forget).bind(body.id).run()
    const event = quiet.messages.find((message) => message.type === 'event')!
    const later = (minutes: number) => (Date.now() + minutes * MINUTE_MS) as RealMs
    expect(await handleEvent(quiet.env, event.eventId, later(0.5))).toEqual({ retryInSeconds: 5 })
    expect(await handleEvent(quiet.env, event.eventId, later(5))).toBeNull()
    quiet.messages.length = 0
    await settlePayment(quiet.env, body.payment.id, later(6))
    expect(quiet.messages).toContainEqual(event)
    expect(sent).toEqual([])
    await handleEvent(quiet.env, event.eventId, later(6))
    await handleEvent(quiet.env, event.eventId, later(7))
    expect(sent.map(({ subject }) => subject.split(':')[0])).toEqual(['Payment is due'])
  })

  it('sends no request to pay if it is paid or given up by the time the email would be written', async () => {
    const { eventTypeId, key, lettersTo } = await createSandbox()
    const { body } = await book(eventTypeId, SLOT)
    const event = "SELECT id FROM events WHERE data ->> '$.id' = ? AND kind = 'booking.created'"
    const id = (await env.DB.prepare(event).bind(body.id).first<string>('id'))!
    await oneLetter(lettersTo, 'ada@example.com')
    await call('POST', `/v1/test-data/payments/${body.payment.id}/succeed`, { key })
    await vi.waitFor(async () => expect(await lettersTo('ada@example.com')).toHaveLength(2), SETTLED)
    await env.DB.prepare('UPDATE events SET handled_at = NULL WHERE id = ?').bind(id).run()
    await env.DB.prepare('DELETE FROM sandbox_outbox').run()
    await handleEvent(env, id, Date.now() as RealMs)
    expect(await lettersTo('ada@example.com')).toEqual([])
  })

  it('sends no request to pay if a payment is under way by then, also after a promotion or an approval', async () => {
    const offer = { delayed_payment_methods: true, waitlist_enabled: true }
    const { eventTypeId, key, lettersTo } = await createSandbox(offer)
    const { body: first } = await book(eventTypeId, SLOT)
    const waits = { invitee_email: 'second@example.com' }
    await call('POST', '/v1/waitlist', { body: bookingInput(eventTypeId, SLOT, waits) })
    await call('POST', `/v1/bookings/${first.id}/cancel`, { key })
    const { body: third } = await book(eventTypeId, SLOT + HOUR_MS, { invitee_email: 'third@example.com' })
    const second = (await call('GET', '/v1/bookings?invitee_email=second@example.com', { key })).body.data[0]
    await vi.waitFor(async () => expect(await lettersTo('second@example.com')).toHaveLength(2), SETTLED)
    await oneLetter(lettersTo, 'third@example.com')
    for (const { payment } of [second, third])
      await call('POST', `/v1/test-data/payments/${payment.id}/process`, { key })
    await env.DB.prepare('DELETE FROM sandbox_outbox').run()
    const told = `SELECT id FROM events WHERE kind IN ('booking.created', 'waitlist.promoted')
      AND (data ->> '$.id' IN (?1, ?2) OR data ->> '$.promoted_booking_id' = ?1)`
    const { results } = await env.DB.prepare(told).bind(second.id, third.id).all<{ id: string }>()
    expect(results).toHaveLength(3)
    for (const { id } of results) {
      await env.DB.prepare('UPDATE events SET handled_at = NULL WHERE id = ?').bind(id).run()
      await handleEvent(env, id, Date.now() as RealMs)
    }
    expect([await lettersTo('second@example.com'), await lettersTo('third@example.com')]).toEqual([[], []])

    const live = await createPaid({ requires_approval: true })
    const sent: { subject: string }[] = []
    const EMAIL = { send: async (email: { subject: string }) => void sent.push(email) }
    const quiet = serviceWith({ EMAIL })
    const { body: asked } = await book(live.eventTypeId, SLOT)
    await quiet.call('POST', `/v1/bookings/${asked.id}/approve`, { key: live.key })
    const letter = quiet.messages.find((message) => message.type === 'email')!
    await env.DB.prepare("UPDATE payments SET status = 'processing' WHERE booking_id = ?")
      .bind(asked.id)
      .run()
    const tell = "UPDATE bookings SET payment = json_set(payment, '$.status', 'processing') WHERE id = ?"
    await env.DB.prepare(tell).bind(asked.id).run()
    await sendEmail(quiet.env, letter.emailId, emailWriter, realNow())
    expect(sent).toEqual([])
  })

  it('says in the cancellation email what is refunded', async () => {
    const refund_policy = [{ until_minutes_before: 0, percent: 50 }]
    const { eventTypeId, key, lettersTo } = await createSandbox({ refund_policy })
    const { body } = await book(eventTypeId, SLOT)
    await call('POST', `/v1/test-data/payments/${body.payment.id}/succeed`, { key })
    await call('POST', `/v1/bookings/${body.id}/cancel?token=${body.cancel_token}`)
    await vi.waitFor(async () => {
      const [last] = await lettersTo('ada@example.com')
      expect([last.subject.split(':')[0], last.body]).toEqual([
        'Cancelled',
        expect.stringContaining('€24.50 is refunded to you.'),
      ])
    }, SETTLED)
  })
})

describe('a waitlist entry promoted to a paid booking', () => {
  it('has twelve hours or until an hour before the start, but half an hour, and never beyond the start', () => {
    const now = SLOT - 48 * HOUR_MS
    const left = (before: number) => promotedUntil(SLOT - before, SLOT) - (SLOT - before)
    expect(promotedUntil(now, SLOT)).toBe(now + 12 * HOUR_MS)
    expect(left(13 * HOUR_MS)).toBe(12 * HOUR_MS)
    expect(left(5 * HOUR_MS)).toBe(4 * HOUR_MS)
    expect(left(90 * MINUTE_MS)).toBe(30 * MINUTE_MS)
    expect(left(70 * MINUTE_MS)).toBe(30 * MINUTE_MS)
    expect(left(20 * MINUTE_MS)).toBe(20 * MINUTE_MS)
    expect(heldUntil(now)).toBe(now + 30 * MINUTE_MS)
  })

  it('gets one email about it, with the deadline, and keeps the time until then', async () => {
    const { eventTypeId, key, setClock, lettersTo } = await createSandbox({ waitlist_enabled: true })
    await setClock(SLOT - 48 * HOUR_MS)
    const first = await book(eventTypeId, SLOT)
    const waits = { invitee_email: 'second@example.com', invitee_timezone: 'Europe/Berlin' }
    await call('POST', '/v1/waitlist', { body: bookingInput(eventTypeId, SLOT, waits) })
    await setClock(SLOT - 8 * HOUR_MS)
    await call('POST', `/v1/bookings/${first.body.id}/cancel`, { key, body: {} })
    await vi.waitFor(async () => expect(await lettersTo('second@example.com')).toHaveLength(2), SETTLED)
    const [letter] = await lettersTo('second@example.com')
    const start = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'Europe/Berlin' })
    const until = start.format(SLOT - HOUR_MS).replace(/\s/g, '.')
    expect(letter.body).toMatch(new RegExp(`reserved for you until .* ${until} GMT\\+[12]\\. Pay by then`))
    const query = '/v1/bookings?invitee_email=second@example.com'
    const second = (await call('GET', query, { key })).body.data[0]
    const shown = await call('GET', `/v1/bookings/${second.id}/payment`, { key })
    expect(shown.body.expires_at).toBe(iso(SLOT - HOUR_MS))
    await setClock(SLOT - HOUR_MS - 1)
    expect((await call('GET', query, { key })).body.data[0].status).toBe('pending_payment')
    await setClock(SLOT - HOUR_MS)
    expect((await call('GET', query, { key })).body.data[0].status).toBe('cancelled')
    const told = (await lettersTo('second@example.com')).map(({ subject }) => subject.split(':')[0])
    expect(told).not.toContain('Payment is due')
  })
})
