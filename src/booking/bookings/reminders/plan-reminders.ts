import { DAY_MS, MINUTE_MS } from '../../../core/time-units.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { PresentMs, RealMs } from '../../../platform/limits/clock.ts'

export type Reminders = Pick<
  BookingRow,
  'reminderMinutes' | 'nextReminderAt' | 'tellRemindersAgainAt' | 'followUpMinutes'
>

export const NO_REMINDERS: Reminders = {
  reminderMinutes: null,
  nextReminderAt: null,
  tellRemindersAgainAt: null,
  followUpMinutes: null,
}

/** What an event type sends, and when: minutes before the start, and after the end. */
export type ReminderPlan = {
  readonly reminderIntervals: readonly number[]
  readonly followUpMinutes: number | null
}

type Times = Pick<BookingRow, 'startTime' | 'endTime'>

/**
 * The reminders and the follow-up of a booking, when it gets its time. What is already due is not sent late. A call that emails
 * nobody leaves the follow-up out.
 */
export function planReminders(
  { reminderIntervals, followUpMinutes }: ReminderPlan,
  times: Times,
  now: PresentMs,
  isQuiet = false,
): Reminders {
  const { startTime, endTime } = times
  const coming = [...new Set(reminderIntervals)].filter((minutes) => dueAt(startTime, minutes) > now)
  const follows = !isQuiet && followUpMinutes !== null && followsAt(endTime, followUpMinutes) > now
  const reminderMinutes = coming.length === 0 ? null : coming
  const left = { reminderMinutes, followUpMinutes: follows ? followUpMinutes : null }
  if (reminderMinutes === null && !follows) return NO_REMINDERS
  return { ...left, nextReminderAt: firstDueAt({ ...times, ...left }), tellRemindersAgainAt: null }
}

/** What a new booking lacks if the call that makes it emails nobody. */
export function withoutFollowUp(booking: BookingRow, isQuiet = false): Partial<Reminders> {
  const { reminderMinutes, followUpMinutes } = booking
  if (!isQuiet || followUpMinutes === null) return {}
  const next = reminderMinutes === null ? null : firstDueAt({ ...booking, followUpMinutes: null })
  return { followUpMinutes: null, nextReminderAt: next }
}

/** What is left once everything that is due was sent. */
export function planRest(booking: BookingRow, now: PresentMs): Reminders {
  const { reminderMinutes, followUpMinutes } = booking
  return planReminders({ reminderIntervals: reminderMinutes ?? [], followUpMinutes }, booking, now)
}

/** When the first that remains is due; while it is being sent, the booking stores a later instant. */
export function firstDueAt({
  startTime,
  endTime,
  reminderMinutes,
  followUpMinutes,
}: Times & Pick<BookingRow, 'reminderMinutes' | 'followUpMinutes'>): number {
  const reminders = (reminderMinutes ?? []).map((minutes) => dueAt(startTime, minutes))
  return Math.min(...reminders, ...(followUpMinutes === null ? [] : [followsAt(endTime, followUpMinutes)]))
}

/** The reminders that are due now, in minutes before the start. */
export function dueReminders({ reminderMinutes, startTime }: BookingRow, now: PresentMs): readonly number[] {
  return (reminderMinutes ?? []).filter((minutes) => dueAt(startTime, minutes) <= now)
}

export function dueAt(startTime: number, minutesBefore: number): number {
  return startTime - minutesBefore * MINUTE_MS
}

/** After this, a follow-up would surprise its reader. */
const FOLLOW_UP_LATE_MS = DAY_MS

function followsAt(endTime: number, minutesAfter: number): number {
  return endTime + minutesAfter * MINUTE_MS
}

/** Whether the follow-up is due, and not too late. */
export function isFollowUpDue({ endTime, followUpMinutes }: BookingRow, now: PresentMs): boolean {
  if (followUpMinutes === null) return false
  const at = followsAt(endTime, followUpMinutes)
  return at <= now && now - at <= FOLLOW_UP_LATE_MS
}

/** Whether its queued email would still be in time, however long after the end it was due. */
export function isFollowUpInTime(dueSince: number, now: RealMs): boolean {
  return now - dueSince <= FOLLOW_UP_LATE_MS
}

/** A message that was sent this long ago should have been handled: the queue is behind, or lost it. */
export const UNDER_WAY_MS = 2 * MINUTE_MS

/** Whether the queue should have handled it by now. */
export function areOverdue({ nextReminderAt }: Pick<BookingRow, 'nextReminderAt'>, now: RealMs): boolean {
  return nextReminderAt !== null && nextReminderAt <= now - UNDER_WAY_MS
}
