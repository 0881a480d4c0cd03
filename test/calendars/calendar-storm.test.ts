import { env } from 'cloudflare:workers'
import ICAL from 'ical.js'
import { afterEach, expect, inject, it, vi } from 'vitest'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { call } from '../support/app.ts'
import { CALDAV_USERS, deleteResource, getResource, makeCalendar, putEvent } from '../support/caldav.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { syncNow } from '../support/sync.ts'

type Row = Record<string, any>

const MINUTE_MS = 60_000
const HALF_HOUR_MS = 30 * MINUTE_MS
const DAY = dayFromNow(4)
const STARTS = Array.from({ length: 24 }, (_, at) => DAY + 8 * 60 * MINUTE_MS + at * HALF_HOUR_MS)
const HOURS = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '08:00',
  end_time: '20:00',
}))
const ROUNDS = amount(20, 900)
const { ada } = CALDAV_USERS
Object.assign(env, { ALLOW_PRIVATE_HOSTS: 'true' })

/** The owner reaches the server by its number, the service by its name: so only one of them can be cut off. */
const OWNERS = inject('radicale')
const SERVICES = OWNERS.replace('127.0.0.1', 'localhost')

type Weather = 'fine' | 'down' | 'refused'
let weather: Weather = 'fine'
const throughTo = globalThis.fetch
vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
  const url = input instanceof Request ? input.url : String(input)
  if (!url.startsWith(SERVICES) || weather === 'fine') return throughTo(input, init)
  if (weather === 'down') throw new TypeError('The server is down.')
  return new Response('Go away', { status: 401 })
})
afterEach(() => {
  weather = 'fine'
})

async function rows(query: string, ...values: unknown[]): Promise<Row[]> {
  return (
    await env.DB.prepare(query)
      .bind(...values)
      .all<Row>()
  ).results
}

async function eventsAt(calendarUrl: string): Promise<{ uid: string; start: number; end: number }[]> {
  const text = await getResource(calendarUrl, ada)
  if (!text.includes('BEGIN:VCALENDAR')) return []
  const at = (event: ICAL.Component, name: string) =>
    (event.getFirstPropertyValue(name) as ICAL.Time).toJSDate().getTime()
  return new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => ({
    uid: String(event.getFirstPropertyValue('uid')),
    start: at(event, 'dtstart'),
    end: at(event, 'dtend'),
  }))
}

const utc = (instant: number) => iso(instant).replace(/[-:]|\.\d{3}/g, '')
const timed = (start: number) => [
  `DTSTART:${utc(start)}`,
  `DTEND:${utc(start + HALF_HOUR_MS)}`,
  'SUMMARY:Own',
]

