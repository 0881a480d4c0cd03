import { capPeriodAt } from '../../../core/caps.ts'
import type { Schedule } from '../../../engine/schedule/schedule.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import { guardCap, guardCaps, guardTotalCap, type InPeriod } from './statements.ts'

/** Checks the cap again inside the commit that puts `row` at its start. */
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

/** The same for several bookings of one commit. */
export function capGuardsOfAll(
  db: Db,
  schedule: Schedule,
  starts: readonly number[],
  now: PresentMs,
): Statement[] {
  const { id, bookingCap, bookingCapPeriod } = schedule.eventType
  if (bookingCap === null) return []
  if (bookingCapPeriod === null || bookingCapPeriod === 'total') {
    return [guardTotalCap(db, id, bookingCap - starts.length + 1, now)]
  }
  const periods = starts.map((start) => capPeriodAt(bookingCapPeriod, schedule.table, start))
  return [guardCaps(db, id, bookingCap, countedAlike(periods), now)]
}

/** Equal periods once, with how often they are there. */
function countedAlike(periods: readonly { readonly start: number; readonly end: number }[]): InPeriod[] {
  const alike = Map.groupBy(periods, ({ start }) => start)
  return [...alike.values()].map((same) => ({ ...same[0]!, many: same.length }))
}
