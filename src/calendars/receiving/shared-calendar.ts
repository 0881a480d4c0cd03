const CAN_TAKE = '(own.receives_bookings AND own.can_write)'

/**
 * The calendar whose time the event types without hosts of the organization `o` hold when `owner` owns it: as
 * `engine/schedule/calendar-times.ts` chooses among theirs.
 */
export function sharedCalendar(isTest: string, owner: string): string {
  return `(SELECT own.id FROM calendar_connections own
    WHERE own.organization_id = o.id AND own.is_test = ${isTest}
      AND (own.member_id = ${owner} OR own.id = o.default_calendar_connection_id)
    ORDER BY ${CAN_TAKE} AND own.status IN ('active', 'error') DESC, ${CAN_TAKE} DESC, own.receives_bookings DESC,
      ${CAN_TAKE} AND own.id IS o.default_calendar_connection_id DESC, own.id LIMIT 1)`
}
