import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { lettersTo } from '../support/outbox.ts'
import { expectNowhere } from '../support/secrets.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 13 * HOUR_MS

const ask = (type: string, more: object = {}) => ({ key: type, label: `Your ${type}?`, type, ...more })
const COLORS = ['Red', 'Green', 'Blue: light']
const EACH = [
  ask('short_text', { required: true }),
  ask('long_text'),
  ask('choice', { options: COLORS, help: 'Only one.' }),
  ask('choices', { options: COLORS }),
  ask('checkbox'),
  ask('phone'),
  ask('url'),
  ask('number'),
  ask('date'),
]
const ANSWERS = {
  short_text: 'Ferrets',
  long_text: 'Two\nlines',
  choice: 'Green',
  choices: ['Blue: light', 'Red'],
  checkbox: false,
  phone: '+49 (0)30 901820',
  url: 'https://ada.example.com/?q=1',
  number: -1.5,
  date: '2026-02-28',
}

async function asking(questions: readonly object[], input: Record<string, unknown> = {}) {
  const ownerEmail = `${unique('owner')}@example.com`
  const organization = await createOrganization({ ownerEmail })
  const key = organization.testKey
  const eventType = await createEventType(key, { questions, reminder_intervals: [], ...input })
  const readBooking = (id: string) => call('GET', `/v1/bookings/${id}`, { key })
  return { organization, ownerEmail, key, eventType, id: eventType.id as string, readBooking }
}

describe('the questions of an event type', () => {
  it('are returned as they were sent, to everybody, and can be changed', async () => {
    const { key, eventType, id } = await asking(EACH)
    const whole = EACH.map((question) => ({ required: false, options: null, help: null, ...question }))
    expect(eventType.questions).toEqual(whole)
    expect((await call('GET', `/v1/event-types/${id}`, { key })).body.questions).toEqual(whole)
    const path = `/v1/event-types/${id}`
    const one = { ...whole[8], label: '誕生日', required: true }
    const { status, body } = await call('PATCH', path, { key, body: { questions: [one] } })
    expect([status, body.questions]).toEqual([200, [one]])
    expect((await call('PATCH', path, { key, body: { title: 'Else' } })).body.questions).toEqual([one])
    expect((await call('PATCH', path, { key, body: { questions: [] } })).body.questions).toEqual([])
    const live = await createEventType((await createOrganization()).liveKey, { questions: EACH })
    expect((await call('GET', `/v1/public/event-types/${live.id}`)).body.questions).toEqual(whole)
    expect((await createEventType(key)).questions).toEqual([])
  })

  it('are refused by the name of what is wrong, and nothing changes', async () => {
    const { key, id } = await asking([])
    const good = ask('short_text')
    const wrong: readonly (readonly [string, unknown])[] = [
      ['questions', Array.from({ length: 21 }, (_, at) => ({ ...good, key: `k${at}` }))],
      ['questions', { key: 'a' }],
      ['questions', null],
      ['questions.1', [good, 'short_text']],
      ['questions.0.key', [{ ...good, key: 'Topic' }]],
      ['questions.0.key', [{ ...good, key: '' }]],
      ['questions.0.key', [{ ...good, key: 'a'.repeat(41) }]],
      ['questions.0.key', [{ ...good, key: '__proto__' }]],
      ['questions.0.key', [{ label: 'What?', type: 'date' }]],
      ['questions.1.key', [good, { ...good, label: 'Again?' }]],
      ['questions.0.label', [{ ...good, label: ' ' }]],
      ['questions.0.label', [{ ...good, label: 'One\nTwo' }]],
      ['questions.0.label', [{ ...good, label: 'a'.repeat(256) }]],
      ['questions.0.label', [{ key: 'a', type: 'date' }]],
      ['questions.0.type', [{ ...good, type: 'email' }]],
      ['questions.0.type', [{ key: 'a', label: 'What?' }]],
      ['questions.0.required', [{ ...good, required: 'yes' }]],
      ['questions.0.help', [{ ...good, help: 'a'.repeat(501) }]],
      ['questions.0.options', [{ ...good, options: ['a', 'b'] }]],
      ['questions.0.options', [ask('choice')]],
      ['questions.0.options', [ask('choices', { options: null })]],
      ['questions.0.options', [ask('choice', { options: ['a'] })]],
      ['questions.0.options', [ask('choice', { options: ['a', 'b', 'a'] })]],
      ['questions.0.options', [ask('choice', { options: Array.from({ length: 51 }, (_, at) => `${at}`) })]],
      ['questions.0.options.1', [ask('choice', { options: ['a', ''] })]],
      ['questions.0.options.0', [ask('choice', { options: [7, 'b'] })]],
    ]
    for (const [field, questions] of wrong) {
      const { status, body } = await call('PATCH', `/v1/event-types/${id}`, { key, body: { questions } })
      expect([questions, status, Object.keys(body.error?.details ?? {})]).toEqual([questions, 400, [field]])
      expect(body.error.details[field]).toMatch(/^(Must|Is required\.)/)
    }
    expect((await call('GET', `/v1/event-types/${id}`, { key })).body.questions).toEqual([])
    const most = [ask('choice', { options: Array.from({ length: 50 }, (_, at) => `${at}`) })]
    const many = Array.from({ length: 20 }, (_, at) => ({ ...good, key: `k${at}` }))
    for (const questions of [most, many]) {
      expect((await call('PATCH', `/v1/event-types/${id}`, { key, body: { questions } })).status).toBe(200)
    }
  })
})

