import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { emailWriter } from '../../src/delivery/emails/write-email.ts'
import { sendEmail } from '../../src/outbox/mail/send-email.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { type Answered, call, callAsService, freshAddress, type Json } from '../support/app.ts'
import { databaseThrough } from '../support/database-through.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { serviceWith } from '../support/service-with.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 8 * HOUR_MS

const address = () => `${unique('Ada')}@Example.com`

/** A sandbox, whose letters can be read, with an event type that wants proof of an address. */
async function verified(input: Json = {}) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.testKey, { verify_email: true, ...input })
  return { organization, key: organization.testKey, id: id as string }
}

function ask(event_type_id: string, email: string, headers: Record<string, string> = {}) {
  return call('POST', '/v1/email-verifications', { headers, body: { event_type_id, email } })
}

async function emailsOf(key: string) {
  const { body } = await call('GET', '/v1/test-data/outbox?limit=100', { key })
  return body.data.filter(({ subject }: Json) => String(subject).startsWith('Your code'))
}

/** The code in the last letter. */
async function lastCode(key: string): Promise<string> {
  const [letter] = await emailsOf(key)
  return /\b\d{6}\b/.exec(letter.body)![0]
}

async function codeFor(key: string, eventTypeId: string, email: string): Promise<string> {
  expect((await ask(eventTypeId, email)).status).toBe(202)
  return lastCode(key)
}

function wrongFor(code: string): string {
  return code === '123456' ? '654321' : '123456'
}

function bookWith(eventTypeId: string, at: number, email: string, code?: string, key?: string) {
  return call('POST', '/v1/bookings', {
    ...(key && { key }),
    body: bookingInput(eventTypeId, SLOT + at * HOUR_MS, {
      invitee_email: email,
      ...(code !== undefined && { verification_code: code }),
    }),
  })
}

function joinWith(eventTypeId: string, email: string, code?: string, headers: Record<string, string> = {}) {
  const body = { event_type_id: eventTypeId, invitee_name: 'Ada', invitee_email: email }
  return call('POST', '/v1/waitlist', {
    headers,
    body: { ...body, ...(code && { verification_code: code }) },
  })
}

function expectUnverified({ status, body }: Answered) {
  expect([status, body.error.code, body.error.details.code]).toEqual([400, 'bad_request', 'email_unverified'])
}

