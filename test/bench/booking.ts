import { floorRunners } from './availability.ts'
import { compare, type Runner } from './compare.ts'
import type { Count } from './counted-worker.ts'
import { sendJson } from './http.ts'
import type { Service } from './service.ts'
import { bookingOf, createSubject, freshStarts, type Subject } from './subject.ts'
import { COUNT_HEAD, countRow, FLOOR_NAMES, RATE_HEAD, rateRow, table } from './table.ts'

const ROUNDS = 5
const SECONDS = 1.2
const SPREAD = 20
/** A key of the largest plan may call 2,000 times a minute. */
const MOST_WITH_KEY = 300
const COUNTED = 10
const MINUTE_MS = 60_000
/** How long before its start an event type reminds of a booking, unless it says otherwise. */
const REMINDERS_MINUTES = [1_440, 60]

/** Each round waits until all that it booked is out, so that nobody else's round pays for that. */
export function bookingRunners(service: Service, subject: Subject): readonly Runner[] {
  const { url } = service
  const [single, keyed, ...spread] = subject.eventTypeIds.slice(0, 2 + SPREAD) as [
    string,
    string,
    ...string[],
  ]
  const starts = freshStarts()
  let turn = 0
  const runner = { seconds: SECONDS, settle: service.untilQuiet }
  return [
    {
      ...runner,
      name: '`POST /v1/bookings`, one event type',
      next: () => bookingOf(url, single, starts.next().value),
    },
    {
      ...runner,
      name: `\`POST /v1/bookings\`, ${SPREAD} event types`,
      next: () => bookingOf(url, spread[turn++ % SPREAD]!, starts.next().value),
    },
    {
      ...runner,
      name: '`POST /v1/bookings` with an API key, one event type',
      next: () => bookingOf(url, keyed, starts.next().value, subject.key),
      most: MOST_WITH_KEY,
    },
  ]
}

export async function benchBooking(service: Service): Promise<string[]> {
  const subject = await createSubject(service.url, 2 + SPREAD)
  const compared = await compare([...floorRunners(service), ...bookingRunners(service, subject)], ROUNDS)
  return table(
    RATE_HEAD,
    compared.map((each) =>
      rateRow({ ...each, name: FLOOR_NAMES[each.name as keyof typeof FLOOR_NAMES] ?? each.name }),
    ),
  )
}

/** What bookings ask of the database until each of their letters is out; a service of its own, for its clock is turned on. */
export async function countBooking(service: Service): Promise<string[]> {
  const { url, count, untilQuiet } = service
  const { key, eventTypeIds } = await createSubject(url, 2)
  const rows: string[][] = []
  for (const [who, eventTypeId, bearer] of [
    ['anonymously', eventTypeIds[0]!, undefined],
    ['with an API key', eventTypeIds[1]!, key],
  ] as const) {
    const starts = freshStarts(1)
    const booked: number[] = []
    const book = async () => {
      const start = starts.next().value
      await sendJson(bookingOf(url, eventTypeId, start, bearer))
      booked.push(start)
    }
    await book()
    await untilQuiet()
    rows.push(countRow(`A booking ${who}, until it is answered`, await count(book), 1))
    await untilQuiet()
    const out = await count(async () => {
      for (let made = 0; made < COUNTED; made++) await book()
      await untilQuiet()
    })
    rows.push(countRow(`A booking ${who}, until its letter and its event are out`, out, COUNTED))
    const reminded = await countReminders(service, booked)
    const all = sum(out, scaled(reminded, COUNTED / booked.length))
    rows.push(countRow(`A booking ${who}, all told, with both its reminders`, all, COUNTED))
  }
  return table(COUNT_HEAD, rows)
}

/** What the reminders of these bookings cost, beyond the sweeps that would have run without them. */
export async function countReminders({ count, sweep, untilQuiet }: Service, starts: readonly number[]) {
  const due = starts.flatMap((start) => REMINDERS_MINUTES.map((minutes) => start - minutes * MINUTE_MS))
  const instants = [...new Set(due)].sort((a, b) => a - b)
  const [first] = instants
  await sweep(first! - MINUTE_MS)
  await untilQuiet()
  const idle = await count(() => sweep(first! - MINUTE_MS))
  const sent = await count(async () => {
    // Letters are out within seconds, and sweeps a minute apart: a letter that is still to come would be told of again.
    for (const instant of instants) {
      await sweep(instant)
      await untilQuiet()
    }
  })
  return sum(sent, scaled(idle, -instants.length))
}

export function scaled(count: Count, by: number): Count {
  const entries = Object.entries(count).map(([name, sum]) => [name, sum * by])
  return Object.fromEntries(entries) as Count
}

export function sum(a: Count, b: Count): Count {
  const entries = Object.entries(a).map(([name, own]) => [name, own + b[name as keyof Count]])
  return Object.fromEntries(entries) as Count
}
