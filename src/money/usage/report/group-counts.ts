import { formatDate, wallTimeOf, zoneTable } from '../../../core/local-time.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/time-units.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { CountedDay } from './queries.ts'
import type { GroupBy } from './schema.ts'

const QUARTER_MS = 15 * MINUTE_MS
/** 1970 began on a Thursday. */
const MONDAY_OFFSET = 3

type Status = BookingRow['status']
export type Key = string | number | null

/** What is counted of a group. `wall` is a start of it: the wall time of its day, hour or month. */
export type Group = {
  readonly key: Key
  readonly wall: number
  bookings: number
  cancelled: number
  no_shows: number
  minutes: number
  readonly revenue: Record<string, number>
}

type Counted = { readonly of: CountedDay; readonly wall: number; readonly status: string }

export function mondayOf(wall: number): number {
  const day = Math.floor(wall / DAY_MS)
  return (day - ((day + MONDAY_OFFSET) % 7)) * DAY_MS
}

const KEYS: Readonly<Record<GroupBy, (counted: Counted) => Key>> = {
  day: ({ wall }) => formatDate(wall),
  week: ({ wall }) => formatDate(mondayOf(wall)),
  month: ({ wall }) => formatDate(wall).slice(0, 7),
  hour_of_week: ({ wall }) => Math.floor((wall - mondayOf(wall)) / HOUR_MS),
  event_type: ({ of }) => of.eventTypeId,
  member: ({ of }) => of.memberId || null,
  status: ({ status }) => status,
}

/** Two dates (days since 1970, both included) of a zone. */
export type CountedIn = { readonly timezone: string; readonly first: number; readonly last: number }

type Numbers = readonly [bookings: number, minutes: number, noShows: number]

type Start = Counted & {
  /** Of an hour of the UTC day. */
  readonly quarter: string
  readonly status: Status
  /** What is booked, or an amount that was paid for it in the currency. */
  readonly counted: Numbers | number
  readonly currency: string | undefined
}

/** Everything that is counted and starts between the dates. */
export function* startsIn(
  days: readonly CountedDay[],
  { timezone, first, last }: CountedIn,
): Generator<Start> {
  const zone = zoneTable(timezone, first * DAY_MS, (last + 1) * DAY_MS)
  for (const of of days) {
    const counts: Readonly<Record<string, number | Numbers>> = JSON.parse(of.counts)
    for (const [name, counted] of Object.entries(counts)) {
      const [quarter, status, currency] = name.split('/') as [string, Status, string?]
      const wall = wallTimeOf(zone, of.day * DAY_MS + Number(quarter) * QUARTER_MS)
      if (wall < first * DAY_MS || wall >= (last + 1) * DAY_MS) continue
      yield { of, quarter, status, wall, counted, currency }
    }
  }
}

/** Adds up what is counted between the dates, by group. */
export function groupCounts(days: readonly CountedDay[], period: CountedIn, groupBy: GroupBy): Group[] {
  const groups = new Map<Key, Group>()
  for (const start of startsIn(days, period)) {
    const { wall, status, counted, currency } = start
    const key = KEYS[groupBy](start)
    const group = groups.get(key) ?? newGroup(key, wall)
    groups.set(key, group)
    if (typeof counted !== 'number') addNumbers(group, counted, { status, groupBy })
    else group.revenue[currency!] = (group.revenue[currency!] ?? 0) + counted
  }
  return [...groups.values()]
}

function newGroup(key: Key, wall: number): Group {
  return { key, wall, bookings: 0, cancelled: 0, no_shows: 0, minutes: 0, revenue: {} }
}

/** A booking that was cancelled after it began may have been missed. */
function addNumbers(
  group: Group,
  [bookings, minutes, noShows]: Numbers,
  { status, groupBy }: { readonly status: Status; readonly groupBy: GroupBy },
): void {
  const isCancelled = status === 'cancelled'
  if (isCancelled) group.cancelled += bookings
  group.no_shows += noShows
  if (isCancelled && groupBy !== 'status') return
  group.bookings += bookings
  group.minutes += minutes
}
