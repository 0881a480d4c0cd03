import type { Db, Statement } from '../../../db/client.ts'
import type { BookingRow } from '../../../db/schema/bookings.ts'
import type { PresentMs } from '../../../limits/clock.ts'
import type { Schedule } from '../../../schedule/schedule.ts'
import { capPeriodAt } from '../../../scheduling/caps.ts'
import { guardCap, guardTotalCap } from './statements.ts'

/** The cap once more, inside the commit that puts `row` at its start. */
export function capGuards(
  db: Db,
  schedule: Schedule,
  row: Pick<BookingRow, 'id' | 'startTime'>,
  now: PresentMs,
): Statement[] {
  const { id, bookingCap, bookingCapPeriod } = schedule.eventType
  if (bookingCap === null) return []
  if (bookingCapPeriod === null || bookingCapPeriod === 'total')
    return [guardTotalCap(db, id, bookingCap, now)]
  const period = capPeriodAt(bookingCapPeriod, schedule.table, row.startTime)
  return [guardCap(db, id, bookingCap, period, row.id, now)]
}
