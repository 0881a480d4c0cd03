import { env } from 'cloudflare:workers'

/* What there is of one event type and its people, as plain reading of the rows has it. None of it goes through the service. */

export type Window = { readonly start_time: string; readonly end_time: string }
export type HoursRow = {
  readonly timezone: string
  readonly rules: readonly (Window & { readonly day_of_week: number })[]
  readonly overrides: readonly { readonly date: string; readonly intervals: readonly Window[] }[]
}
export type HeldRow = readonly [start: number, end: number, holder: string, meets: number]

export type State = HoursRow & {
  readonly type: {
    readonly hoursFrom: 'own' | 'hosts'
    readonly scheduleId: string | null
    readonly duration: number
    readonly interval: number | null
    readonly before: number
    readonly after: number
    readonly notice: number
    readonly strategy: string
    readonly seats: number
    readonly inviteeLimit: number | null
  }
  readonly window: {
    readonly days: number | null
    readonly from: string | null
    readonly until: string | null
  }
  readonly cap: { readonly limit: number | null; readonly period: 'daily' | 'weekly' | 'monthly' | 'total' }
  readonly now: number
  readonly zone: string
  readonly schedules: Readonly<Record<string, HoursRow>>
  readonly hosts: readonly {
    readonly id: string
    readonly scheduleId: string | null
    readonly timezone: string | null
    readonly perDay: number | null
    readonly perWeek: number | null
    readonly off: readonly (readonly [number, number])[]
    readonly held: readonly HeldRow[]
  }[]
  /** When everybody is off. */
  readonly closed: readonly (readonly [number, number])[]
  /** What the event type holds of itself. */
  readonly held: readonly HeldRow[]
  /** What it keeps of hosts who left, which a meeting of all must not meet. */
  readonly kept: readonly HeldRow[]
  readonly sessions: readonly {
    readonly id: string
    readonly start: number
    readonly end: number
    readonly host: string | null
    readonly seats: readonly (readonly [bookingId: string, seats: number])[]
  }[]
  readonly bookings: readonly (readonly [id: string, start: number, email: string])[]
}

const HELD = 'json_group_array(json_array(starts_at, ends_at, holder_id, meets_at))'
const HOURS = (rules: string, overrides: string) =>
  `'rules', (SELECT json_group_array(json_object('day_of_week', day_of_week, 'start_time', start_time, 'end_time', end_time))
     FROM ${rules}), 'overrides', (SELECT json_group_array(json_object('date', date, 'intervals', json(intervals))) FROM ${overrides})`

export const STATE = `json_object(
  'type', json_object('hoursFrom', e.hours_from, 'scheduleId', e.schedule_id, 'duration', e.duration_minutes,
    'interval', e.slot_interval_minutes, 'before', e.buffer_before_minutes, 'after', e.buffer_after_minutes,
    'notice', e.minimum_notice_minutes, 'strategy', e.assignment_strategy, 'seats', e.max_attendees,
    'inviteeLimit', e.invitee_limit),
  'window', json_object('days', e.booking_window_days, 'from', e.bookable_from, 'until', e.bookable_until),
  'cap', json_object('limit', e.booking_cap, 'period', coalesce(e.booking_cap_period, 'total')),
  'now', o.sandbox_now, 'zone', o.timezone, 'timezone', e.timezone,
  ${HOURS('availability_rules WHERE event_type_id = e.id', 'availability_overrides WHERE event_type_id = e.id')},
  'schedules', (SELECT json_group_object(s.id, json_object('timezone', s.timezone, 'rules', json(s.rules),
    'overrides', json(s.overrides))) FROM schedules s WHERE s.organization_id = e.organization_id AND s.is_test = e.is_test),
  'hosts', (SELECT json_group_array(json_object('id', m.id, 'scheduleId', coalesce(h.schedule_id, (SELECT id FROM schedules
      WHERE member_id = m.id AND is_test = e.is_test AND is_default)), 'timezone', m.timezone,
    'perDay', m.max_bookings_per_day, 'perWeek', m.max_bookings_per_week,
    'off', (SELECT json_group_array(json_array(starts_at, ends_at)) FROM time_off WHERE member_id = m.id AND is_test = e.is_test),
    'held', (SELECT ${HELD} FROM holds WHERE resource_id = h.resource_id AND kept_by = '')))
    FROM event_type_hosts h JOIN members m ON m.id = h.member_id WHERE h.event_type_id = e.id),
  'closed', (SELECT json_group_array(json_array(starts_at, ends_at)) FROM time_off
    WHERE member_id = e.organization_id AND is_test = e.is_test),
  'held', (SELECT ${HELD} FROM holds WHERE resource_id = e.id AND kept_by = ''),
  'kept', (SELECT ${HELD} FROM holds WHERE kept_by = e.id),
  'sessions', (SELECT json_group_array(json_object('id', s.id, 'start', s.start_time, 'end', s.end_time,
    'host', s.assigned_host ->> 'member_id', 'seats', (SELECT json_group_array(json_array(b.id, json_array_length(b.attendees)))
      FROM bookings b WHERE b.session_id = s.id AND b.status <> 'cancelled'))) FROM sessions s WHERE s.event_type_id = e.id),
  'bookings', (SELECT json_group_array(json_array(b.id, b.start_time, lower(b.invitee_email))) FROM bookings b
    WHERE b.event_type_id = e.id AND b.status <> 'cancelled'))
  FROM event_types e JOIN organizations o ON o.id = e.organization_id`

export async function stateOf(eventTypeId: string): Promise<State> {
  const row = await env.DB.prepare(`SELECT ${STATE} WHERE e.id = ?`)
    .bind(eventTypeId)
    .first<Record<string, string>>()
  return JSON.parse(Object.values(row!)[0]!)
}
