import { MINUTE_MS } from '../../../core/time-units.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { PresentMs, RealMs } from '../../../platform/limits/clock.ts'

export type Reminders = Pick<BookingRow, 'reminderMinutes' | 'nextReminderAt' | 'tellRemindersAgainAt'>

export const NO_REMINDERS: Reminders = {
  reminderMinutes: null,
  nextReminderAt: null,
  tellRemindersAgainAt: null,
}

/** What a booking notes of its reminders when it gets its start. A reminder that is already due is not sent late. */
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

/** When the first of those that are left is due by itself; while it is being sent, its booking notes a later instant. */
export function firstDueAt({
  startTime,
  reminderMinutes,
}: Pick<BookingRow, 'startTime' | 'reminderMinutes'>): number {
  return dueAt(startTime, Math.max(...(reminderMinutes ?? [])))
}

/** How many minutes before the start those are that are due now. */
export function dueReminders({ reminderMinutes, startTime }: BookingRow, now: PresentMs): readonly number[] {
  return (reminderMinutes ?? []).filter((minutes) => dueAt(startTime, minutes) <= now)
}

export function dueAt(startTime: number, minutesBefore: number): number {
  return startTime - minutesBefore * MINUTE_MS
}

/** What the queue was told of this long ago is under way, unless the queue is behind. */
export const UNDER_WAY_MS = MINUTE_MS

/** Whether the queue should have come to them by now. */
export function areOverdue({ nextReminderAt }: Pick<BookingRow, 'nextReminderAt'>, now: RealMs): boolean {
  return nextReminderAt !== null && nextReminderAt <= now - UNDER_WAY_MS
}