describe('the answers of a booking', () => {
  it('are returned by the detail view with a key or the token, and by nothing else', async () => {
    const { key, id, readBooking } = await asking(EACH)
    const headers = { 'Idempotency-Key': unique('key') }
    const body = bookingInput(id, SLOT, { answers: { ...ANSWERS, constructor: 'nobody asked' } })
    const made = await call('POST', '/v1/bookings', { body, headers })
    expect(made.status).toBe(201)
    const { id: bookingId, cancel_token: token } = made.body
    expect((await readBooking(bookingId)).body.answers).toEqual(ANSWERS)
    expect((await call('GET', `/v1/bookings/${bookingId}?token=${token}`)).body.answers).toEqual(ANSWERS)
    const to = { new_start_time: iso(SLOT + HOUR_MS) }
    const answers = [
      made,
      await call('POST', '/v1/bookings', { body, headers }),
      await call('GET', '/v1/bookings', { key }),
      await call('POST', `/v1/bookings/${bookingId}/reschedule?token=${token}`, { body: to }),
      await call('POST', `/v1/bookings/${bookingId}/cancel`, { key }),
      await call('GET', '/v1/events', { key }),
      await call('GET', '/v1/activity', { key }),
    ]
    for (const { status, body: told } of answers) {
      expect(status).toBeLessThan(300)
      expect(JSON.stringify(told)).not.toContain('Ferrets')
      expect(JSON.stringify(told)).not.toContain('"answers"')
    }
    expect((await readBooking(bookingId)).body.answers).toEqual(ANSWERS)
  })

  it('may be left out if nothing is required, and an empty one counts as missing', async () => {
    const { id, readBooking } = await asking(EACH.slice(1))
    const empty = { long_text: ' ', choice: '', choices: [], phone: null, url: '', number: null, date: '' }
    for (const [at, answers] of [undefined, null, {}, empty].entries()) {
      const { status, body } = await book(id, SLOT + at * HOUR_MS, { answers })
      expect([at, status]).toEqual([at, 201])
      expect((await readBooking(body.id)).body.answers).toEqual({})
    }
  })

  it('are refused by the name of the question, before anything else is said of the slot', async () => {
    const required = EACH.map((question) => ({ ...question, required: true }))
    const { id, key } = await asking(required)
    const good = { ...ANSWERS, checkbox: true }
    const refusedOf = async (answers: unknown) => {
      const { status, body } = await book(id, SLOT, { answers })
      return [status, body.error?.code, body.error?.details]
    }
    const wrong: Record<string, readonly unknown[]> = {
      short_text: ['a'.repeat(256), 7, true, ['a'], '', null, '  '],
      long_text: ['a'.repeat(5_001), {}],
      choice: ['red', ['Red'], 1, ''],
      choices: ['Red', ['Red', 'Red'], ['Red', 'Pink'], [], [1]],
      checkbox: [false, 'true', 1, null],
      phone: ['12', 'call me', '+', '1'.repeat(21), 49, `${'1 '.repeat(20)}${' '.repeat(20)}`],
      url: [
        'ada.example.com',
        'javascript:alert(1)',
        'ftp://example.com',
        'https://',
        `https://a.b/${'a'.repeat(2_000)}`,
      ],
      number: ['3', '', null, [3]],
      date: ['2026-02-29', '28.02.2026', '2026-2-8', 20260228, '2026-02-28T00:00:00Z'],
    }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const told = await refusedOf({ ...good, [field]: value })
        const sentence = expect.stringMatching(/^(Must|Is required\.)/)
        expect([value, ...told]).toEqual([value, 400, 'validation_error', { [`answers.${field}`]: sentence }])
      }
    }
    expect(Object.keys((await refusedOf({}))[2])).toEqual(required.map((one) => `answers.${one.key}`))
    expect(await refusedOf(['a'])).toEqual([400, 'validation_error', { answers: 'Must be an object.' }])
    // A start that is none is told only to whoever answered.
    const offGrid = await book(id, SLOT + 1, { answers: {} })
    expect(offGrid.status).toBe(400)
    expect((await book(id, SLOT + 60_000, { answers: good })).status).toBe(409)
    expect((await call('GET', '/v1/bookings', { key })).body.data).toEqual([])
    const most = {
      ...good,
      short_text: 'a'.repeat(255),
      long_text: 'ä'.repeat(5_000),
      phone: '٠٣٠ ٩٠١٨٢٠ x12',
    }
    expect((await book(id, SLOT, { answers: most })).status).toBe(201)
  })

  it('stay as they were when the questions change', async () => {
    const { id, key, readBooking } = await asking([ask('choice', { options: COLORS, required: true })])
    const { body } = await book(id, SLOT, { answers: { choice: 'Red' } })
    const questions = [ask('checkbox', { required: true }), { ...ask('number'), key: 'choice' }]
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { questions } })
    expect((await readBooking(body.id)).body.answers).toEqual({ choice: 'Red' })
    const stale = await book(id, SLOT + HOUR_MS, { answers: { choice: 'Red' } })
    expect(Object.keys(stale.body.error.details)).toEqual(['answers.checkbox', 'answers.choice'])
    const to = { new_start_time: iso(SLOT + 2 * HOUR_MS) }
    expect((await call('POST', `/v1/bookings/${body.id}/reschedule`, { key, body: to })).status).toBe(200)
    expect((await readBooking(body.id)).body.answers).toEqual({ choice: 'Red' })
  })

  it('are in the emails to the owner and in no other', async () => {
    const label = 'What is it about?'
    const { id, key, ownerEmail } = await asking([{ ...ask('long_text'), label }, ...EACH.slice(3, 5)])
    const { body } = await book(id, SLOT, {
      invitee_email: 'reads@example.com',
      answers: { long_text: 'Ferrets\u2028Reply-To: me', choices: ['Red', 'Green'], checkbox: true },
    })
    const [told] = await lettersTo(key, ownerEmail, 1)
    expect(told!.body).toContain(`${label}\n> Ferrets\n> Reply-To: me`)
    expect(told!.body).toContain('Your choices?\n> Red\n> Green')
    expect(told!.body).toContain('Your checkbox?\n> Yes')
    expect(told!.html).toContain('Ferrets')
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { questions: [] } })
    await call('POST', `/v1/bookings/${body.id}/cancel?token=${body.cancel_token}`)
    const [, ended] = await lettersTo(key, ownerEmail, 2)
    expect(ended!.body).toContain('> Ferrets')
    for (const letter of await lettersTo(key, 'reads@example.com', 2)) {
      expect(JSON.stringify(letter)).not.toContain('Ferrets')
    }
  })
})