it(
  'a storm of an owner, of invitees and of a server that goes away ends with calendar and bookings agreeing, and every loss reported',
  async () => {
    const { below, pick, roll } = chance(SEED)
    const { id: organizationId, liveKey: key } = await createOrganization()
    const { id: eventTypeId } = await createEventType(key, { reminder_intervals: [] }, HOURS)
    const calendarUrl = await makeCalendar(OWNERS, ada, crypto.randomUUID())
    const connected = await call('POST', '/v1/calendars/caldav/connect', {
      key,
      body: {
        preset: 'custom',
        server_url: `${SERVICES}/`,
        ...ada,
        calendar_url: calendarUrl.replace(OWNERS, SERVICES),
      },
    })
    expect([connected.status, connected.body.error]).toEqual([201, undefined])
    const connectionId: string = connected.body.id

    const own = new Map<string, number>()
    const bookings: string[] = []
    /** Bookings whose event the owner deleted. */
    const unwanted = new Set<string>()

    async function act(): Promise<void> {
      const kind = roll()
      const bookingId = bookings.length > 0 ? pick(bookings) : null
      if (kind < 0.3 || bookingId === null) {
        const { status, body } = await bookAsAnother(eventTypeId, pick(STARTS))
        expect([201, 409]).toContain(status)
        if (status === 201) bookings.push(body.id)
      } else if (kind < 0.4) {
        await call('POST', `/v1/bookings/${bookingId}/cancel`, { key, body: {} })
      } else if (kind < 0.52) {
        const body = { new_start_time: iso(pick(STARTS)) }
        await call('POST', `/v1/bookings/${bookingId}/reschedule`, { key, body })
      } else if (kind < 0.88) {
        // There is one owner, who does one thing after another.
        ownersTurn = ownersTurn.then(() => actAsOwner(kind, bookingId))
        await ownersTurn
      } else await syncNow(env, connectionId)
    }

    let ownersTurn: Promise<void> = Promise.resolve()
    async function actAsOwner(kind: number, bookingId: string): Promise<void> {
      if (kind < 0.7 || own.size === 0) {
        const uid = own.size > 4 && roll() < 0.5 ? pick([...own.keys()]) : crypto.randomUUID()
        const start = pick(STARTS)
        await putEvent(calendarUrl, ada, uid, ...timed(start))
        own.set(uid, start)
      } else if (kind < 0.8) {
        const uid = pick([...own.keys()])
        await deleteResource(`${calendarUrl}${uid}.ics`, ada)
        own.delete(uid)
      } else {
        const [write] = await rows(
          "SELECT event_id FROM calendar_writes WHERE holder_id = ? AND status = 'written' AND event_id IS NOT NULL",
          bookingId,
        )
        if (!write) return
        const url = new URL(write.event_id, OWNERS).href
        const isThere = await deleteResource(url, ada).then(
          () => true,
          () => false,
        )
        if (isThere) unwanted.add(bookingId)
      }
    }

    /** What an hour without the calendar brings about. */
    async function letAnHourPass(): Promise<void> {
      await syncNow(env, connectionId)
      await env.DB.prepare('UPDATE calendar_connections SET tell_at = 1 WHERE id = ? AND tell_at IS NOT NULL')
        .bind(connectionId)
        .run()
      await sweep(env, Date.now())
    }

    const told = async () =>
      (
        await rows(
          "SELECT kind FROM events WHERE organization_id = ? AND kind LIKE 'calendar.%' ORDER BY sequence",
          organizationId,
        )
      ).map(({ kind }) => kind)

    for (const phase of ['fine', 'down', 'fine', 'refused', 'fine'] as const) {
      weather = phase
      for (let round = 0; round < ROUNDS / 5; round++) {
        // Some of them at the same time.
        await Promise.all(Array.from({ length: 1 + below(3) }, act))
      }
      if (phase !== 'fine') await letAnHourPass()
      else await syncNow(env, connectionId)
    }
    expect(await told()).toEqual([
      'calendar.disconnected',
      'calendar.restored',
      'calendar.disconnected',
      'calendar.restored',
    ])

    await vi.waitFor(
      async () => {
        await env.DB.batch(
          [
            'UPDATE calendar_writes SET next_attempt_at = 1 WHERE next_attempt_at IS NOT NULL AND organization_id = ?',
            'UPDATE calendar_writes SET cancel_at = 1 WHERE cancel_at IS NOT NULL AND organization_id = ?',
          ].map((query) => env.DB.prepare(query).bind(organizationId)),
        )
        await syncNow(env, connectionId)
        await sweep(env, Date.now())
        const [open] = await rows(
          `SELECT count(*) AS n FROM calendar_writes WHERE organization_id = ?
             AND (next_attempt_at IS NOT NULL OR cancel_at IS NOT NULL OR suspected_at IS NOT NULL)`,
          organizationId,
        )
        expect(open!.n).toBe(0)
      },
      { timeout: 60_000, interval: 200 },
    )

    const live = await rows(
      "SELECT id, start_time FROM bookings WHERE organization_id = ? AND status <> 'cancelled' ORDER BY id",
      organizationId,
    )
    const there = await eventsAt(calendarUrl)
    const ours = there.filter(({ uid }) => uid.endsWith('@holdfast'))
    expect(
      ours.map(({ uid, start }) => [uid, start]).sort(),
      'each booking has its one event, and no other has any',
    ).toEqual(live.map(({ id, start_time }) => [`${id}@holdfast`, start_time]).sort())
    expect(
      live.filter(({ id }) => unwanted.has(id)),
      'who lost the event is cancelled',
    ).toEqual([])

    const foreign = there.filter(({ uid }) => !uid.endsWith('@holdfast'))
    expect(foreign.map(({ uid, start }) => [uid, start]).sort()).toEqual([...own].sort())
    const busy = await rows(
      'SELECT starts_at, ends_at FROM calendar_busy_times WHERE connection_id = ?',
      connectionId,
    )
    expect(
      busy.map(({ starts_at }) => starts_at).sort(),
      'what is known of the owner is what there is',
    ).toEqual([...own.values()].sort())

    const open = await openStarts(eventTypeId, DAY)
    const taken = new Set([...own.values(), ...live.map(({ start_time }) => start_time)].map(iso))
    expect(
      open.filter((start) => taken.has(start)),
      'nothing taken is offered',
    ).toEqual([])
  },
  SOAK_TIMEOUT_MS,
)
