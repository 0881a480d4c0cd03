import { among } from '../../core/causes.ts'
import type { Interval } from '../../core/interval.ts'
import { isClosedByDate, type OpenHours } from '../../core/open-hours.ts'
import type { Calendar } from './calendar.ts'
import { isClosedBy } from './calendar-times.ts'
import { strategyOf } from './placement.ts'
import type { Reason } from './reason-codes.ts'
import { isUnitId } from './resources/rooms.ts'
import type { Hold, Schedule, TimeOff } from './schedule.ts'

export function closedHours(
  hours: OpenHours,
  span: Interval,
  scheduleId: string | null,
  code: 'outside_hours' | 'outside_host_hours',
): Reason {
  const isDate = isClosedByDate(hours, span)
  return { code: isDate ? 'date_closed' : code, ...(scheduleId !== null && { scheduleId }) }
}

/** The taken time that every start needs and no host holds. */
export function takenReasons(schedule: Schedule, hold: Interval): Reason[] {
  const { eventType, hosts, holds, kept, calendars } = schedule
  if (strategyOf(eventType) !== null) {
    return heldReasons(holds.get(eventType.id) ?? [], hold)
  }
  const isOfHost = ({ connection }: Calendar) => hosts.some(({ id }) => id === connection.memberId)
  const others = calendars.filter((calendar) => !isOfHost(calendar))
  const theirs = new Set([
    ...hosts.map(({ resourceId }) => resourceId),
    ...calendars.filter(isOfHost).map(({ connection }) => connection.id),
  ])
  const rest = [...holds]
    .filter(([id]) => !theirs.has(id) && !isUnitId(id))
    .flatMap(([, ofResource]) => ofResource)
  return [...heldReasons([...rest, ...kept], hold), ...calendarReasons(schedule, others, hold)]
}

export function heldReasons(holds: readonly Hold[], hold: Interval): Reason[] {
  return among(holds, hold).map(({ expiresAt, holder }) => ({
    code: expiresAt === null ? 'booked' : 'held',
    holder,
  }))
}

/** Time off, and calendars of everybody, which close the meeting alone. */
export function closedReasons(
  schedule: Schedule,
  timeOff: readonly TimeOff[],
  { start, end }: Interval,
): Reason[] {
  const meeting = { start, end }
  return [
    ...among(timeOff, meeting).map(({ id }) => ({ code: 'time_off' as const, timeOffId: id })),
    ...calendarReasons(schedule, schedule.closing, meeting),
  ]
}

export function calendarReasons(
  schedule: Schedule,
  calendars: readonly Calendar[],
  hold: Interval,
): Reason[] {
  return calendars
    .filter((calendar) => isClosedBy(schedule, [calendar]) || among(calendar.busy, hold).length > 0)
    .map((calendar) => ({ code: 'busy_calendar', calendar }))
}
