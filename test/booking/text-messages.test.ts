import { env, exports } from 'cloudflare:workers'
import { describe, expect, inject, it, vi } from 'vitest'
import { countSegments } from '../../src/booking/text-messages/count-segments.ts'
import { afterQuiet, beforeQuiet } from '../../src/booking/text-messages/quiet-hours.ts'
import { sendText } from '../../src/booking/text-messages/send-text.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call, callAsService } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { formOf } from '../support/pages.ts'
import { serviceWith } from '../support/service-with.ts'
import { twilioSignature } from '../support/text-messages.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 15 * HOUR_MS
const BY_TEXT = { reminder_channels: ['email', 'sms'], reminder_intervals: [60] }
let numbers = 0
/** A number of its own for each test, because opting out is for all organizations. */
const newNumber = () => `+49309018${String(1000 + ++numbers)}`

function openDouble(settings: Record<string, unknown> = {}) {
  const base = `${inject('worlds')}/twilio/${crypto.randomUUID()}`
  const service = serviceWith({
    TWILIO_ACCOUNT_SID: `AC${'d0'.repeat(16)}`,
    TWILIO_AUTH_TOKEN: 'double-auth-token-of-32-letters1',
    TWILIO_API_BASE: base,
    EMAIL: { send: async () => {} },
    ...settings,
  })
  const control = async (path = '', body?: unknown) => {
    const method = body === undefined ? 'GET' : 'PUT'
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${base}/control${path}`, { method, ...init })
    return answer.json().catch(() => null) as Promise<any>
  }
  return { ...service, control, sent: async () => (await control()).messages as any[] }
}

async function textsOf(bookingId: string) {
  const { results } = await env.DB.prepare(
    'SELECT * FROM text_messages WHERE booking_id = ? ORDER BY next_attempt_at, id',
  )
    .bind(bookingId)
    .all<any>()
  return results
}

/** A live booking whose event was handled. */
async function booked(
  double: ReturnType<typeof openDouble>,
  { number = newNumber(), plan = {}, start = SLOT, ...input }: Record<string, any> = {},
) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, { ...BY_TEXT, ...plan })
  const given = { invitee_phone: number, sms_consent: true, invitee_timezone: 'UTC', ...input }
  const { body: booking, status } = await double.book(id, start, given)
  expect(status).toBe(201)
  const handled = () => handleAll(double)
  await handled()
  return { organization, booking, number, handled, eventTypeId: id }
}

async function handleAll({ env: own, messages }: ReturnType<typeof openDouble>) {
  for (const message of messages.splice(0)) {
    if (message.type === 'event') await handleEvent(own, message.eventId)
  }
}

/** As the sweep and the queue do it then. */
async function sendDue(double: ReturnType<typeof openDouble>, at: number) {
  double.messages.length = 0
  await sweep(double.env, at)
  const due = double.messages.flatMap((one) => (one.type === 'text' ? [one.textId] : []))
  for (const id of due) await sendText(double.env, id, at as RealMs)
  return due.length
}

describe('the channels of an event type', () => {
  it('are email unless it says so, and text messages never come alone or without a provider', async () => {
    const { liveKey: key } = await createOrganization()
    const { id, reminder_channels } = await createEventType(key)
    expect(reminder_channels).toEqual(['email'])
    const patch = (channels: unknown, service: { call: typeof call } = { call }) =>
      service.call('PATCH', `/v1/event-types/${id}`, { key, body: { reminder_channels: channels } })
    for (const wrong of [['sms'], [], ['email', 'email'], ['email', 'fax'], 'email']) {
      const { status, body } = await patch(wrong)
      const [field] = Object.keys(body.error.details)
      expect([status, field!.split('.')[0]]).toEqual([400, 'reminder_channels'])
    }
    const without = serviceWith({ TWILIO_FROM: '' })
    const refused = await patch(['email', 'sms'], without)
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      { reminder_channels: 'Must not contain sms: this deployment sends no text messages.' },
    ])
    expect((await patch(['email', 'sms'])).body.reminder_channels).toEqual(['email', 'sms'])
    const made = await without.call('POST', '/v1/event-types', {
      key,
      body: { title: 'A', slug: 'by-text', duration_minutes: 30, ...BY_TEXT },
    })
    expect([made.status, Object.keys(made.body.error.details)]).toEqual([400, ['reminder_channels']])
  })
})

describe('quiet hours', () => {
  const at = (text: string) => Date.parse(text)
  it('are from 21:00 to 8:00 where the invitee is, also across a clock change', () => {
    expect(beforeQuiet(at('2027-03-10T20:59:00Z'), 'UTC')).toBe(at('2027-03-10T20:59:00Z'))
    expect(beforeQuiet(at('2027-03-10T21:00:00Z'), 'UTC')).toBe(at('2027-03-10T20:55:00Z'))
    expect(beforeQuiet(at('2027-03-11T07:59:00Z'), 'UTC')).toBe(at('2027-03-10T20:55:00Z'))
    expect(beforeQuiet(at('2027-03-11T08:00:00Z'), 'UTC')).toBe(at('2027-03-11T08:00:00Z'))
    // Berlin goes from UTC+1 to UTC+2 in that night.
    expect(beforeQuiet(at('2027-03-28T05:00:00Z'), 'Europe/Berlin')).toBe(at('2027-03-27T19:55:00Z'))
    expect(afterQuiet(at('2027-03-27T21:00:00Z'), 'Europe/Berlin')).toBe(at('2027-03-28T06:00:00Z'))
    expect(afterQuiet(at('2027-03-11T07:59:00Z'), 'UTC')).toBe(at('2027-03-11T08:00:00Z'))
    expect(afterQuiet(at('2027-03-11T12:00:00Z'), 'UTC')).toBe(at('2027-03-11T12:00:00Z'))
  })
})

describe('segments', () => {
  it.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    ['ب'.repeat(70), 1],
    ['ب'.repeat(71), 2],
    [`${'a'.repeat(134)}ç`, 3],
  ])('of a text are counted by its alphabet (%#)', (text, segments) => {
    expect(countSegments(text)).toBe(segments)
  })
})

describe('a text message', () => {
  it('reminds an invitee who agreed, once, in their language, and is reported on', async () => {
    const double = openDouble()
    const { booking, number } = await booked(double, { locale: 'de', invitee_timezone: 'Europe/Berlin' })
    expect(await sendDue(double, SLOT - HOUR_MS - 1)).toBe(0)
    expect(await sendDue(double, SLOT - HOUR_MS)).toBe(1)
    const [text] = await textsOf(booking.id)
    const [message, ...others] = await double.sent()
    expect([message.to, message.from, others]).toEqual([number, '+15005550006', []])
    expect(message.body).toMatch(/^Acme-.*: Erinnerung an Intro call, .*16:00.*\. Abmelden mit STOP\.$/)
    expect(text).toMatchObject({ status: 'sent', provider_id: message.sid, segments: 1, attempts: 1 })
    expect(await sendDue(double, SLOT - HOUR_MS + MINUTE_MS)).toBe(0)
    expect(JSON.stringify(text)).not.toContain(number)
  })

  it.each([
    ['the invitee did not agree', { sms_consent: false }],
    ['nothing was said without a key', { sms_consent: undefined }],
    ['there is no number', { number: null }],
    ['the event type sends emails only', { plan: { reminder_channels: ['email'] } }],
  ])('is not planned if %s', async (_, how) => {
    const double = openDouble()
    const { booking } = await booked(double, how)
    expect(await textsOf(booking.id)).toEqual([])
  })

  it('is sent to those whom an organization books, unless it says that they did not agree', async () => {
    const double = openDouble()
    const { organization, eventTypeId } = await booked(double)
    const book = async (start: number, input: Record<string, unknown>) => {
      const body = { event_type_id: eventTypeId, start_time: iso(start), invitee_name: 'Bo', ...input }
      const answer = await double.call('POST', '/v1/bookings', { key: organization.liveKey, body })
      await handleAll(double)
      const path = `/v1/bookings/${answer.body.id}`
      const { body: read } = await double.call('GET', path, { key: organization.liveKey })
      return [read.sms_consent, (await textsOf(answer.body.id)).length]
    }
    const phone = { invitee_email: 'bo@example.com', invitee_phone: newNumber() }
    expect(await book(SLOT + 2 * HOUR_MS, phone)).toEqual([true, 1])
    expect(await book(SLOT + 4 * HOUR_MS, { ...phone, sms_consent: false })).toEqual([false, 0])
  })

  it('comes before quiet hours if it reminds, and waits for their end if it says that a booking is cancelled', async () => {
    const double = openDouble()
    const start = dayFromNow(4) + 7 * HOUR_MS
    const { booking, organization } = await booked(double, { start })
    expect((await textsOf(booking.id)).map((text) => text.next_attempt_at)).toEqual([
      dayFromNow(3) + 20 * HOUR_MS + 55 * MINUTE_MS,
    ])
    const path = `/v1/bookings/${booking.id}/cancel`
    await double.call('POST', path, { key: organization.liveKey, body: {} })
    await handleAll(double)
    const cancelled = (await textsOf(booking.id)).find(({ kind }) => kind === 'cancelled')
    const at = afterQuiet(cancelled.created_at, 'UTC')
    expect(cancelled.next_attempt_at).toBe(at)
    // It was put off to a night since then.
    await env.DB.prepare('UPDATE text_messages SET next_attempt_at = 0 WHERE id = ?').bind(cancelled.id).run()
    await sendText(double.env, cancelled.id, (dayFromNow(1) + 3 * HOUR_MS) as RealMs)
    expect(await double.sent()).toEqual([])
    await sendText(double.env, cancelled.id, (dayFromNow(1) + 8 * HOUR_MS) as RealMs)
    const [message] = await double.sent()
    expect(message.body).toContain('was cancelled')
    await sendDue(double, dayFromNow(3) + 20 * HOUR_MS + 55 * MINUTE_MS)
    expect((await textsOf(booking.id)).map(({ kind, status }) => [kind, status]).sort()).toEqual([
      ['cancelled', 'sent'],
      ['reminder', 'dropped'],
    ])
  })

  it('follows a move: the earlier one is dropped', async () => {
    const double = openDouble()
    const { booking, organization } = await booked(double)
    const path = `/v1/bookings/${booking.id}/reschedule`
    await double.call('POST', path, {
      key: organization.liveKey,
      body: { new_start_time: iso(SLOT + DAY_MS) },
    })
    await handleAll(double)
    await sendDue(double, SLOT - HOUR_MS)
    await sendDue(double, SLOT + DAY_MS - HOUR_MS)
    expect((await textsOf(booking.id)).map(({ status }) => status)).toEqual(['dropped', 'sent'])
  })

  it('ends with the number that an invitee takes away or changes without agreeing again', async () => {
    const double = openDouble()
    const { booking } = await booked(double)
    const path = `/v1/bookings/${booking.id}?token=${booking.cancel_token}`
    const moved = await double.call('PATCH', path, { body: { invitee_phone: newNumber() } })
    expect([moved.status, moved.body.sms_consent]).toEqual([200, false])
    await sendDue(double, SLOT - HOUR_MS)
    expect(await double.sent()).toEqual([])
    const again = await double.call('PATCH', path, { body: { sms_consent: true } })
    expect(again.body.sms_consent).toBe(true)
  })

  it('is planned for bookings that were made before, once their event type sends texts', async () => {
    const double = openDouble()
    const plain = { reminder_channels: ['email'], reminder_intervals: [1440, 60] }
    const { booking, organization, eventTypeId: id, number } = await booked(double, { plan: plain })
    const more = (start: number, input: object) =>
      double.book(id, start, { invitee_timezone: 'UTC', ...input }).then(({ body }) => body)
    const declined = await more(SLOT + 2 * HOUR_MS, { invitee_phone: newNumber(), sms_consent: false })
    const without = await more(SLOT + 3 * HOUR_MS, {})
    const cancelled = await more(SLOT + 4 * HOUR_MS, { invitee_phone: newNumber(), sms_consent: true })
    const byKey = (path: string, body: object = {}) =>
      double.call('POST', path, { key: organization.liveKey, body })
    expect((await byKey(`/v1/bookings/${cancelled.id}/cancel`)).status).toBe(200)
    await handleAll(double)
    expect(await textsOf(booking.id)).toEqual([])

    const change = (channels: string[]) =>
      double.call('PATCH', `/v1/event-types/${id}`, {
        key: organization.liveKey,
        body: { reminder_channels: channels },
      })
    expect((await change(['email', 'sms'])).status).toBe(200)
    const planned = await textsOf(booking.id)
    expect(planned.map((one) => [one.kind, one.status, one.next_attempt_at])).toEqual([
      ['reminder', 'pending', SLOT - DAY_MS],
      ['reminder', 'pending', SLOT - HOUR_MS],
    ])
    const others = await Promise.all([declined, without, cancelled].map((one) => textsOf(one.id)))
    expect(others).toEqual([[], [], []])
    await change(['email'])
    await change(['email', 'sms'])
    expect((await textsOf(booking.id)).map((one) => one.id)).toEqual(planned.map((one) => one.id))
    await sendDue(double, SLOT - HOUR_MS)
    expect((await double.sent()).map(({ to }) => to)).toContain(number)
  })

  it('is planned when an invitee agrees later, and moves with their time zone', async () => {
    const double = openDouble()
    const { booking, handled } = await booked(double, { sms_consent: false })
    expect(await textsOf(booking.id)).toEqual([])
    const path = `/v1/bookings/${booking.id}?token=${booking.cancel_token}`
    await double.call('PATCH', path, { body: { sms_consent: true } })
    await handled()
    expect(await textsOf(booking.id)).toMatchObject([{ status: 'pending', next_attempt_at: SLOT - HOUR_MS }])
    // There it is the middle of the night.
    await double.call('PATCH', path, { body: { invitee_timezone: 'Asia/Tokyo' } })
    await handled()
    const evening = SLOT - 3 * HOUR_MS - 5 * MINUTE_MS
    expect(await textsOf(booking.id)).toMatchObject([{ status: 'pending', next_attempt_at: evening }])
    await double.call('PATCH', path, { body: { notes: 'Nothing of it' } })
    await handled()
    expect((await textsOf(booking.id)).length).toBe(1)
  })

  it('is not sent over the limits of a day, which an organization raises', async () => {
    const double = openDouble()
    const { organization, number, eventTypeId } = await booked(double, {
      plan: { reminder_intervals: [240] },
    })
    const { body } = await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { public_limits: { sms_per_number_day: 2, sms_per_day: 3 } },
    })
    expect(body.public_limits).toMatchObject({ sms_per_number_day: 2, sms_per_day: 3 })
    const others = [number, number, newNumber(), newNumber()]
    for (const [at, phone] of others.entries()) {
      const given = { invitee_phone: phone, sms_consent: true, invitee_email: `a${at}@example.com` }
      await double.book(eventTypeId, SLOT + (at + 1) * 30 * MINUTE_MS, { ...given, invitee_timezone: 'UTC' })
    }
    await handleAll(double)
    await sendDue(double, SLOT - MINUTE_MS)
    const { results } = await env.DB.prepare(
      'SELECT last_error FROM text_messages WHERE organization_id = ? ORDER BY next_attempt_at',
    )
      .bind(organization.id)
      .all<any>()
    const outcomes = results.map(({ last_error }) => last_error)
    expect(outcomes.filter((why) => why === 'limit')).toHaveLength(2)
    expect((await double.sent()).map(({ to }) => to).filter((to) => to === number)).toHaveLength(2)
    expect(await double.sent()).toHaveLength(3)
  })

  it('goes to the countries of the deployment only', async () => {
    const double = openDouble({ SMS_COUNTRIES: '+43, 41' })
    const { booking } = await booked(double)
    await sendDue(double, SLOT - HOUR_MS)
    expect(await textsOf(booking.id)).toMatchObject([{ status: 'dropped', last_error: 'country' }])
    const swiss = await booked(double, { number: '+41446681800' })
    await sendDue(double, SLOT - HOUR_MS)
    expect(await textsOf(swiss.booking.id)).toMatchObject([{ status: 'sent' }])
  })

  it.each([
    ['+15005550001', 'failed', '21211'],
    ['+15005550009', 'failed', '21614'],
    ['+15005550004', 'failed', '21610'],
  ])('to a number that the provider refuses is not tried again: %s', async (number, status, code) => {
    const double = openDouble()
    const { booking } = await booked(double, { number })
    await sendDue(double, SLOT - HOUR_MS)
    expect(await textsOf(booking.id)).toMatchObject([{ status, last_error: code, attempts: 1 }])
    await env.DB.prepare('DELETE FROM text_opt_outs').run()
  })

  it('is tried again after a failure of the provider, five times, and nothing else waits for it', async () => {
    const sent: string[] = []
    const double = openDouble({
      TWILIO_API_BASE: 'http://127.0.0.1:9',
      EMAIL: { send: async ({ subject }: { subject: string }) => void sent.push(subject) },
    })
    const { booking } = await booked(double)
    expect(sent).toEqual([expect.stringMatching(/^Confirmed/)])
    const [text] = await textsOf(booking.id)
    let at = SLOT - HOUR_MS
    for (let attempts = 1; attempts <= 5; attempts++) {
      await sendText(double.env, text.id, at as RealMs)
      const [tried] = await textsOf(booking.id)
      expect([tried.attempts, tried.last_error]).toEqual([attempts, 'unreachable'])
      expect(tried.status).toBe(attempts < 5 ? 'pending' : 'failed')
      at = tried.next_attempt_at
    }
  })

  it('slows down when the provider says so', async () => {
    const double = openDouble()
    await double.control('', { requestsPerSecond: 0 })
    const { booking } = await booked(double)
    await sendDue(double, SLOT - HOUR_MS)
    expect(await textsOf(booking.id)).toMatchObject([{ status: 'pending', last_error: '20429' }])
  })

  it('is written to the outbox of a sandbox, by its clock', async () => {
    const { testKey: key } = await createOrganization()
    const { id } = await createEventType(key, BY_TEXT)
    const number = newNumber()
    const body = { event_type_id: id, start_time: iso(SLOT), invitee_name: 'Ada', invitee_phone: number }
    const made = await call('POST', '/v1/bookings', {
      key,
      body: { ...body, invitee_email: 'ada@example.com' },
    })
    await vi.waitFor(async () => expect(await textsOf(made.body.id)).toHaveLength(1), { timeout: 10_000 })
    await call('PUT', '/v1/test-data/clock', { key, body: { now: iso(SLOT - HOUR_MS) } })
    const { body: outbox } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
    const texts = outbox.data.filter(({ channel }: { channel: string }) => channel === 'sms')
    expect(texts).toMatchObject([
      { to: number, subject: null, body: expect.stringMatching(/reminder of Intro call/) },
    ])
  })

  it('costs nothing for event types without it', async () => {
    const double = openDouble()
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const input = { invitee_phone: newNumber(), sms_consent: true }
    await double.book(id, SLOT, input)
    const [message] = double.messages.splice(0)
    const { ran, env: counted } = countedEnv(double.env)
    if (message?.type !== 'event') throw new Error('no event')
    await handleEvent(counted, message.eventId)
    expect(ran.filter(({ sql }) => sql.includes('text_messages'))).toEqual([])
  })
})

describe('callbacks of the provider', () => {
  async function signed(path: string, fields: Record<string, string>) {
    const form = new URLSearchParams(fields).toString()
    return post(path, form, await twilioSignature(path, form))
  }

  async function post(path: string, form: string, signature: string | null) {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(signature !== null && { 'X-Twilio-Signature': signature }),
    }
    return exports.default.fetch(
      new Request(`https://holdfast.test${path}`, { method: 'POST', headers, body: form }),
    )
  }

  it('say what became of a message, in any order, and are refused without a valid signature', async () => {
    const double = openDouble()
    const { booking } = await booked(double)
    await sendDue(double, SLOT - HOUR_MS)
    const [text] = await textsOf(booking.id)
    const path = `/v1/sms/twilio/status?id=${text.id}`
    const fields = { MessageSid: 'SM1', MessageStatus: 'delivered', To: '+1' }
    const form = new URLSearchParams(fields).toString()
    for (const signature of [null, '', 'no base64!', await twilioSignature(path, form, 'another token')]) {
      expect((await post(path, form, signature)).status).toBe(404)
    }
    const elsewhere = await twilioSignature('/v1/sms/twilio/status?id=other', form)
    expect((await post(path, form, elsewhere)).status).toBe(404)
    expect(await textsOf(booking.id)).toMatchObject([{ status: 'sent' }])
    expect((await signed(path, fields)).status).toBe(204)
    expect((await signed(path, { ...fields, MessageStatus: 'sent' })).status).toBe(204)
    expect((await signed(path, { ...fields, MessageStatus: 'reading' })).status).toBe(204)
    expect(await textsOf(booking.id)).toMatchObject([{ status: 'delivered' }])
  })

  it('end and begin the texts of all organizations to a number', async () => {
    const double = openDouble()
    const number = newNumber()
    const write = (Body: string, more: Record<string, string> = {}) =>
      signed('/v1/sms/twilio/inbound', { From: number, To: '+15005550006', Body, ...more })
    const isStopped = async () => {
      const { booking } = await booked(double, { number })
      await sendDue(double, SLOT - HOUR_MS)
      const [text] = await textsOf(booking.id)
      return text.last_error === 'opted_out'
    }
    await write('stop please')
    expect(await isStopped()).toBe(false)
    expect((await write(' Stop ')).status).toBe(204)
    expect([await isStopped(), await isStopped()]).toEqual([true, true])
    await write('START')
    expect(await isStopped()).toBe(false)
    await write('ARRET', { OptOutType: 'STOP' })
    expect(await isStopped()).toBe(true)
  })

  it('of a message to somebody who opted out at the provider end the texts to that number', async () => {
    const double = openDouble()
    const { booking, number } = await booked(double)
    await sendDue(double, SLOT - HOUR_MS)
    const [text] = await textsOf(booking.id)
    const fields = { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: '21610', To: number }
    await signed(`/v1/sms/twilio/status?id=${text.id}`, fields)
    expect(await textsOf(booking.id)).toMatchObject([{ status: 'failed', last_error: '21610' }])
    const next = await booked(double, { number })
    await sendDue(double, SLOT - HOUR_MS)
    expect(await textsOf(next.booking.id)).toMatchObject([{ status: 'dropped', last_error: 'opted_out' }])
  })
})

