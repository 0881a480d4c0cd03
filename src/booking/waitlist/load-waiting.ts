import type { Interval } from '../../core/interval.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { loadSchedule } from '../../engine/schedule/load-schedule.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { selectFreed } from '../../engine/schedule/statements.ts'
import type { Db } from '../../platform/db/client.ts'
import { furtherSpellings } from '../../platform/db/email-spellings.ts'
import type { FreedRow } from '../../platform/db/schema/waitlist.ts'
import { type AskedMs, nowAsSeen, type PresentMs } from '../../platform/limits/clock.ts'
import {
  selectBookingsOfWaiting,
  selectClock,
  selectSeatsOfWaiting,
  selectWaiting,
  type WaitingRow,
} from './queries.ts'
import { HORIZON_MS, searchedOf } from './search-ranges.ts'

const MARGIN_MS = DAY_MS

export type Waiting = {
  /** All waiting entries, oldest first. */
  readonly waiting: readonly WaitingRow[]
  /** Released time that was not offered to them yet. */
  readonly freed: readonly FreedRow[]
  /** Around the released time and every start that an entry is for. */
  readonly schedule: Schedule
  /** The upcoming bookings per address in lower case; empty if they are not limited. */
  readonly booked: ReadonlyMap<string, number>
  /** The event type's present. */
  readonly now: PresentMs
}

/** Null if nobody waits. */
export async function loadWaiting(
  db: Db,
  eventTypeId: string,
  given: Interval | null,
  realNow: AskedMs,
): Promise<Waiting | null> {
  const [waiting, freed, [clock]] = await db.batch([
    selectWaiting(db, eventTypeId),
    selectFreed(db, eventTypeId),
    selectClock(db, eventTypeId),
  ])
  if (waiting.length === 0 || !clock) return null
  const now = nowAsSeen(clock.isTest, clock.sandboxNow, realNow)
  const wanted = waiting.map(({ startTime }) => startTime ?? now + HORIZON_MS)
  const ends = freed
    .filter(({ endsAt }) => endsAt < LAST_INSTANT)
    .map(({ startsAt, endsAt }) => searchedOf({ start: startsAt, end: endsAt }, now).end)
  const end = [given?.end ?? now, ...ends, ...wanted].reduce((last, one) => Math.max(last, one), now)
  const spellings = furtherSpellings(waiting.map(({ inviteeEmail }) => inviteeEmail))
  const { schedule, beside } = await loadSchedule(
    db,
    eventTypeId,
    { range: { start: now, end: end + MARGIN_MS }, seatsAt: null },
    now,
    selectSeatsOfWaiting(db, eventTypeId, spellings, now),
    selectBookingsOfWaiting(db, eventTypeId, spellings, now),
  )
  if (!schedule) return null
  const seated = new Map<number, Set<string>>()
  for (const { start, email } of beside[0]) {
    const there = seated.get(start) ?? new Set()
    seated.set(start, there.add(email.toLowerCase()))
  }
  const booked = new Map<string, number>()
  for (const { email, bookings } of beside[1]) {
    const address = email.toLowerCase()
    booked.set(address, (booked.get(address) ?? 0) + bookings)
  }
  return { waiting, freed, schedule: { ...schedule, seated }, booked, now }
}
