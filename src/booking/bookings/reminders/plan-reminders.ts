import { MINUTE_MS } from '../../../core/time-units.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { PresentMs, RealMs } from '../../../platform/limits/clock.ts'

export type Reminders = Pick<BookingRow, 'reminderMinutes' | 'nextReminderAt' | 'tellRemindersAgainAt'>

export const NO_REMINDERS: Reminders = {
  reminderMinutes: null,
  nextReminderAt: null,
  tellRemindersAgainAt: null,
}

/** The reminders of a booking, when it gets its start. A reminder that is already due is not sent late. */
export function planReminders(
  minutesBefore: readonly number[],
  startTime: number,
  now: PresentMs,
): Reminders {
  const coming = [...new Set(minutesBefore)].filter((minutes) => dueAt(startTime, minutes) > now)
  if (coming.length === 0) return NO_REMINDERS
  const first = Math.max(...coming)
  return { reminderMinutes: coming, nextReminderAt: dueAt(startTime, first), tellRemindersAgainAt: null }
}

/** When the first remaining reminder is due; while it is being sent, the booking stores a later instant. */
export function firstDueAt({
  startTime,
  reminderMinutes,
}: Pick<BookingRow, 'startTime' | 'reminderMinutes'>): number {
  return dueAt(startTime, Math.max(...(reminderMinutes ?? [])))
}

/** The reminders that are due now, in minutes before the start. */
export function dueReminders({ reminderMinutes, startTime }: BookingRow, now: PresentMs): readonly number[] {
  return (reminderMinutes ?? []).filter((minutes) => dueAt(startTime, minutes) <= now)
}

export function dueAt(startTime: number, minutesBefore: number): number {
  return startTime - minutesBefore * MINUTE_MS
}

/** A message that was sent this long ago should have been handled: the queue is behind, or lost it. */
export const UNDER_WAY_MS = 2 * MINUTE_MS

/** Whether the queue should have handled it by now. */
export function areOverdue({ nextReminderAt }: Pick<BookingRow, 'nextReminderAt'>, now: RealMs): boolean {
  return nextReminderAt !== null && nextReminderAt <= now - UNDER_WAY_MS
}
