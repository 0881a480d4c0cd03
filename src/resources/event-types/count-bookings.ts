import type { Db } from '../../db/client.ts'
import type { AskedMs } from '../../limits/clock.ts'
import { capPeriodAt } from '../../scheduling/caps.ts'
import { zoneTable } from '../../scheduling/local-time.ts'
import { countActiveBookings, type EventTypeRow } from './queries.ts'

/** `booking_count` of each event type: of its current cap period, or of all time where it has no cap. */
export async function countBookings(
  db: Db,
  rows: readonly EventTypeRow[],
  now: AskedMs,
): Promise<ReadonlyMap<string, number>> {
  const periods = rows.flatMap((row) => {
    const period = row.bookingCapPeriod
    if (row.bookingCap === null || period === null || period === 'total') return []
    return [{ eventTypeId: row.id, period: capPeriodAt(period, zoneTable(row.timezone, now, now), now) }]
  })
  const inPeriod = await countActiveBookings(db, periods)
  return new Map(rows.map((row) => [row.id, inPeriod.get(row.id) ?? row.activeBookings]))
}
