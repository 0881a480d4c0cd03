import { capPeriodAt } from '../../core/caps.ts'
import { zoneTable } from '../../core/local-time.ts'
import type { Db } from '../../platform/db/client.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { countActiveBookings, countHeld, type EventTypeRow, type PeriodOf } from './queries.ts'

/** The bookings of the current cap period, or of all time if there is no period, and the holds. */
export type Taken = { readonly booked: number; readonly held: number }
export const NOTHING_TAKEN: Taken = { booked: 0, held: 0 }

const EVER = { start: 0, end: Number.MAX_SAFE_INTEGER }

/** `booking_count` and `bookings_remaining` of each event type. Holds count only if there is a cap. */
export async function countBookings(
  db: Db,
  rows: readonly EventTypeRow[],
  now: AskedMs,
): Promise<ReadonlyMap<string, Taken>> {
  const capped = rows.filter(({ bookingCap }) => bookingCap !== null)
  const periods = capped.flatMap((row) => periodOf(row, now) ?? [])
  const inPeriod = await countActiveBookings(db, periods)
  const held = await countHeld(
    db,
    capped.map((row) => periodOf(row, now) ?? { eventTypeId: row.id, period: EVER }),
    now,
  )
  return new Map(
    rows.map((row) => [
      row.id,
      { booked: inPeriod.get(row.id) ?? row.activeBookings, held: held.get(row.id) ?? 0 },
    ]),
  )
}

function periodOf({ id, bookingCapPeriod: period, timezone }: EventTypeRow, now: AskedMs): PeriodOf | null {
  if (period === null || period === 'total') return null
  return { eventTypeId: id, period: capPeriodAt(period, zoneTable(timezone, now, now), now) }
}
