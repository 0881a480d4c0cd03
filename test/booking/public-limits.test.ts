import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createBooking } from '../../src/booking/bookings/create-booking.ts'
import { CreateBookingInput } from '../../src/booking/bookings/input-schema.ts'
import { joinWaitlist } from '../../src/booking/waitlist/join-waitlist.ts'
import { JoinWaitlistInput } from '../../src/booking/waitlist/schema.ts'
import { waitlist } from '../../src/booking/waitlist/turn-waitlist.ts'
import { CalendarLooks } from '../../src/calendars/check-calendars.ts'
import { runPlan } from '../../src/engine/turn/run-plan.ts'
import { ScheduleMemory } from '../../src/engine/turn/schedule-memory.ts'
import type { Tenant } from '../../src/platform/auth/caller.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { type Answered, call, callAsService, freshAddress } from '../support/app.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  type Organization,
  type OrganizationOptions,
  unique,
} from '../support/factories.ts'
import { stayInOneMinute } from '../support/minute.ts'
import { visit } from '../support/pages.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 8 * HOUR_MS

type Limits = Record<string, number | null>

function setLimits({ id }: Organization, public_limits: Limits) {
  return callAsService('PATCH', `/v1/organizations/${id}`, { body: { public_limits } })
}

async function organizationWith(limits: Limits = {}, options: OrganizationOptions = {}) {
  const organization = await createOrganization(options)
  await setLimits(organization, limits)
  return organization
}

const address = () => `${unique('ada')}@example.com`

type Booked = { readonly id: string; readonly cancel_token: string }
type Options = { from?: string; email?: string; key?: string; idempotencyKey?: string; input?: Limits }

function headersOf({ from = freshAddress(), idempotencyKey }: Options) {
  return {
    'CF-Connecting-IP': from,
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
  }
}

/** Books the slot that lies `at` half hours after the first. */
function bookAt(eventTypeId: string, at: number, options: Options = {}) {
  const { email = address(), key, input = {} } = options
  return call('POST', '/v1/bookings', {
    headers: headersOf(options),
    ...(key && { key }),
    body: bookingInput(eventTypeId, SLOT + (at * HOUR_MS) / 2, { invitee_email: email, ...input }),
  })
}

function joinAt(eventTypeId: string, at: number | null, options: Options = {}) {
  const { email = address(), key } = options
  const start_time = at === null ? null : iso(SLOT + (at * HOUR_MS) / 2)
  return call('POST', '/v1/waitlist', {
    headers: headersOf(options),
    ...(key && { key }),
    body: { event_type_id: eventTypeId, invitee_name: 'Ada', invitee_email: email, start_time },
  })
}

function expectBrake({ status, headers, body }: Answered, limit: string) {
  expect([status, body.error.code, body.error.details.limit]).toEqual([429, 'rate_limit_exceeded', limit])
  const seconds = Number(headers.get('Retry-After'))
  expect(seconds).toBeGreaterThan(0)
  expect([body.retry_after, body.error.details.retry_after]).toEqual([seconds, seconds])
}

function tally(answers: readonly Answered[]) {
  return Map.groupBy(answers, ({ status }) => status)
}

function rowsWrittenBy(table: string, organizationId: string) {
  const query = `SELECT count(*) AS n FROM ${table} WHERE organization_id = ?`
  return env.DB.prepare(query).bind(organizationId).first<number>('n')
}