describe('an event type that verifies addresses', () => {
  it('shows the setting wherever it is returned, and the setting is off by default', async () => {
    const { liveKey, slug } = await createOrganization()
    const made = await createEventType(liveKey, { booking_page_enabled: true })
    expect(made.verify_email).toBe(false)
    const patched = await call('PATCH', `/v1/event-types/${made.id}`, {
      key: liveKey,
      body: { verify_email: true },
    })
    const shown = await call('GET', `/v1/public/event-types/${made.id}`)
    const page = await call('GET', `/v1/public/booking-page/${slug}/${made.slug}`)
    expect([patched.body, shown.body, page.body.event_type].map(({ verify_email }) => verify_email)).toEqual([
      true,
      true,
      true,
    ])
    const wrong = await call('PATCH', `/v1/event-types/${made.id}`, {
      key: liveKey,
      body: { verify_email: 1 },
    })
    expect([wrong.status, Object.keys(wrong.body.error.details)]).toEqual([400, ['verify_email']])
  })

  it('takes a booking with the code that was mailed to the address, once, and none without', async () => {
    const { key, id } = await verified()
    const email = address()
    expectUnverified(await bookWith(id, 0, email))
    const code = await codeFor(key, id, email)
    expectUnverified(await bookWith(id, 0, address(), code))
    const booked = await bookWith(id, 0, email.toLowerCase(), code)
    expect([booked.status, booked.body.invitee_email]).toEqual([201, email.toLowerCase()])
    expectUnverified(await bookWith(id, 1, email, code))
  })

  it('takes a waitlist entry the same way', async () => {
    const { key, id } = await verified({ waitlist_enabled: true })
    const email = address()
    expectUnverified(await joinWith(id, email))
    const code = await codeFor(key, id, email)
    expect((await joinWith(id, email, code)).status).toBe(201)
    expectUnverified(await bookWith(id, 0, email, code))
  })

  it('asks nothing of a key', async () => {
    const { organization, key, id } = await verified()
    expect((await bookWith(id, 0, address(), undefined, key)).status).toBe(201)
    const asService = await callAsService('POST', '/v1/bookings', {
      headers: { 'X-Org-Id': organization.id, 'X-Service-Mode': 'test' },
      body: bookingInput(id, SLOT + HOUR_MS),
    })
    expect(asService.status).toBe(201)
  })

  it('sends a code by email, and replies to it reach the owner', async () => {
    const { testKey } = await createOrganization({ ownerEmail: 'owner@example.com' })
    const { id } = await createEventType(testKey, { verify_email: true })
    await codeFor(testKey, id, address())
    expect((await emailsOf(testKey))[0].reply_to).toBe('owner@example.com')
  })

  it('keeps the code when the booking is refused for something else', async () => {
    const { key, id } = await verified()
    const email = address()
    await bookWith(id, 0, address(), undefined, key)
    const code = await codeFor(key, id, email)
    for (let again = 0; again < 6; again++) {
      expect((await bookWith(id, 0, email, code)).body.error.code).toBe('conflict')
    }
    expect((await bookWith(id, 1, email, code)).status).toBe(201)
  })

  it('lets one of many bookings at once have the code', async () => {
    const { key, id } = await verified()
    const email = address()
    const code = await codeFor(key, id, email)
    const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((at) => bookWith(id, at, email, code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400])
  })
})

describe('a code', () => {
  it('accepts no more attempts after five wrong ones, however many come at once', async () => {
    const { key, id } = await verified()
    const [four, five] = [address(), address()]
    const codes = [await codeFor(key, id, four), await codeFor(key, id, five)]
    const guess = (email: string, count: number, right: string) =>
      Promise.all(Array.from({ length: count }, () => bookWith(id, 5, email, wrongFor(right))))
    for (const answer of await guess(four, 4, codes[0]!)) expectUnverified(answer)
    for (const answer of await guess(five, 5, codes[1]!)) expectUnverified(answer)
    expect((await bookWith(id, 0, four, codes[0])).status).toBe(201)
    expectUnverified(await bookWith(id, 1, five, codes[1]))
  })

  it('loses no attempts to a network that may not join any more', async () => {
    const { organization, key, id } = await verified({ waitlist_enabled: true })
    const { id: other } = await createEventType(key, { waitlist_enabled: true })
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { public_limits: { bookings_per_network_hour: 1 } },
    })
    const from = { 'CF-Connecting-IP': freshAddress() }
    expect((await joinWith(other, address(), undefined, from)).status).toBe(201)
    const email = address()
    const code = await codeFor(key, id, email)
    for (let guess = 1; guess <= 5; guess++) {
      expect((await joinWith(id, email, wrongFor(code), from)).status).toBe(429)
    }
    expect((await joinWith(id, email, code)).status).toBe(201)
  })

  it('counts for ten minutes by the clock of its side', async () => {
    const { key, id } = await verified()
    const clock = (now: number) => call('PUT', '/v1/test-data/clock', { key, body: { now: iso(now) } })
    const start = Date.now()
    await clock(start)
    const email = address()
    const asked = await ask(id, email)
    expect(asked.body).toEqual({ expires_at: iso(start + 10 * MINUTE_MS) })
    const code = await lastCode(key)
    await clock(start + 10 * MINUTE_MS)
    expectUnverified(await bookWith(id, 0, email, code))
    await clock(start + 10 * MINUTE_MS - 1)
    expect((await bookWith(id, 0, email, code)).status).toBe(201)
  })

  it('is replaced by the next, which has five tries of its own', async () => {
    const { key, id } = await verified()
    const email = address()
    const first = await codeFor(key, id, email)
    for (let at = 0; at < 5; at++) await bookWith(id, 0, email, wrongFor(first))
    const second = await codeFor(key, id, email)
    if (first !== second) expectUnverified(await bookWith(id, 0, email, first))
    expect((await bookWith(id, 0, email, second)).status).toBe(201)
  })

  it('belongs to one event type', async () => {
    const { key, id } = await verified()
    const other = await createEventType(key, { verify_email: true })
    const email = address()
    const code = await codeFor(key, id, email)
    expectUnverified(await bookWith(other.id, 0, email, code))
    expect((await bookWith(id, 0, email, code)).status).toBe(201)
  })

  it('is stored so that nobody reads it or whose it is, and is forgotten in the end', async () => {
    const { key, id } = await verified()
    const email = address()
    const code = await codeFor(key, id, email)
    const codes = async () => (await env.DB.prepare('SELECT * FROM email_codes').all()).results
    const kept = JSON.stringify(await codes())
    expect(kept).not.toContain(code)
    expect(kept.toLowerCase()).not.toContain(email.split('@')[0]!.toLowerCase())
    await sweep(env, Date.now() + 25 * HOUR_MS)
    expect(await codes()).toEqual([])
  })
})

