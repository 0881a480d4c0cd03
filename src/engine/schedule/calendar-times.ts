import { type Interval, mergeIntervals } from '../../core/interval.ts'
import { LAST_INSTANT } from '../../core/last-instant.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { Calendar } from './calendar.ts'
import type { Schedule } from './schedule.ts'

/** The calendars of one host; for an event type without hosts, all that were loaded for it. */
export function calendarsOf(schedule: Schedule, hostId: string | null): readonly Calendar[] {
  if (hostId === null) return schedule.calendars
  let ofMembers = byMember.get(schedule.calendars)
  if (!ofMembers) {
    ofMembers = Map.groupBy(schedule.calendars, ({ connection }) => connection.memberId)
    byMember.set(schedule.calendars, ofMembers)
  }
  return ofMembers.get(hostId) ?? NONE
}

const NONE: readonly never[] = []

/** So that the calendars of each host are found without going through those of all others. */
const byMember = new WeakMap<readonly Calendar[], Map<string | null, Calendar[]>>()

/**
 * The calendar that a booking is written to: the default of those that receive bookings, or the oldest. One whose
 * permission ended comes last: its bookings are written once it is connected again.
 */
export function calendarFor(schedule: Schedule, hostId: string | null): Calendar | null {
  const receiving = calendarsOf(schedule, hostId).filter(
    ({ connection: { canWrite, receivesBookings } }) => receivesBookings && canWrite,
  )
  const working = receiving.filter(({ connection: { status } }) => status === 'active' || status === 'error')
  const among = working.length > 0 ? working : receiving
  return among.find(({ isDefault }) => isDefault) ?? among[0] ?? null
}

/**
 * The calendar whose time a booking takes: the one that it is written to, otherwise the first. It is how event types
 * without a common host share a calendar.
 */
export function calendarHeld(schedule: Schedule, hostId: string | null): Calendar | null {
  const all = calendarsOf(schedule, hostId)
  const receiving = all.find(({ connection }) => connection.receivesBookings)
  return calendarFor(schedule, hostId) ?? receiving ?? all[0] ?? null
}

/** How old the oldest busy times of the calendars that are checked are; null if none was read. */
export function oldestOf(calendars: readonly Calendar[]): number | null {
  const moments = calendars.flatMap(({ connection, busyAsOf }) =>
    connection.checksBusy ? (busyAsOf ?? []) : [],
  )
  return moments.length === 0 ? null : Math.min(...moments)
}

/** Whether one of the calendars is lost and the event type closes then. */
export function isClosedBy({ eventType }: Schedule, calendars: readonly Calendar[]): boolean {
  const isLost = ({ connection: { checksBusy, lostAt } }: Calendar) => checksBusy && lostAt !== null
  return eventType.calendarOutage === 'closed' && calendars.some(isLost)
}

/** The time that is closed by that: all of it, or none. */
export function closedBy(schedule: Schedule, calendars: readonly Calendar[]): readonly Interval[] {
  return isClosedBy(schedule, calendars) ? ALL_TIME : NONE
}

/** When the calendars of everybody close every host and every event type. */
export function closingTimes(schedule: Schedule): readonly Interval[] {
  const { closing } = schedule
  return closing.length === 0
    ? NONE
    : [...closing.flatMap(({ busy }) => busy), ...closedBy(schedule, closing)]
}

const ALL_TIME: readonly Interval[] = [{ start: -LAST_INSTANT, end: LAST_INSTANT }]

/** What a calendar answered about `range`. */
export type CalendarCheck = {
  readonly range: Interval
  readonly asOf: number
  readonly busy: readonly Interval[]
}

/**
 * The schedule with the calendars' new answers. Calendars of everybody close by `foreign` ones: without events of bookings, which
 * close nothing wherever they are.
 */
export function withChecks(
  schedule: Schedule,
  checks: ReadonlyMap<string, CalendarCheck>,
  foreign: ReadonlyMap<string, CalendarCheck>,
): Schedule {
  const checkedBy =
    (among: typeof checks) =>
    (calendar: Calendar): Calendar => {
      const check = among.get(calendar.connection.id)
      if (!check) return calendar
      const busy = [...outside(calendar.busy, check.range), ...check.busy]
      return { ...calendar, busy, busyAsOf: check.asOf }
    }
  const checked = checkedBy(checks)
  return {
    ...schedule,
    calendars: schedule.calendars.map(checked),
    closing: schedule.closing.map(checkedBy(foreign)),
    rooms: schedule.rooms.map((room) => ({ ...room, feeds: room.feeds.map(checked) })),
  }
}

/** The schedule with more busy times of its hosts' calendars. */
export function withBusy(
  schedule: Schedule,
  more: readonly (Interval & { readonly connectionId: string })[],
): Schedule {
  const calendars = schedule.calendars.map((calendar) => {
    const theirs = more.filter(({ connectionId }) => connectionId === calendar.connection.id)
    return theirs.length === 0 ? calendar : { ...calendar, busy: [...calendar.busy, ...theirs] }
  })
  return { ...schedule, calendars }
}

/**
 * The schedule of a booking that moves, without its own event, which is elsewhere in a calendar of its account. Another
 * event at the same time stays.
 */
export function withoutOwnEvent(
  schedule: Schedule,
  { outOfSync, calendarConnectionId }: Pick<BookingRow, 'outOfSync' | 'calendarConnectionId'>,
): Schedule {
  if (outOfSync === null) return schedule
  const { startTime, endTime } = outOfSync
  const isEvent = ({ start, end }: Interval) => start === startTime && end === endTime
  const written = schedule.calendars.find(({ connection }) => connection.id === calendarConnectionId)
  const holder = [...(written ? [written] : []), ...schedule.calendars].find(
    ({ connection, busy }) => connection.accountId === written?.connection.accountId && busy.some(isEvent),
  )
  if (!holder) return schedule
  const busy = holder.busy.toSpliced(holder.busy.findIndex(isEvent), 1)
  const calendars = schedule.calendars.map((calendar) =>
    calendar === holder ? { ...calendar, busy } : calendar,
  )
  return { ...schedule, calendars }
}

/** Whether a check returned something new. */
export function isNews(known: readonly Interval[], check: CalendarCheck): boolean {
  const before = mergeIntervals(within(known, check.range))
  const now = mergeIntervals(within(check.busy, check.range))
  return (
    before.length !== now.length ||
    before.some(({ start, end }, at) => start !== now[at]!.start || end !== now[at]!.end)
  )
}

function within(intervals: readonly Interval[], { start, end }: Interval): Interval[] {
  return intervals.map((one) => ({ start: Math.max(one.start, start), end: Math.min(one.end, end) }))
}

function outside(intervals: readonly Interval[], { start, end }: Interval): Interval[] {
  const cut = intervals.flatMap((one) => [
    { start: one.start, end: Math.min(one.end, start) },
    { start: Math.max(one.start, end), end: one.end },
  ])
  return cut.filter((one) => one.start < one.end)
}
