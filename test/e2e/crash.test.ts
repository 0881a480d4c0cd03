import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { amount, chance, SEED } from '../support/chance.ts'
import { queryState, SERVICE_KEY, type Service, startService } from '../support/service.ts'

const CRASHES = amount(2, 12)
/** Acknowledged changes between two crashes. */
const STORM = amount(20, 60)
/** Every other crash follows an answer at once; the rest come at any moment of a change. */
const MAX_DELAY_MS = 25
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const DURATION_MS = 30 * MINUTE_MS
/** Far enough ahead that no start passes while the test runs. */
const RANGE = [2, 21].map((days) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10))
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

type EventType = {
  readonly id: string
  readonly beforeMs: number
  readonly afterMs: number
  /** Every start that was open before anybody booked. */
  readonly starts: readonly string[]
}
type Booking = {
  readonly id: string
  readonly event_type_id: string
  readonly status: string
  readonly start_time: string
  readonly invitee_email: string
  readonly cancel_token?: string
}
/** Where a booking may be: one place when every change of it was answered, two when the last answer was lost. */
type Places = readonly (string | 'cancelled')[]
type Attempt = {
  readonly email: string
  readonly body: Readonly<Record<string, string>>
  readonly key: string | null
  answer: Booking | 'refused' | 'lost'
  places: Places
}
type Answer<T> = { readonly status: number; readonly headers: Headers; readonly body: T }

let directory: string
let bundle: string
let service: Service
let key: string
let organizationId: string
let eventTypes: EventType[]
let callers = 0