describe('what one network may book', () => {
  it('ends with the limit of the hour, however many calls come at once and whatever they book', async () => {
    const organization = await organizationWith({ bookings_per_network_hour: 5 })
    const types = await Promise.all(
      [1, 2, 3].map(() => createEventType(organization.liveKey, { waitlist_enabled: true })),
    )
    const from = freshAddress()
    const calls = Array.from({ length: 18 }, (_, at) => {
      const { id } = types[at % 3]
      return at % 6 < 3 ? bookAt(id, at, { from }) : joinAt(id, at, { from })
    })
    const answers = tally(await Promise.all(calls))
    expect([answers.get(201)?.length, answers.get(429)?.length]).toEqual([5, 13])
    for (const refused of answers.get(429)!) expectBrake(refused, 'bookings_per_network_hour')
    const made = await Promise.all(
      ['bookings', 'waitlist_entries'].map((table) => rowsWrittenBy(table, organization.id)),
    )
    expect(made[0]! + made[1]!).toBe(5)
    expect((await bookAt(types[0].id, 30)).status).toBe(201)
  })

  it('is one account for the /64 of an IPv6 address and for every spelling of it', async () => {
    const organization = await organizationWith({ bookings_per_network_hour: 2 })
    const { id } = await createEventType(organization.liveKey)
    const answers = [
      await bookAt(id, 0, { from: '2001:db8:1:2::1' }),
      await bookAt(id, 1, { from: '2001:0DB8:1:2:ffff::9' }),
      await bookAt(id, 2, { from: '2001:db8:1:2:0:0:0:77' }),
      await bookAt(id, 2, { from: '2001:db8:1:3::1' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429, 201])
  })

  it('takes nothing from what a key may do, nor from the other mode or another organization', async () => {
    const limits = { bookings_per_network_hour: 1, active_per_email: 1, pending_per_network: 1 }
    const [organization, other] = await Promise.all([organizationWith(limits), organizationWith(limits)])
    const [live, test, foreign] = await Promise.all([
      createEventType(organization.liveKey),
      createEventType(organization.testKey),
      createEventType(other.liveKey),
    ])
    const caller = { from: freshAddress(), email: address() }
    expect((await bookAt(live.id, 0, caller)).status).toBe(201)
    expect((await bookAt(live.id, 1, caller)).status).toBe(429)
    const mode = { 'X-Org-Id': organization.id, 'CF-Connecting-IP': caller.from }
    const asService = await callAsService('POST', '/v1/bookings', {
      headers: mode,
      body: bookingInput(live.id, SLOT + HOUR_MS, { invitee_email: caller.email }),
    })
    const answers = [
      asService,
      await bookAt(live.id, 3, { ...caller, key: organization.liveKey }),
      await bookAt(live.id, 4, { ...caller, key: organization.liveKey }),
      await bookAt(test.id, 0, caller),
      await bookAt(foreign.id, 0, caller),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    expectBrake(await bookAt(test.id, 1, caller), 'bookings_per_network_hour')
  })

  it('stores neither the network nor the address it counts in the clear', async () => {
    const organization = await organizationWith()
    const { id } = await createEventType(organization.liveKey)
    const [from, email] = [freshAddress(), address()]
    const { body } = await bookAt(id, 0, { from, email })
    const { results } = await env.DB.prepare('SELECT subject FROM public_counts WHERE subject LIKE ?')
      .bind(`%${organization.id}%`)
      .all<{ subject: string }>()
    const marks = await env.DB.prepare('SELECT network_mark, address_mark FROM bookings WHERE id = ?')
      .bind(body.id)
      .first<Record<string, string>>()
    expect(results).toHaveLength(1)
    const kept = JSON.stringify([results, marks])
    expect(marks!.network_mark).toMatch(/^[\w-]{21}$/)
    expect([kept.includes(from), kept.includes(email.split('@')[0]!)]).toEqual([false, false])
  })

  it('is forgotten after an hour', async () => {
    const organization = await organizationWith()
    const { id } = await createEventType(organization.liveKey)
    await bookAt(id, 0)
    const count = () =>
      env.DB.prepare('SELECT count(*) AS n FROM public_counts WHERE subject LIKE ?')
        .bind(`%${organization.id}%`)
        .first<number>('n')
    await sweep(env, Date.now())
    expect(await count()).toBe(1)
    await sweep(env, Date.now() + HOUR_MS)
    expect(await count()).toBe(0)
  })
})

describe('what one network may leave unpaid', () => {
  it('ends with five bookings in the organization, and allows more when one of them ends', async () => {
    const organization = await organizationWith({})
    const types = await Promise.all(
      [1, 2].map(() => createEventType(organization.testKey, { price_amount: 5_000 })),
    )
    const free = await createEventType(organization.testKey)
    const from = freshAddress()
    const calls = Array.from({ length: 10 }, (_, at) => bookAt(types[at % 2].id, at, { from }))
    const answers = tally(await Promise.all(calls))
    expect([answers.get(201)?.length, answers.get(429)?.length]).toEqual([5, 5])
    const [refused] = answers.get(429)!
    expectBrake(refused!, 'pending_per_network')
    expect(refused!.body.retry_after).toBeLessThanOrEqual(1_800)
    expect((await bookAt(free.id, 0, { from })).status).toBe(201)
    expect((await bookAt(types[0].id, 20)).status).toBe(201)

    const { id, cancel_token } = answers.get(201)![0]!.body
    await call('POST', `/v1/bookings/${id}/cancel?token=${cancel_token}`)
    expect((await bookAt(types[0].id, 21, { from })).status).toBe(201)
    expectBrake(await bookAt(types[0].id, 22, { from }), 'pending_per_network')
  })
})

describe('what one address may book', () => {
  it('ends with its upcoming bookings of one event type, in whatever way it is written', async () => {
    const organization = await organizationWith({ active_per_email: 2 })
    const [one, another] = await Promise.all([
      createEventType(organization.liveKey),
      createEventType(organization.liveKey),
    ])
    const [name] = address().split('@')
    const calls = ['', '+a', '+b', '+c+d', ''].map((tag, at) =>
      bookAt(one.id, at, { email: `${at % 2 ? name!.toUpperCase() : name}${tag}@Example.com` }),
    )
    const answers = tally(await Promise.all(calls))
    expect([answers.get(201)?.length, answers.get(429)?.length]).toEqual([2, 3])
    for (const refused of answers.get(429)!) expectBrake(refused, 'active_per_email')
    const email = `${name}@example.com`
    expect((await bookAt(another.id, 0, { email })).status).toBe(201)
    const { id, cancel_token } = answers.get(201)![0]!.body
    await call('POST', `/v1/bookings/${id}/cancel?token=${cancel_token}`)
    expect((await bookAt(one.id, 10, { email })).status).toBe(201)
    expectBrake(await bookAt(one.id, 11, { email }), 'active_per_email')
  })

  it('counts no booking that is past', async () => {
    const organization = await organizationWith({ active_per_email: 1 })
    const { id } = await createEventType(organization.testKey)
    const email = address()
    await bookAt(id, 0, { email })
    const refused = await bookAt(id, 1, { email })
    expectBrake(refused, 'active_per_email')
    // To the minute it would tell anybody when that booking is.
    const midnight = Math.ceil((SLOT + 1) / (24 * HOUR_MS)) * 24 * HOUR_MS
    expect(Math.abs(refused.body.retry_after - (midnight - Date.now()) / 1000)).toBeLessThan(60)
    const body = { now: iso(SLOT + 60_000) }
    await call('PUT', '/v1/test-data/clock', { key: organization.testKey, body })
    expect((await bookAt(id, 2, { email })).status).toBe(201)
  })
})

describe('what one address may wait for', () => {
  it('ends with three entries of one event type', async () => {
    const organization = await organizationWith()
    const { id } = await createEventType(organization.liveKey, { waitlist_enabled: true })
    const [name] = address().split('@')
    const calls = [null, 1, 2, 3, 4].map((at, nth) => joinAt(id, at, { email: `${name}+${nth}@example.com` }))
    const answers = tally(await Promise.all(calls))
    expect([answers.get(201)?.length, answers.get(429)?.length]).toEqual([3, 2])
    for (const refused of answers.get(429)!) expectBrake(refused, 'waiting_per_email')
    const withKey = await joinAt(id, 5, { email: `${name}@example.com`, key: organization.liveKey })
    expect(withKey.status).toBe(201)
  })

  it('is promoted beyond every limit, and counts as booked from then on', async () => {
    const organization = await organizationWith({ bookings_per_network_hour: 3, active_per_email: 1 })
    const { id } = await createEventType(organization.liveKey, { waitlist_enabled: true })
    const waiting = { from: freshAddress(), email: address() }
    const { body: taken } = await bookAt(id, 0)
    await bookAt(id, 1, waiting)
    const { body: entry } = await joinAt(id, 0, waiting)
    await call('POST', `/v1/bookings/${taken.id}/cancel?token=${taken.cancel_token}`)
    const promoted = await call('GET', `/v1/waitlist/${entry.id}`, { key: organization.liveKey })
    expect(promoted.body.status).toBe('promoted')

    await setLimits(organization, { active_per_email: 3 })
    expect((await bookAt(id, 2, waiting)).status).toBe(201)
    await setLimits(organization, { bookings_per_network_hour: null })
    expectBrake(await bookAt(id, 3, waiting), 'active_per_email')
  })
})

describe('a refusal for a limit', () => {
  it('comes after the plan, and before what is open', async () => {
    const organization = await organizationWith({ bookings_per_network_hour: 1 }, { tier: 'free' })
    const { id } = await createEventType(organization.liveKey)
    const from = freshAddress()
    expect((await bookAt(id, 0, { from })).status).toBe(201)
    expectBrake(await bookAt(id, 0, { from }), 'bookings_per_network_hour')
    expectBrake(await bookAt(id, 0.1, { from }), 'bookings_per_network_hour')
    for (let at = 1; at < 10; at++) {
      expect((await bookAt(id, at, { key: organization.liveKey })).status).toBe(201)
    }
    expect((await bookAt(id, 20, { from })).body.error.code).toBe('plan_limit_exceeded')
  })

  it('is not kept under an Idempotency-Key, and replaces no answer that is', async () => {
    const organization = await organizationWith({ bookings_per_network_hour: 1 })
    const { id } = await createEventType(organization.liveKey, { waitlist_enabled: true })
    const caller = { from: freshAddress(), email: address() }
    const first = await bookAt(id, 0, { ...caller, idempotencyKey: 'first' })
    const again = await bookAt(id, 0, { ...caller, idempotencyKey: 'first' })
    expect([again.status, again.headers.get('Idempotent-Replayed'), again.body.id]).toEqual([
      201,
      'true',
      first.body.id,
    ])
    expectBrake(await bookAt(id, 1, { ...caller, idempotencyKey: 'second' }), 'bookings_per_network_hour')
    await setLimits(organization, { bookings_per_network_hour: 2 })
    expect((await bookAt(id, 1, { ...caller, idempotencyKey: 'second' })).status).toBe(201)
  })
})

describe('what a token may ask of one booking', () => {
  const cancel = ({ id, cancel_token }: Booked, headers = {}) =>
    call('POST', `/v1/bookings/${id}/cancel?token=${cancel_token}`, { headers })
  const move = ({ id, cancel_token }: Booked, at: number, key?: string) =>
    call('POST', `/v1/bookings/${id}/reschedule${key ? '' : `?token=${cancel_token}`}`, {
      ...(key && { key }),
      body: { new_start_time: iso(SLOT + (at * HOUR_MS) / 2) },
    })

  it('ends with sixty calls a minute, and does not limit callers with a key, another booking or a wrong token', async () => {
    stayInOneMinute(15)
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey)
    const [{ body: one }, { body: other }] = [await bookAt(id, 0), await bookAt(id, 1)]
    const wrong = await Promise.all(
      Array.from({ length: 5 }, () => cancel({ ...one, cancel_token: other.cancel_token })),
    )
    expect(wrong.map(({ status }) => status)).toEqual(Array(5).fill(401))
    const answers = tally(
      await Promise.all(Array.from({ length: 70 }, (_, at) => (at % 2 ? cancel(one) : move(one, 2)))),
    )
    expect(answers.get(429)).toHaveLength(10)
    for (const refused of answers.get(429)!) expectBrake(refused, 'calls_per_booking_minute')
    expect((await cancel(other)).status).toBe(200)
    const withKey = await call('POST', `/v1/bookings/${one.id}/cancel`, { key: organization.liveKey })
    expect(withKey.status).toBe(200)
  })

  it('ends with sixty calls a minute on the pages of the booking too, and with both together', async () => {
    stayInOneMinute(20)
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const { body: one } = await bookAt(id, 0)
    const own = (page: string) => `/bookings/${one.id}${page}?token=${one.cancel_token}`
    const asked = await Promise.all([
      ...Array.from({ length: 20 }, () => visit(own(''))),
      ...Array.from({ length: 20 }, () => visit(own('/invite.ics'))),
      ...Array.from({ length: 20 }, () => call('GET', `/v1${own('')}`)),
    ])
    expect(asked.map(({ status }) => status)).toEqual(Array(60).fill(200))
    const refused = await visit(own(''))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(refused.text).not.toContain('NaN')
    expect((await visit(own('/cancel'), { form: { token: one.cancel_token } })).status).toBe(429)
    expectBrake(await cancel(one), 'calls_per_booking_minute')
  })

  it('ends with ten moves in 24 hours, and moves to the current start do not count', async () => {
    const organization = await organizationWith()
    const { id } = await createEventType(organization.testKey)
    const { body: booked } = await bookAt(id, 0)
    const { body: other } = await bookAt(id, 40)
    const clock = (now: number) =>
      call('PUT', '/v1/test-data/clock', { key: organization.testKey, body: { now: iso(now) } })
    const start = Date.now()
    for (let at = 1; at <= 10; at++) {
      expect((await move(booked, at)).status).toBe(200)
      if (at === 5) await clock(start + 10 * HOUR_MS)
    }
    expect((await move(booked, 10)).status).toBe(200)
    const refused = await move(booked, 11)
    expectBrake(refused, 'reschedules_per_booking_day')
    expect(Math.abs(refused.body.retry_after - 14 * 3_600)).toBeLessThan(60)
    expect((await move(other, 41)).status).toBe(200)
    expect((await move(booked, 12, organization.testKey)).status).toBe(200)
    await clock(start + 24.5 * HOUR_MS)
    expect((await move(booked, 13)).status).toBe(200)
  })

  it('releases a place in the monthly quota within fifteen minutes, once, also to the waitlist', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const { id } = await createEventType(organization.liveKey, { waitlist_enabled: true })
    const booked: Booked[] = []
    for (let at = 0; at < 10; at++) booked.push((await bookAt(id, at)).body)
    const remaining = async () =>
      (await call('GET', '/v1/usage', { key: organization.liveKey })).body.usage.bookings_remaining_monthly
    const { body: entry } = await joinAt(id, 0)
    expect((await cancel(booked[1]!)).status).toBe(200)
    await cancel(booked[1]!)
    expect(await remaining()).toBe(1)
    expect((await cancel(booked[0]!)).status).toBe(200)
    const waited = await call('GET', `/v1/waitlist/${entry.id}`, { key: organization.liveKey })
    expect([waited.body.status, await remaining()]).toEqual(['promoted', 1])
  })

  it('releases no place in the monthly quota later, or if a key made or cancelled the booking', async () => {
    const organization = await createOrganization({ tier: 'free' })
    const { id } = await createEventType(organization.liveKey)
    const key = organization.liveKey
    const old = (await bookAt(id, 0)).body
    await env.DB.prepare('UPDATE bookings SET created_at = created_at - 900001 WHERE id = ?')
      .bind(old.id)
      .run()
    await cancel(old)
    await cancel((await bookAt(id, 1, { key })).body)
    const { body: third } = await bookAt(id, 2)
    await call('POST', `/v1/bookings/${third.id}/cancel`, { key })
    const { body } = await call('GET', '/v1/usage', { key })
    expect(body.usage.bookings_this_month).toBe(3)
  })
})

