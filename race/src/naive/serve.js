import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const MINUTE_MS = 60_000
/** What a database takes between the check and the insert. */
const DATABASE_MS = 5

/**
 * A scheduler as many begin: it looks whether a time is free, and then writes it down. Nothing keeps two callers from looking
 * at once, so storms find what they are there to find.
 *
 * @param {number} [port]
 * @returns {Promise<{ url: string, stop(): Promise<void> }>}
 */
export async function serveNaive(port = 0) {
  /** @type {Map<string, any>} */
  const eventTypes = new Map()
  /** @type {any[]} */
  const bookings = []

  const database = () => sleep(DATABASE_MS)
  const active = () => bookings.filter(({ cancelled }) => !cancelled)

  /** @param {any} eventType @param {number} start @param {number} end */
  function isFree(eventType, start, end) {
    const holder = eventType.host ?? eventType.id
    const inTheWay = active().filter(
      (booking) => booking.holder === holder && booking.start < end && start < booking.end,
    )
    const ofDay = active().filter(
      (booking) =>
        booking.event_type_id === eventType.id &&
        Math.floor(booking.start / 86_400_000) === Math.floor(start / 86_400_000),
    )
    return (
      inTheWay.length < (eventType.seats ?? 1) &&
      inTheWay.every((booking) => booking.start === start || (eventType.seats ?? 1) === 1) &&
      (eventType.cap_per_day === undefined || ofDay.length < eventType.cap_per_day)
    )
  }

  /** @type {Record<string, (input: any) => Promise<[number, unknown]>>} */
  const routes = {
    'POST /event-types': async (input) => {
      const eventType = { ...input, id: randomUUID() }
      eventTypes.set(eventType.id, eventType)
      return [201, eventType]
    },
    'GET /open': async ({ event_type_id, from, to }) => {
      const eventType = eventTypes.get(event_type_id)
      await database()
      const starts = []
      for (let start = Number(from); start < Number(to); start += eventType.minutes * MINUTE_MS) {
        if (isFree(eventType, start, start + eventType.minutes * MINUTE_MS)) starts.push(start)
      }
      return [200, { starts }]
    },
    'POST /bookings': async ({ event_type_id, start, minutes, email }) => {
      const eventType = eventTypes.get(event_type_id)
      const end = start + (minutes ?? eventType.minutes) * MINUTE_MS
      await database()
      if (!isFree(eventType, start, end)) return [409, { message: 'taken' }]
      await database()
      const holder = eventType.host ?? eventType.id
      const booking = {
        id: randomUUID(),
        event_type_id,
        holder,
        host: eventType.host ?? null,
        start,
        end,
        email,
      }
      bookings.push(booking)
      return [201, booking]
    },
    'GET /bookings': async ({ event_type_id }) => [
      200,
      { bookings: bookings.filter((booking) => booking.event_type_id === event_type_id) },
    ],
    'POST /cancel': async ({ id }) => {
      await database()
      const booking = bookings.find((booking) => booking.id === id)
      booking.cancelled = true
      return [200, booking]
    },
    'POST /move': async ({ id, start }) => {
      await database()
      const booking = bookings.find((booking) => booking.id === id)
      const end = start + booking.end - booking.start
      if (!isFree(eventTypes.get(booking.event_type_id), start, end)) return [409, { message: 'taken' }]
      await database()
      Object.assign(booking, { start, end })
      return [200, booking]
    },
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://naive')
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const input = text === '' ? Object.fromEntries(searchParams) : JSON.parse(text)
    const [status, body] = (await routes[`${request.method} ${pathname}`]?.(input)) ?? [
      404,
      { message: 'not found' },
    ]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens nowhere')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
