import type { Reason as ScheduleReason } from '../../../engine/schedule/reason-codes.ts'
import { tagOf } from '../../../engine/schedule/taken/read-times.ts'
import { formatInstant } from '../../../platform/http/instants.ts'
import type { Reason } from '../../bookable/schema.ts'
import type { Known, Read } from './explain.ts'
import { sentenceOf } from './messages.ts'

/** The ids of holders for callers, by tag. */
type HolderNames = ReadonlyMap<string, Read['holders'][number]>

export function namesOfHolders({ holders }: Read): HolderNames {
  return new Map(holders.map((row) => [tagOf(row.holder), row]))
}

export function presentReasons(
  known: Known,
  reasons: readonly ScheduleReason[],
  names: HolderNames,
): Reason[] {
  return reasons.map((reason) => presentReason(known, reason, names))
}

function presentReason(known: Known, reason: ScheduleReason, names: HolderNames): Reason {
  const { holder, calendar, scheduleId, timeOffId, resourceId } = reason
  const name = holder === undefined ? undefined : names.get(holder)
  // A waiting booking is held under its own id.
  const code = reason.code === 'held' && name?.booking ? 'booked' : reason.code
  const holdId = code === 'held' ? name?.hold : undefined
  return {
    code,
    message: sentenceOf(known, { ...reason, code }),
    ...(name?.booking && { booking_id: name.booking }),
    ...(holdId && { hold_id: holdId }),
    ...(calendar && { calendar_connection_id: calendar.connection.id }),
    ...(calendar && calendar.busyAsOf !== null && { busy_as_of: formatInstant(calendar.busyAsOf) }),
    ...(scheduleId !== undefined && { schedule_id: scheduleId }),
    ...(timeOffId !== undefined && { time_off_id: timeOffId }),
    ...(resourceId !== undefined && { resource_id: resourceId }),
  }
}