describe('what counting costs', () => {
  /** What making one booking and one entry takes, by whoever `tenant` names. */
  async function costOf(eventTypeId: string, tenant: Tenant | null, at: number) {
    const counted = countedEnv()
    const workplace = {
      env: counted.env,
      memory: new ScheduleMemory(),
      checks: new CalendarLooks(counted.env),
      announce: () => {},
      announceReleased: () => {},
      waitlist,
    }
    const origin = {
      actorType: 'invitee',
      actorId: null,
      ipAddress: freshAddress(),
      requestId: null,
    } as const
    const command = { origin, claim: null, now: realNow(), eventTypeId, tenant }
    const asked = bookingInput(eventTypeId, SLOT + at * HOUR_MS, { invitee_email: address() })
    const measured = async (work: Promise<{ kind: string }>) => {
      expect((await work).kind).toBe('done')
      const written = counted.ran.reduce((sum, one) => sum + one.written, 0)
      const told = { trips: counted.trips.count, statements: counted.ran.length, written }
      counted.ran.length = 0
      counted.trips.count = 0
      return told
    }
    const input = CreateBookingInput.parse(asked)
    return {
      booking: await measured(
        runPlan(workplace, createBooking({ ...command, input }), workplace.memory.tick()),
      ),
      entry: await measured(
        runPlan(
          workplace,
          joinWaitlist({
            ...command,
            input: JoinWaitlistInput.parse({ ...asked, start_time: null }),
          }),
          workplace.memory.tick(),
        ),
      ),
    }
  }

  it('is two rows of an anonymous caller, none of a key, and no round trip of either', async () => {
    const organization = await createOrganization()
    const { id } = await createEventType(organization.liveKey, { waitlist_enabled: true })
    const tenant = { organizationId: organization.id, isTest: false }
    await costOf(id, tenant, 0)
    const keyed = await costOf(id, tenant, 1)
    const anonymous = await costOf(id, null, 2)
    expect([keyed.booking.trips, keyed.entry.trips]).toEqual([2, 2])
    expect([anonymous.booking.trips, anonymous.entry.trips]).toEqual([2, 2])
    expect(anonymous.booking.written - keyed.booking.written).toBe(2)
    expect(anonymous.entry.written - keyed.entry.written).toBe(2)
    expect(anonymous.booking.statements - keyed.booking.statements).toBe(3)
  })
})