async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  callers += 1
  const response = await fetch(new URL(path, service.url), {
    method,
    headers: {
      'CF-Connecting-IP': `10.0.${callers >> 8}.${callers & 255}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as T }
}

const withKey = () => ({ Authorization: `Bearer ${key}` })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'crash-'))
  bundle = await takeBuilt(directory)
  service = await startService(bundle, directory)
  const asService = { Authorization: `Bearer ${SERVICE_KEY}` }
  const named = { name: 'Crash', owner_user_id: randomUUID() }
  const organization = await call<{ id: string }>('POST', '/v1/organizations', named, asService)
  organizationId = organization.body.id
  await call('PATCH', `/v1/organizations/${organizationId}`, { tier: 'scale' }, asService)
  const inOrganization = { ...asService, 'X-Org-Id': organizationId }
  key = (await call<{ key: string }>('POST', '/v1/api-keys', { name: 'crash' }, inOrganization)).body.key
  eventTypes = await Promise.all([createEventType(0, 0), createEventType(0, 0), createEventType(10, 5)])
})

afterAll(async () => {
  await service?.kill()
  await rm(directory, { recursive: true, force: true })
})

async function createEventType(before: number, after: number): Promise<EventType> {
  const input = {
    title: 'Crash',
    slug: `crash-${randomUUID()}`,
    duration_minutes: DURATION_MS / MINUTE_MS,
    buffer_before_minutes: before,
    buffer_after_minutes: after,
    minimum_notice_minutes: 0,
    timezone: 'UTC',
  }
  const { id } = (await call<{ id: string }>('POST', '/v1/event-types', input, withKey())).body
  await call('PUT', `/v1/event-types/${id}/availability`, { rules: ALL_DAY }, withKey())
  return { id, beforeMs: before * MINUTE_MS, afterMs: after * MINUTE_MS, starts: await openStarts(id) }
}

async function openStarts(eventTypeId: string): Promise<string[]> {
  const query = `event_type_id=${eventTypeId}&start=${RANGE[0]}&end=${RANGE[1]}&timezone=UTC`
  const { body } = await call<{ slots: { start_time: string }[] }>('GET', `/v1/availability?${query}`)
  return body.slots.map(({ start_time }) => start_time)
}

const { roll, pick: oneOf } = chance(SEED)

function send(attempt: Attempt): Promise<Answer<Booking>> {
  return call('POST', '/v1/bookings', attempt.body, attempt.key ? { 'Idempotency-Key': attempt.key } : {})
}

/** One client after another books, moves and cancels what it booked itself, until the service dies. */
class Storm {
  readonly attempts: Attempt[] = []
  readonly unexpected: unknown[] = []
  readonly #delayMs: number
  readonly #isRush: boolean
  #acknowledged = 0
  #death: Promise<void> | null = null

  /** In a rush all clients book one event type, so that most of their commands share a commit with others. */
  constructor(delayMs: number, isRush: boolean) {
    this.#delayMs = delayMs
    this.#isRush = isRush
  }

  async rage(clients: number): Promise<void> {
    await Promise.all(Array.from({ length: clients }, (_, index) => this.#client(index)))
    await this.#death
  }

  #acknowledge(): void {
    this.#acknowledged += 1
    if (this.#acknowledged !== STORM) return
    if (this.#delayMs === 0) this.#kill()
    else setTimeout(() => this.#kill(), this.#delayMs)
  }

  #kill(): void {
    this.#death ??= service.kill()
  }

  async #client(index: number): Promise<void> {
    const own: Attempt[] = []
    while (!this.#death) {
      const mine = own.filter(({ places }) => places.length === 1 && places[0] !== 'cancelled')
      const luck = roll()
      try {
        // Every fourth client only books, with keys: one of its requests is always on its way.
        const isBooking = this.#isRush || index % 4 === 0 || mine.length === 0 || luck < 0.6
        if (isBooking) own.push(await this.#book(index))
        else if (luck < 0.8) await this.#change(oneOf(mine), 'cancelled')
        else await this.#change(oneOf(mine), oneOf(eventTypes[0]!.starts))
      } catch (error) {
        if (!this.#death) this.#fail(error)
        return
      }
    }
  }

  async #book(index: number): Promise<Attempt> {
    const { id, starts } = this.#isRush ? eventTypes[0]! : oneOf(eventTypes)
    const email = `${randomUUID()}@example.com`
    const isRace = index % 4 !== 0
    const body = {
      event_type_id: id,
      start_time: oneOf(isRace ? starts.slice(0, 60) : starts.slice(60)),
      invitee_name: 'Ada Lovelace',
      invitee_email: email,
    }
    const isRepeatable = !isRace || roll() < 0.4
    const attempt: Attempt = {
      email,
      body,
      key: isRepeatable ? randomUUID() : null,
      answer: 'lost',
      places: [body.start_time],
    }
    this.attempts.push(attempt)
    const { status, body: booking } = await send(attempt)
    if (status === 201) {
      attempt.answer = booking
      attempt.places = [booking.start_time]
      this.#acknowledge()
    } else {
      attempt.answer = 'refused'
      attempt.places = []
      this.#expectRefusal(status, booking)
    }
    return attempt
  }

  async #change(attempt: Attempt, place: string): Promise<void> {
    const { id, cancel_token } = attempt.answer as Booking
    const path = `/v1/bookings/${id}/${place === 'cancelled' ? 'cancel' : 'reschedule'}?token=${cancel_token}`
    const before = attempt.places
    attempt.places = [...before, place]
    const { status, body } = await call('POST', path, place === 'cancelled' ? {} : { new_start_time: place })
    attempt.places = status === 200 ? [place] : before
    if (status === 200) this.#acknowledge()
    else this.#expectRefusal(status, body)
  }

  #expectRefusal(status: number, body: unknown): void {
    if (status !== 409) this.#fail({ status, body })
  }

  #fail(what: unknown): void {
    this.unexpected.push(what)
    this.#kill()
  }
}

async function listBookings(): Promise<Booking[]> {
  const found: Booking[] = []
  for (let after = ''; ; after = `&starting_after=${found.at(-1)!.id}`) {
    type Page = { readonly data: Booking[]; readonly has_more: boolean }
    const { body } = await call<Page>('GET', `/v1/bookings?limit=100${after}`, undefined, withKey())
    found.push(...body.data)
    if (!body.has_more) return found
  }
}

/** Sends again what was not answered, twice: it must end in one booking or in none, and say so both times. */
async function repeatLost(attempts: readonly Attempt[]): Promise<number> {
  const lost = attempts.filter(({ answer, key }) => answer === 'lost' && key)
  for (const attempt of lost) {
    const first = await send(attempt)
    const second = await send(attempt)
    expect([201, 409]).toContain(first.status)
    expect(second.status).toBe(first.status)
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(second.body).toEqual(first.body)
    attempt.answer = first.status === 201 ? first.body : 'refused'
    attempt.places = first.status === 201 ? [first.body.start_time] : []
  }
  return lost.length
}

async function expectReplays(attempts: readonly Attempt[]): Promise<void> {
  const answered = attempts.filter(({ answer, key }) => typeof answer === 'object' && key)
  for (const attempt of answered.slice(-100)) {
    const { status, headers, body } = await send(attempt)
    expect(status).toBe(201)
    expect(headers.get('Idempotent-Replayed')).toBe('true')
    expect(body).toEqual(attempt.answer)
  }
}

/** What is stored is what was answered, and nothing that nobody asked for. From here on it stays where it is. */
function expectAllPlaces(attempts: readonly Attempt[], bookings: readonly Booking[]): void {
  const byEmail = Map.groupBy(bookings, (booking) => booking.invitee_email)
  for (const attempt of attempts) {
    const { email, answer, places } = attempt
    const stored = byEmail.get(email) ?? []
    byEmail.delete(email)
    if (typeof answer === 'object') expect(stored.map(({ id }) => id)).toEqual([answer.id])
    else expect(stored.length).toBeLessThanOrEqual(answer === 'lost' ? 1 : 0)
    for (const { status, start_time } of stored) {
      const place = status === 'cancelled' ? status : start_time
      expect(places).toContain(place)
      attempt.places = [place]
    }
  }
  expect([...byEmail.keys()]).toEqual([])
}

/** Each start is open exactly when no active booking stands in its way, and then it can be booked. */
async function expectNoStuckSlot(eventType: EventType, bookings: readonly Booking[]): Promise<void> {
  const { id, beforeMs, afterMs, starts } = eventType
  const taken = bookings
    .filter(({ event_type_id, status }) => event_type_id === id && status !== 'cancelled')
    .map(({ start_time }) => Date.parse(start_time))
    .sort((a, b) => a - b)
  const lengthMs = beforeMs + DURATION_MS + afterMs
  for (const [index, start] of taken.entries()) {
    expect(start - (taken[index - 1] ?? 0)).toBeGreaterThanOrEqual(lengthMs)
  }
  const isFree = (start: string) => taken.every((other) => Math.abs(Date.parse(start) - other) >= lengthMs)
  const offered = await openStarts(id)
  expect(offered).toEqual(starts.filter(isFree))

  const booked: number[] = []
  for (const start of new Set(Array.from({ length: 25 }, () => oneOf(offered)))) {
    const isInTheWay = booked.some((other) => Math.abs(other - Date.parse(start)) < lengthMs)
    expect((await bookLate(id, start)).status).toBe(isInTheWay ? 409 : 201)
    if (!isInTheWay) booked.push(Date.parse(start))
  }
  for (const start of taken.slice(0, 25)) {
    expect((await bookLate(id, new Date(start).toISOString())).status).toBe(409)
  }
}

function bookLate(event_type_id: string, start_time: string): Promise<Answer<Booking>> {
  const invitee = { invitee_name: 'Grace Hopper', invitee_email: `${randomUUID()}@example.com` }
  return call('POST', '/v1/bookings', { event_type_id, start_time, ...invitee })
}

/** What the database holds beside the bookings agrees with them. */
async function expectConsistentRecords(): Promise<void> {
  const [gaps, holds, counters, quota] = queryState(directory, [
    `SELECT count(*) AS events, max(sequence) AS last,
       (SELECT count(*) FROM activity WHERE action LIKE 'booking.%')
         + (SELECT count(*) FROM bookings WHERE log_entry IS NOT NULL) AS activity,
       count(*) FILTER (WHERE kind = 'booking.created') AS created, (SELECT count(*) FROM bookings) AS bookings,
       count(*) FILTER (WHERE kind = 'booking.cancelled') AS cancelled,
       (SELECT count(*) FROM bookings WHERE status = 'cancelled') AS cancelled_bookings
     FROM events`,
    `SELECT b.id, h.holder_id FROM (SELECT * FROM bookings WHERE status <> 'cancelled') b
     FULL JOIN holds h ON h.holder_id = b.id WHERE b.id IS NULL OR h.holder_id IS NULL`,
    `SELECT id FROM event_types e WHERE active_bookings <>
       (SELECT count(*) FROM bookings WHERE event_type_id = e.id AND status <> 'cancelled')`,
    // Whoever cancels at once gives the place in the month back.
    `SELECT sum(bookings) AS counted, (SELECT count(*) FROM bookings WHERE status <> 'cancelled') AS kept FROM booking_quotas`,
  ])
  const [told] = gaps!
  expect(told).toMatchObject({ last: told!.events!, activity: told!.events! })
  expect(told).toMatchObject({ created: told!.bookings!, cancelled: told!.cancelled_bookings! })
  expect(holds).toEqual([])
  expect(counters).toEqual([])
  expect(quota![0]!.counted).toBe(quota![0]!.kept)
}

it('loses no acknowledged booking and leaves no slot stuck when the process is killed in a storm of bookings', async () => {
  const attempts: Attempt[] = []
  for (let crash = 0; crash < CRASHES; crash++) {
    const isRush = crash % 3 === 2
    const storm = new Storm(crash % 2 === 0 ? 0 : roll() * MAX_DELAY_MS, isRush)
    await storm.rage(isRush ? 60 : 24)
    expect(storm.unexpected).toEqual([])
    attempts.push(...storm.attempts)
    service = await startService(bundle, directory)
  }

  expectAllPlaces(attempts, await listBookings())
  expect(await repeatLost(attempts)).toBeGreaterThan(0)
  await expectReplays(attempts)
  const bookings = await listBookings()
  expectAllPlaces(attempts, bookings)
  for (const eventType of eventTypes) await expectNoStuckSlot(eventType, bookings)
  await service.kill()
  await expectConsistentRecords()
})