describe('asking for a code', () => {
  it('returns the same for every address, and sandbox emails only go to the outbox', async () => {
    const { key, id } = await verified()
    const known = address()
    await bookWith(id, 0, known, undefined, key)
    const answers = await Promise.all([ask(id, known), ask(id, address())])
    for (const { status, body } of answers) {
      expect([status, Object.keys(body)]).toEqual([202, ['expires_at']])
    }
    expect((await emailsOf(key)).map(({ to }: Json) => to)).toContain(known)
    const sent = await env.DB.prepare('SELECT count(*) AS n FROM emails WHERE recipient = ?').bind(known)
    expect(await sent.first('n')).toBe(0)
  })

  it('enqueues a live email', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey, { verify_email: true })
    const email = address()
    expect((await ask(id, email)).status).toBe(202)
    const sent = await env.DB.prepare('SELECT count(*) AS n FROM emails WHERE recipient = ?').bind(email)
    expect(await sent.first('n')).toBe(1)
  })

  it('does not send a code that has expired by then', async () => {
    const { liveKey, id: organizationId } = await createOrganization()
    const { id } = await createEventType(liveKey, { verify_email: true })
    const quiet = serviceWith({})
    const sent = async (minutes: number) => {
      const body = { event_type_id: id, email: address() }
      const headers = { 'CF-Connecting-IP': freshAddress() }
      expect((await quiet.call('POST', '/v1/email-verifications', { headers, body })).status).toBe(202)
      const letter = await env.DB.prepare('SELECT id FROM emails WHERE organization_id = ?')
        .bind(organizationId)
        .first<{ id: string }>()
      const letters: string[] = []
      const now = (Date.now() + minutes * MINUTE_MS) as RealMs
      const send = async ({ to }: { to: string }) => void letters.push(to)
      await sendEmail(env, letter!.id, emailWriter, now, { send })
      return letters.length
    }
    expect([await sent(9), await sent(11)]).toEqual([1, 0])
  })

  it('is 404 for an event type that nobody can book, 403 while suspended and 400 if no code is needed', async () => {
    const { organization, key, id } = await verified()
    const plain = await createEventType(key)
    const inactive = await createEventType(key, { verify_email: true, active: false })
    const unknown = crypto.randomUUID()
    const answers = await Promise.all([unknown, 'x', inactive.id, plain.id].map((one) => ask(one, address())))
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
      [404, 'not_found'],
      [400, 'bad_request'],
    ])
    const malformed = await ask(id, 'ada')
    expect([malformed.body.error.code, Object.keys(malformed.body.error.details)]).toEqual([
      'validation_error',
      ['email'],
    ])
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { suspended: true } })
    expect((await ask(id, address())).body.error.code).toBe('org_suspended')
  })

  it('sends nothing if the organization is suspended between the read and the write', async () => {
    const { organization, key, id } = await verified()
    const DB = databaseThrough(async (ask, queries) => {
      const answer = await ask()
      if (queries.some((query) => /from "event_types"/i.test(query))) {
        await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { suspended: true } })
      }
      return answer
    })
    const body = { event_type_id: id, email: address() }
    const answer = await serviceWith({ DB }).call('POST', '/v1/email-verifications', { body })
    expect([answer.status, answer.body.error?.code]).toEqual([403, 'org_suspended'])
    expect(await emailsOf(key)).toEqual([])
  })

  it('ends with three letters an hour to one address of the organization, however it is written', async () => {
    const { key, id } = await verified()
    const other = await createEventType(key, { verify_email: true })
    const name = unique('ada')
    const written = [
      `${name}@example.com`,
      `${name}+1@example.com`,
      `${name.toUpperCase()}@example.com`,
      `${name}@ｅxample.com`,
      `${name}@example\ufe00.com`,
    ]
    const answers = await Promise.all(
      [...written, ...written].map((email, at) => ask(at % 2 ? id : other.id, email)),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect([answers.filter(({ status }) => status === 202).length, refused.length]).toEqual([3, 7])
    for (const { headers, body } of refused) {
      expect(body.error.details.limit).toBe('verifications_per_email_hour')
      expect(headers.get('Retry-After')).toBe(String(body.retry_after))
    }
    expect(await emailsOf(key)).toHaveLength(3)
    const elsewhere = await verified()
    expect((await ask(elsewhere.id, written[0]!)).status).toBe(202)
  })

  it('counts one mailbox of Gmail whatever dots it is written with, and no two of anybody else as one', async () => {
    const { id } = await verified()
    const name = unique('ada')
    const dotted = `${name.slice(0, 1)}.${name.slice(1)}`
    const ofGmail = [
      `${name}@gmail.com`,
      `${dotted}@gmail.com`,
      `${name}@googlemail.com`,
      `${dotted}+a@Gmail.com`,
    ]
    const elsewhere = [`${name}@example.com`, `${dotted}@example.com`]
    const asked = async (emails: readonly string[]) =>
      (await Promise.all(emails.map((email) => ask(id, email)))).map(({ status }) => status).sort()
    expect(await asked(ofGmail)).toEqual([202, 202, 202, 429])
    expect(await asked([...elsewhere, ...elsewhere])).toEqual([202, 202, 202, 202])
    const composed = [
      `e\u0301${name}@example.com`,
      `\u00e9${name}@example.com`,
      `\uff25\u0301${name}@example.com`,
    ]
    expect(await asked([...composed, composed[0]!])).toEqual([202, 202, 202, 429])
  })

  it('ends for a network with as many as it may book', async () => {
    const { organization, id } = await verified()
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { public_limits: { bookings_per_network_hour: 2 } },
    })
    const from = { 'CF-Connecting-IP': freshAddress() }
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask(id, address(), from)))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429])
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.body.error.details.limit).toBe('verifications_per_network_hour')
  })

  it('sends one email per Idempotency-Key', async () => {
    const { key, id } = await verified()
    const email = address()
    const once = { 'Idempotency-Key': 'one' }
    const first = await ask(id, email, once)
    const again = await ask(id, email, once)
    expect([again.status, again.headers.get('Idempotent-Replayed'), again.body]).toEqual([
      202,
      'true',
      first.body,
    ])
    expect(await emailsOf(key)).toHaveLength(1)
    expect((await ask(id, address(), once)).status).toBe(409)
  })
})
