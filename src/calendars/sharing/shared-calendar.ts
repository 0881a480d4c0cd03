const CAN_TAKE = '(own.receives_bookings AND own.can_write)'

/** The default calendar of the organization `o`. */
const DEFAULT = 'o.default_calendar_connection_id'

/**
 * The calendar whose time the event types without hosts of the organization `o` hold when `owner` owns it: as
 * `engine/schedule/calendar-times.ts` chooses among theirs.
 */
export function sharedCalendar(isTest: string, owner: string, chosen = DEFAULT): string {
  return `(SELECT own.id FROM calendar_connections own
    WHERE own.organization_id = o.id AND own.is_test = ${isTest} AND NOT own.everybody
      AND (own.member_id = ${owner} OR own.id = ${chosen})
    ORDER BY ${CAN_TAKE} AND own.status IN ('active', 'error') DESC, ${CAN_TAKE} DESC, own.receives_bookings DESC,
      ${CAN_TAKE} AND own.id IS ${chosen} DESC, own.id LIMIT 1)`
}

/** The member who owns the organization `o`. */
export const OWNER = '(SELECT id FROM members WHERE organization_id = o.id AND user_id = o.owner_user_id)'

/** Whether what holds time is of an event type without hosts. */
export function isWithoutHosts(holder: string): string {
  const eventType = `coalesce(
  (SELECT event_type_id FROM bookings WHERE id = ${holder}), (SELECT event_type_id FROM sessions WHERE id = ${holder}),
  (SELECT event_type_id FROM slot_holds WHERE id = ${holder}))`
  return `NOT EXISTS (SELECT 1 FROM event_type_hosts WHERE event_type_id = ${eventType})`
}