describe('the limits of an organization', () => {
  const DEFAULTS = {
    bookings_per_network_hour: 60,
    pending_per_network: 5,
    active_per_email: 10,
    waiting_per_email: 3,
    attendees_per_booking: 10,
    sms_per_number_day: 5,
    sms_per_day: 100,
  }

  it('are returned with it, can be changed one by one, and are reset with null', async () => {
    const owner = unique('owner')
    const { body: made } = await callAsService('POST', '/v1/organizations', {
      body: { name: unique('Acme'), owner_user_id: owner },
    })
    expect(made.public_limits).toEqual(DEFAULTS)
    const patched = await setLimits(made, { pending_per_network: 1, active_per_email: 1_000_000 })
    const changed = { ...DEFAULTS, pending_per_network: 1, active_per_email: 1_000_000 }
    expect([patched.status, patched.body.public_limits]).toEqual([200, changed])
    const got = await callAsService('GET', `/v1/organizations?owner_user_id=${owner}`)
    expect(got.body.public_limits).toEqual(changed)
    const back = await setLimits(made, { pending_per_network: null })
    expect(back.body.public_limits).toEqual({ ...changed, pending_per_network: 5 })
  })

  it('take whole numbers from 1 to 1,000,000 and leave everything as it was otherwise', async () => {
    const organization = await createOrganization()
    for (const wrong of [0, -1, 1.5, 1_000_001, '5', true]) {
      const { status, body } = await setLimits(organization, { waiting_per_email: wrong as number })
      expect([status, Object.keys(body.error.details)]).toEqual([400, ['public_limits.waiting_per_email']])
    }
    const { body } = await setLimits(organization, {})
    expect(body.public_limits).toEqual(DEFAULTS)
  })
})