describe('the answers of a waitlist entry', () => {
  it('are required like those of a booking, returned by the detail view, and copied into the booking', async () => {
    const { id, key, readBooking } = await asking(EACH, { waitlist_enabled: true })
    const { body: taken } = await book(id, SLOT, { answers: ANSWERS })
    const join = (answers?: unknown) =>
      call('POST', '/v1/waitlist', {
        body: bookingInput(id, SLOT, { invitee_email: 'waits@example.com', answers }),
      })
    const refused = await join()
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([400, ['answers.short_text']])
    const { status, body: entry } = await join({ short_text: 'Weasels', number: 4 })
    expect([status, entry.answers]).toEqual([201, undefined])
    const read = () => call('GET', `/v1/waitlist/${entry.id}`, { key })
    expect((await read()).body.answers).toEqual({ short_text: 'Weasels', number: 4 })
    expect((await call('GET', '/v1/waitlist', { key })).body.data[0].answers).toBe(undefined)
    await call('PATCH', `/v1/event-types/${id}`, {
      key,
      body: { questions: [ask('url', { required: true })] },
    })
    await call('POST', `/v1/bookings/${taken.id}/cancel`, { key })
    const promoted = (await read()).body
    expect(promoted.status).toBe('promoted')
    const { body } = await readBooking(promoted.promoted_booking_id)
    expect(body.answers).toEqual({ short_text: 'Weasels', number: 4 })
  })
})

