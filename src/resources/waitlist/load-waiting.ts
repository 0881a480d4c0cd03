import type { Db } from '../../db/client.ts'
import type { Interval } from '../../scheduling/interval.ts'
import { loadSchedule, type Schedule } from '../availability/schedule.ts'
import { type EntryRow, selectSeatsOfWaiting, selectWaiting } from './store.ts'

/** How far ahead slots are looked for on behalf of those who wait for any. */
const HORIZON_MS = 31 * 86_400_000
const MARGIN_MS = 86_400_000

/** Everybody who waits, and the schedule around the freed time and every start that is waited for. */
export async function loadWaiting(
  db: Db,
  eventTypeId: string,
  freed: Interval | null,
  now: number,
): Promise<{ readonly waiting: readonly EntryRow[]; readonly schedule: Schedule } | null> {
  const waiting = await selectWaiting(db, eventTypeId)
  if (waiting.length === 0) return null
  const wanted = waiting.map(({ startTime }) => startTime ?? now + HORIZON_MS)
  const end = wanted.reduce((last, start) => Math.max(last, start), Math.max(now, freed?.end ?? now))
  const { schedule, beside } = await loadSchedule(
    db,
    eventTypeId,
    { range: { start: now, end: end + MARGIN_MS }, seatsAt: null },
    now,
    selectSeatsOfWaiting(db, eventTypeId, now),
  )
  if (!schedule) return null
  const seated = new Map<number, Set<string>>()
  for (const { start, email } of beside[0]) {
    const there = seated.get(start) ?? new Set()
    seated.set(start, there.add(email))
  }
  return { waiting, schedule: { ...schedule, seated } }
}
