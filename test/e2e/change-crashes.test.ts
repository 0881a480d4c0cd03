import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCounter } from '../soak/receiver.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { amount, chance, SEED } from '../support/chance.ts'
import { queryState, SERVICE_KEY, type Service, startService } from '../support/service.ts'

const CRASHES = amount(2, 15)
/** Acknowledged changes between two crashes. */
const STORM = amount(15, 60)
/** A process dies at any moment of a change, and soon after an answer. */
const MAX_DELAY_MS = 25
const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const DAY_MS = 48 * HALF_HOUR_MS
const CLASSES = 10
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

type Answer = { readonly status: number; readonly body: any }
/** Where everybody of a meeting is, and how many there are; a host of null may be any. */
type Place = {
  readonly start: string
  readonly isCancelled: boolean
  readonly seats: number
  readonly host: string | null
}
/** A session, or a booking of its own, on a day that nobody else books. */
type Meeting = {
  readonly day: number
  readonly sessionId: string | null
  readonly bookingId: string
  /** Where it is, as answered last, and where an answer was lost. */
  places: readonly Place[]
}

const { below, roll, pick } = chance(SEED)
let directory: string
let bundle: string
let service: Service
let receiver: Awaited<ReturnType<typeof startCounter>>
let headers: Record<string, string> = { Authorization: `Bearer ${SERVICE_KEY}` }

async function call(method: string, path: string, body?: unknown, besides = headers): Promise<Answer> {
  const response = await fetch(new URL(path, service.url), {
    method,
    headers: { 'Content-Type': 'application/json', ...besides },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : JSON.parse(text) }
}

async function must(method: string, path: string, body?: unknown, besides = headers): Promise<any> {
  const answer = await call(method, path, body, besides)
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

let hosts: string[]

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'change-crashes-'))
  bundle = await takeBuilt(directory)
  service = await startService(bundle, directory)
  receiver = await startCounter(() => false)
  const asOperator = headers
  const { id } = await must('POST', '/v1/organizations', { name: 'Crash', owner_user_id: randomUUID() })
  await must('PATCH', `/v1/organizations/${id}`, { tier: 'scale' })
  headers = { ...headers, 'X-Org-Id': id }
  hosts = await Promise.all(
    [1, 2].map(async () => {
      const user_email = `${randomUUID()}@example.com`
      const invited = { email: user_email, role: 'member' }
      const { token } = await must('POST', `/v1/organizations/${id}/invitations`, invited)
      const accepted = { token, user_id: randomUUID(), user_email }
      return (await must('POST', '/v1/invitations/accept', accepted, asOperator)).id
    }),
  )
  await must('POST', '/v1/webhooks', { url: `${receiver.url}/heard`, events: ['*'] })
})

afterAll(async () => {
  await service?.kill()
  await receiver?.stop()
  await rm(directory, { recursive: true, force: true })
})

const startOn = (day: number, at: number) => {
  const midnight = Math.floor(Date.now() / DAY_MS + 2 + day) * DAY_MS
  return new Date(midnight + at * HALF_HOUR_MS).toISOString()
}

async function createEventType(max_attendees: number): Promise<string> {
  const strategy = { max_attendees, assignment_strategy: 'round_robin', minimum_notice_minutes: 0 }
  const named = { title: 'Crash', slug: `crash-${randomUUID()}`, duration_minutes: 30, timezone: 'UTC' }
  const { id } = await must('POST', '/v1/event-types', { ...named, ...strategy })
  await must('PUT', `/v1/event-types/${id}/availability`, { rules: ALL_DAY })
  for (const member_id of hosts) await must('POST', `/v1/event-types/${id}/hosts`, { member_id })
  return id
}

async function meet(event_type_id: string, day: number, people: number): Promise<Meeting> {
  const start_time = startOn(day, 20)
  const book = () => {
    const invitee = { invitee_name: 'Ada Lovelace', invitee_email: `${randomUUID()}@example.com` }
    return must('POST', '/v1/bookings', { event_type_id, start_time, ...invitee })
  }
  const first = await book()
  for (let more = 1; more < people; more++) await book()
  const place = { start: start_time, isCancelled: false, seats: people, host: first.assigned_host.member_id }
  return { day, sessionId: first.session_id, bookingId: first.id, places: [place] }
}

/** A change of a meeting, and where it is then. */
function change({ day, sessionId, bookingId, places }: Meeting): readonly [string, string, object, Place] {
  const place = places[0]!
  const booking = `/v1/bookings/${bookingId}`
  const dice = below(sessionId === null ? 50 : 100)
  if (dice < 30) {
    const member_id = hosts.find((one) => one !== place.host)!
    return ['POST', `${booking}/reassign`, { member_id }, { ...place, host: member_id }]
  }
  const people = sessionId === null ? 0 : below(3)
  if (dice < 60) {
    const attendees = Array.from({ length: people }, () => ({
      name: 'Grace',
      email: `${randomUUID()}@example.com`,
    }))
    const others = sessionId === null ? 1 : 3
    const input = { attendees, location: `Room ${randomUUID()}` }
    return ['PATCH', booking, input, { ...place, seats: others + people }]
  }
  if (dice < 97) {
    const start = startOn(
      day,
      pick([10, 12, 14, 16, 18, 22].filter((at) => startOn(day, at) !== place.start)),
    )
    const body = { new_start_time: start }
    return ['POST', `/v1/sessions/${sessionId}/reschedule`, body, { ...place, start, host: null }]
  }
  return ['POST', `/v1/sessions/${sessionId}/cancel`, {}, { ...place, isCancelled: true }]
}

