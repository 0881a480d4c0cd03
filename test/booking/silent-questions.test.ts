import { beforeAll, describe, expect, it } from 'vitest'
import { type Call, call, callAsService } from '../support/app.ts'
import {
  book,
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
  unique,
} from '../support/factories.ts'

const HOUR_MS = 3_600_000
const START = dayFromNow(3) + 9 * HOUR_MS
const LATER = START + HOUR_MS

let organization: Organization
let key: string

beforeAll(async () => {
  organization = await createOrganization()
  key = organization.liveKey
})

function address() {
  return `${unique('a')}@example.com`
}

/** Everything that differs from call to call, and the address that was asked about. */
function plain(value: unknown, email: string): unknown {
  const text = JSON.stringify(value)
    .replaceAll(email, '<address>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/"(cancel_token|token)":"[^"]{20,}"/g, '"$1":"<token>"')
    .replaceAll(/"(created_at|updated_at|expires_at|rescheduled_at)":"[^"]+"/g, '"$1":"<now>"')
  return JSON.parse(text)
}

/** What is answered about an address. */
async function told(path: string, sent: Call, email: string) {
  const { status, body } = await call('POST', path, sent)
  return plain({ status, body }, email)
}

function dry(path: string) {
  return `${path}${path.includes('?') ? '&' : '?'}dry_run=true`
}

/** The same keyless dry run about a known address and about a new one. */
async function both(path: string, bodyFor: (email: string) => unknown, known: string) {
  const fresh = address()
  return {
    known: await told(dry(path), { body: bodyFor(known) }, known),
    fresh: await told(dry(path), { body: bodyFor(fresh) }, fresh),
  }
}

/** Each makes a world that knows an address, and says what to ask about it. */
const KNOWN: Record<
  string,
  () => Promise<{ path: string; bodyFor: (email: string) => unknown; email: string; code: string }>
> = {
  invitee_limit: async () => {
    const email = address()
    const { id } = await createEventType(key, { invitee_limit: 1 })
    await book(id, START, { invitee_email: email })
    const bodyFor = (invitee_email: string) => bookingInput(id, LATER, { invitee_email })
    return { path: '/v1/bookings', bodyFor, email, code: 'invitee_limit_reached' }
  },
  already_seated: async () => {
    const email = address()
    const { id } = await createEventType(key, { max_attendees: 5 })
    await book(id, START, { invitee_email: email })
    const bodyFor = (invitee_email: string) => bookingInput(id, START, { invitee_email })
    return { path: '/v1/bookings', bodyFor, email, code: 'already_seated' }
  },
  'already_seated of somebody who comes along': async () => {
    const email = address()
    const { id } = await createEventType(key, { max_attendees: 5 })
    await book(id, START, { invitee_email: email })
    const bodyFor = (other: string) =>
      bookingInput(id, START, {
        invitee_email: 'new@example.com',
        attendees: [{ name: 'Eve', email: other }],
      })
    return { path: '/v1/bookings', bodyFor, email, code: 'already_seated' }
  },
  already_on_waitlist: async () => {
    const email = address()
    const { id } = await createEventType(key, { waitlist_enabled: true })
    const bodyFor = (invitee_email: string) => bookingInput(id, START, { invitee_email })
    await call('POST', '/v1/waitlist', { body: bodyFor(email) })
    return { path: '/v1/waitlist', bodyFor, email, code: 'already_on_waitlist' }
  },
  'already_seated when a hold is confirmed': async () => {
    const email = address()
    const { id } = await createEventType(key, { max_attendees: 5 })
    await book(id, START, { invitee_email: email })
    const { body: hold } = await call('POST', '/v1/holds', {
      body: { event_type_id: id, start_time: iso(START) },
    })
    const bodyFor = (invitee_email: string) => ({ invitee_name: 'Ada', invitee_email })
    return {
      path: `/v1/holds/${hold.id}/confirm?token=${hold.token}`,
      bodyFor,
      email,
      code: 'already_seated',
    }
  },
}

describe('an anonymous dry run', () => {
  it.for(Object.entries(KNOWN))('is not judged by the address: %s', async ([, make]) => {
    const { path, bodyFor, email, code } = await make()
    const answers = await both(path, bodyFor, email)
    expect(answers.fresh).toMatchObject({ status: 201 })
    expect(answers.known).toEqual(answers.fresh)
    // Whoever really does it is refused, and so is a dry run with a key.
    const separator = path.includes('?') ? '&' : '?'
    for (const [way, sent] of [
      [path, { body: bodyFor(email) }],
      [`${path}${separator}dry_run=true`, { body: bodyFor(email), key }],
    ] as const) {
      expect((await call('POST', way, sent)).body.error.details.code).toBe(code)
    }
  })

  it('does not count the bookings or the waitlist entries of the address', async () => {
    const owner = await createOrganization()
    const public_limits = { active_per_email: 1, waiting_per_email: 1 }
    await callAsService('PATCH', `/v1/organizations/${owner.id}`, { body: { public_limits } })
    const { id } = await createEventType(owner.liveKey, { waitlist_enabled: true })
    const email = address()
    await book(id, START, { invitee_email: email })
    await call('POST', '/v1/waitlist', { body: bookingInput(id, START, { invitee_email: email }) })
    for (const [path, limit] of [
      ['/v1/bookings', 'active_per_email'],
      ['/v1/waitlist', 'waiting_per_email'],
    ] as const) {
      const bodyFor = (invitee_email: string) => bookingInput(id, LATER, { invitee_email })
      const answers = await both(path, bodyFor, email)
      expect(answers.fresh).toMatchObject({ status: 201 })
      expect(answers.known).toEqual(answers.fresh)
      expect((await call('POST', path, { body: bodyFor(email) })).body.error.details.limit).toBe(limit)
    }
  })

  it('of an expired hold that may be booked anew is not judged by the address', async () => {
    const { testKey } = organization
    const email = address()
    const { id } = await createEventType(testKey, { invitee_limit: 1 })
    const { body: hold } = await call('POST', '/v1/holds', {
      body: { event_type_id: id, start_time: iso(LATER), ttl_seconds: 30 },
    })
    await book(id, START, { invitee_email: email })
    await call('PUT', '/v1/test-data/clock', { key: testKey, body: { now: iso(Date.now() + HOUR_MS) } })
    const bodyFor = (invitee_email: string) => ({ invitee_name: 'Ada', invitee_email, if_still_free: true })
    const answers = await both(`/v1/holds/${hold.id}/confirm?token=${hold.token}`, bodyFor, email)
    await call('PUT', '/v1/test-data/clock', { key: testKey, body: { now: null } })
    expect(answers.fresh).toMatchObject({ status: 201 })
    expect(answers.known).toEqual(answers.fresh)
  })

  it('of a move by token does not depend on the invitees', async () => {
    const { id } = await createEventType(key, { max_attendees: 5 })
    const email = address()
    await book(id, LATER, { invitee_email: email })
    const asked = async (other: string) => {
      const { body: booked } = await book(id, START, { invitee_email: other })
      const path = `/v1/bookings/${booked.id}/reschedule`
      const body = { new_start_time: iso(LATER) }
      const answer = await told(dry(`${path}?token=${booked.cancel_token}`), { body }, other)
      return { answer, path, token: booked.cancel_token, body }
    }
    const known = await asked(email)
    const fresh = await asked(address())
    expect(fresh.answer).toMatchObject({ status: 200 })
    expect((known.answer as { status: number }).status).toBe(200)
    const real = await call('POST', `${known.path}?token=${known.token}`, { body: known.body })
    expect(real.body.error.details.code).toBe('already_seated')
    const withKey = await call('POST', dry(known.path), { key, body: known.body })
    expect(withKey.body.error.details.code).toBe('already_seated')
  })

  it('of a move by token does not count the other bookings of its invitee', async () => {
    const { id } = await createEventType(key)
    const email = address()
    const { body: own } = await book(id, START, { invitee_email: email })
    await book(id, LATER, { invitee_email: email })
    await call('PATCH', `/v1/event-types/${id}`, { key, body: { invitee_limit: 1 } })
    const path = `/v1/bookings/${own.id}/reschedule`
    const move = (start: number) => ({ body: { new_start_time: iso(start) } })
    const to = LATER + HOUR_MS
    const asked = await call('POST', dry(`${path}?token=${own.cancel_token}`), move(to))
    expect(asked.status).toBe(200)
    const closed = await call('POST', `${path}?token=${own.cancel_token}`, move(to + 60_000))
    expect(closed.body.error.details).toHaveProperty('alternatives')
    const real = await call('POST', `${path}?token=${own.cancel_token}`, move(to))
    expect(real.body.error.details.code).toBe('invitee_limit_reached')
  })
})

describe('a start that nobody can book', () => {
  it('is refused alike for attendees with and without a seat, if the invitee has as many bookings as they may', async () => {
    const owner = await createOrganization()
    const body = { public_limits: { active_per_email: 1 } }
    await callAsService('PATCH', `/v1/organizations/${owner.id}`, { body })
    const { id } = await createEventType(owner.liveKey, { max_attendees: 5 })
    const [own, seated] = [address(), address()]
    await book(id, LATER, { invitee_email: own })
    await book(id, START, { invitee_email: seated })
    for (const email of [seated, address()]) {
      const attendees = [{ name: 'Eve', email }]
      const answer = await call('POST', '/v1/bookings', {
        body: bookingInput(id, START, { invitee_email: own, attendees }),
      })
      expect(answer.body.error.details.limit).toBe('active_per_email')
    }
  })

  it('is refused alike whether or not the address has as many bookings as it may', async () => {
    const owner = await createOrganization()
    await callAsService('PATCH', `/v1/organizations/${owner.id}`, {
      body: { public_limits: { active_per_email: 1 } },
    })
    for (const input of [{ invitee_limit: 1 }, {}]) {
      const { id } = await createEventType(owner.liveKey, input)
      const email = address()
      await book(id, START, { invitee_email: email })
      const answers = []
      for (const one of [email, address()]) {
        const sent = { body: bookingInput(id, START + 60_000, { invitee_email: one }) }
        answers.push(plain({ ...(await call('POST', '/v1/bookings', sent)), headers: null }, one))
      }
      const [known, fresh] = answers.map((one) => ({
        ...(one as any),
        body: { code: (one as any).body.error.code, details: (one as any).body.error.details },
      }))
      expect(fresh).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect(known).toEqual(fresh)
    }
  })
})