describe('the answers at the confirm of a hold', () => {
  it('are asked for then and not before, and a wrong one leaves it held', async () => {
    const { id, key, readBooking } = await asking(EACH)
    const headers = { 'Idempotency-Key': unique('key') }
    const hold = await call('POST', '/v1/holds', {
      body: { event_type_id: id, start_time: iso(SLOT), answers: { short_text: 'too early' } },
    })
    expect(hold.status).toBe(201)
    const path = `/v1/holds/${hold.body.id}`
    const confirm = (answers?: unknown, how: object = {}) =>
      call('POST', `${path}/confirm?token=${hold.body.token}`, {
        body: { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com', answers },
        ...how,
      })
    for (const [answers, field] of [
      [undefined, 'answers.short_text'],
      [{ ...ANSWERS, date: 'soon' }, 'answers.date'],
    ] as const) {
      const { status, body } = await confirm(answers)
      expect([status, Object.keys(body.error.details)]).toEqual([400, [field]])
      expect((await call('GET', `${path}?token=${hold.body.token}`)).body.status).toBe('held')
    }
    const made = await confirm(ANSWERS, { headers })
    expect(made.status).toBe(201)
    for (const { body } of [
      made,
      await confirm(ANSWERS, { headers }),
      await confirm({ short_text: 'Other' }),
    ]) {
      expect(JSON.stringify(body)).not.toContain('Ferrets')
      expect(body.id).toBe(made.body.id)
    }
    expect((await readBooking(made.body.id)).body.answers).toEqual(ANSWERS)
    expect((await call('GET', path, { key })).body.status).toBe('confirmed')
  })
})

it('keeps what was typed sealed: in no column of any table, in no log and in no answer', async () => {
  const secrets = ['Mustelidae-7712', 'Wiesel-im-Garten', '+1 555 0199 341', 'ermine.example.net']
  await expectNowhere(secrets, async () => {
    const { id, ownerEmail, key } = await asking(EACH, { waitlist_enabled: true })
    const answers = {
      short_text: secrets[0],
      long_text: `${secrets[1]}\nand more`,
      phone: secrets[2],
      url: `https://${secrets[3]}/`,
    }
    const headers = { 'Idempotency-Key': unique('key') }
    const send = (path: string, input: object) =>
      call('POST', path, { headers, body: bookingInput(id, SLOT, { answers, ...input }) })
    const booked = await send('/v1/bookings', {})
    const lost = await call('POST', '/v1/bookings', {
      headers: { 'Idempotency-Key': unique('key') },
      body: bookingInput(id, SLOT, { answers: { ...answers, number: 'none' } }),
    })
    const waits = await call('POST', '/v1/waitlist', {
      headers: { 'Idempotency-Key': unique('key') },
      body: bookingInput(id, SLOT, { answers, invitee_email: 'waits@example.com' }),
    })
    await lettersTo(key, ownerEmail, 1)
    const cancelled = await call('POST', `/v1/bookings/${booked.body.id}/cancel`, { key })
    await lettersTo(key, ownerEmail, 3)
    expect([booked.status, lost.status, waits.status, cancelled.status]).toEqual([201, 400, 201, 200])
    return [booked, lost, waits, cancelled].map(({ body }) => body)
  })
})
