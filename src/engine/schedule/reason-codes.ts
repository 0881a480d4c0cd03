import type { Calendar } from './calendar.ts'

export const REASON_CODES = [
  'inactive',
  'suspended',
  'plan_limit',
  'payment_unavailable',
  'duration_not_offered',
  'in_past',
  'too_soon',
  'too_far',
  'outside_window',
  'outside_hours',
  'date_closed',
  'off_grid',
  'outside_host_hours',
  'time_off',
  'booked',
  'held',
  'busy_calendar',
  'session_full',
  'cap_reached',
  'host_limit',
  'no_hosts',
  'no_hours',
  'calendar_lost',
  'owed_to_waitlist',
  'resource_busy',
  'resource_closed',
  'no_resources',
] as const

type ReasonCode = (typeof REASON_CODES)[number]

/** Why a start cannot be booked, and the part of the schedule that says so. */
export type Reason = {
  readonly code: ReasonCode
  /** The tag of the booking, session or hold that has the time. */
  readonly holder?: string
  readonly calendar?: Pick<Calendar, 'connection' | 'busyAsOf'>
  readonly scheduleId?: string
  readonly timeOffId?: string
  /** The room or equipment. */
  readonly resourceId?: string
}

/** Why a start cannot be booked, with any host and with each host; empty if it can. */
export type Told = {
  readonly reasons: readonly Reason[]
  readonly hosts: readonly { readonly id: string; readonly reasons: readonly Reason[] }[]
}