describe('the page on which invitees change their details', () => {
  it('changes whether they get text messages, and asks for the number', async () => {
    const double = openDouble()
    const { booking, eventTypeId, number } = await booked(double, { sms_consent: false })
    const path = `/bookings/${booking.id}/change`
    const token = encodeURIComponent(booking.cancel_token)
    const open = () => double.visit(`${path}?token=${token}`)
    const save = async (fields: Record<string, string>) => {
      const { by_text: _, ...form } = formOf(await open(), '/change').fields
      return double.visit(path, { form: { ...form, ...fields } })
    }
    const consent = () =>
      env.DB.prepare('SELECT sms_consent FROM bookings WHERE id = ?').bind(booking.id).first('sms_consent')
    expect((await open()).text).toMatch(/<input[^>]*name="by_text"[^>]*value="true"\/?>/)
    expect((await save({ by_text: 'true' })).status).toBe(303)
    await handleAll(double)
    expect([await consent(), (await textsOf(booking.id)).length]).toEqual([1, 1])
    expect((await open()).text).toMatch(/<input[^>]*name="by_text"[^>]*checked/)
    expect((await save({ by_text: 'true', phone: newNumber() })).status).toBe(303)
    expect(await consent()).toBe(1)
    expect((await save({ by_text: 'true', name: 'Ada L.' })).status).toBe(303)
    expect(await consent()).toBe(1)
    const without = await save({ by_text: 'true', phone: '' })
    expect([without.status, /id="phone-error"/.test(without.text)]).toEqual([422, true])
    expect((await save({ phone: number })).status).toBe(303)
    expect(await consent()).toBe(0)
    await env.DB.prepare(`UPDATE event_types SET reminder_channels = '["email"]' WHERE id = ?`)
      .bind(eventTypeId)
      .run()
    expect((await open()).text).not.toContain('by_text')
  })
})