/** Where all its bookings are: a change that was half made has no such place. */
async function whereIs({ sessionId, bookingId }: Meeting): Promise<Place> {
  const bookings =
    sessionId === null
      ? [await must('GET', `/v1/bookings/${bookingId}`)]
      : (await must('GET', `/v1/bookings?session_id=${sessionId}&limit=100`)).data
  const places = bookings.map((one: any) => [
    one.start_time,
    one.status === 'cancelled',
    one.assigned_host.member_id,
  ])
  expect(new Set(places.map(String)).size, JSON.stringify(places)).toBe(1)
  const [[start, isCancelled, host]] = places
  const seats = bookings.reduce((sum: number, one: any) => sum + one.attendee_count, 0)
  return { start, isCancelled, seats, host }
}

/** One client a meeting changes it, again and again, until the service dies; returns how many answers were lost. */
async function rage(meetings: readonly Meeting[], delayMs: number): Promise<number> {
  let [acknowledged, lost] = [0, 0]
  let death: Promise<void> | null = null
  const client = async (meeting: Meeting) => {
    while (!death && !meeting.places[0]!.isCancelled) {
      const [method, path, body, next] = change(meeting)
      const [before] = meeting.places
      meeting.places = [before!, next]
      try {
        const answer = await call(method, path, body)
        expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBe(200)
      } catch (error) {
        if (!death) throw error
        lost++
        return
      }
      meeting.places = [next]
      if (++acknowledged === STORM) setTimeout(() => (death ??= service.kill()), delayMs)
    }
  }
  await Promise.all(meetings.map(client))
  await death!
  return lost
}

/** The cron as it runs a minute later. */
async function sweepLater(): Promise<void> {
  const time = Date.now() + MINUTE_MS + 1_000
  await (await fetch(new URL(`/cdn-cgi/local/scheduled?time=${time}`, service.url))).text()
}

it('makes a change of a booking or a session wholly or not at all when the process is killed in between', async () => {
  const [group, single] = [await createEventType(8), await createEventType(1)]
  let day = 0
  let lost = 0
  for (let crash = 0; crash < CRASHES; crash++) {
    const meetings: Meeting[] = []
    for (let made = 0; made < CLASSES; made++) {
      meetings.push(await meet(made % 3 === 2 ? single : group, day++, made % 3 === 2 ? 1 : 3))
    }
    lost += await rage(meetings, crash % 2 === 0 ? 0 : roll() * MAX_DELAY_MS)
    service = await startService(bundle, directory)
    for (const meeting of meetings) {
      const place = await whereIs(meeting)
      const possible = meeting.places.map((one) => ({ ...one, host: one.host ?? place.host }))
      expect(possible).toContainEqual(place)
    }
  }
  expect(lost).toBeGreaterThan(0)

  const heard = () => receiver.heardAt('/heard')
  const known = async () => {
    await sweepLater()
    const ids: string[] = []
    for (let after = 0; ; ) {
      const { data, has_more } = await must('GET', `/v1/events?limit=100&after=${after}`)
      ids.push(...data.map((one: any) => one.id))
      if (!has_more) return ids
      after = data.at(-1).sequence
    }
  }
  await expect
    .poll(async () => (await known()).filter((id) => !heard().has(id)), { timeout: 60_000, interval: 1_000 })
    .toEqual([])
  expect([...heard().keys()].toSorted()).toEqual((await known()).toSorted())

  await service.kill()
  const [untold, unheld, seats] = queryState(directory, [
    // Each change is announced once.
    `SELECT b.id, b.revision FROM bookings b WHERE b.revision <> (SELECT count(*) FROM events WHERE data ->> 'id' = b.id)`,
    `SELECT b.id FROM bookings b WHERE b.status <> 'cancelled' AND (
       SELECT group_concat(resource_id || starts_at) FROM holds WHERE holder_id = coalesce(b.session_id, b.id))
       IS NOT b.assigned_host_id || b.start_time
     UNION ALL SELECT holder_id FROM holds WHERE holder_id NOT IN (
       SELECT coalesce(session_id, id) FROM bookings WHERE status <> 'cancelled')`,
    `SELECT s.id FROM sessions s WHERE s.seats_taken <> (SELECT coalesce(sum(json_array_length(attendees)), 0)
       FROM bookings WHERE session_id = s.id AND status <> 'cancelled')`,
  ])
  expect({ untold, unheld, seats }).toEqual({ untold: [], unheld: [], seats: [] })
})