describe('the form of a booking page', () => {
  it('asks for consent and a number where texts are offered, and needs neither', async () => {
    const double = openDouble()
    const organization = await createOrganization()
    const settings = { ...BY_TEXT, slug: 'tea', booking_page_enabled: true }
    const { id } = await createEventType(organization.liveKey, settings)
    const path = `/book/${organization.slug}/tea`
    const page = await double.visit(`${path}?tz=UTC&lang=de&time=${iso(SLOT)}`)
    expect(page.text).toContain('Erinnerungen und Absagen auch per SMS erhalten')
    const form = {
      start_time: iso(SLOT),
      duration: '30',
      timezone: 'UTC',
      name: 'Ada',
      email: 'ada@example.com',
    }
    const without = await double.visit(path, { form: { ...form, by_text: 'true', phone: '' } })
    expect([without.status, /id="phone-error"/.test(without.text)]).toEqual([422, true])
    const number = newNumber()
    const sent = await double.visit(path, { form: { ...form, by_text: 'true', phone: number } })
    expect(sent.status).toBe(303)
    await handleAll(double)
    const row = await env.DB.prepare('SELECT id, sms_consent FROM bookings WHERE event_type_id = ?')
      .bind(id)
      .first<any>()
    expect([row.sms_consent, (await textsOf(row.id)).length]).toEqual([1, 1])
    const plain = await createEventType(organization.liveKey, { slug: 'plain', booking_page_enabled: true })
    const other = await double.visit(`/book/${organization.slug}/plain?tz=UTC&time=${iso(SLOT)}`)
    expect([plain.slug, other.text.includes('by_text')]).toEqual(['plain', false])
  })
})
