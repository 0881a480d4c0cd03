import { type SQL, sql } from 'drizzle-orm'

/** The hosts of a row besides the assigned one, without these members; null if nobody is left. */
export function coHostsWithout(coHosts: SQL, ...memberIds: readonly SQL[]): SQL {
  return sql`(SELECT nullif(json_group_array(json(value)), '[]') FROM json_each(${coHosts})
    WHERE value ->> 'member_id' NOT IN (SELECT coalesce(value, '') FROM json_each(json_array(${sql.join([...memberIds], sql`, `)}))))`
}

/** Whether bookings of the event type `e` may be held by its host `h` without being assigned to them. */
export const MAY_BE_CO_HOST = sql.raw(
  "(e.assignment_strategy = 'none' OR e.requires <> '[]' OR h.part = 'required' OR e.pool_size > 1 OR e.many_hosts)",
)

/**
 * The calendars that receive the bookings of the other hosts of `booking`, an alias: each once, however many members connected it,
 * and not the one that the booking is written to anyway.
 */
export function calendarsOfCoHosts(booking: string): string {
  return `SELECT substr(min((1 - theirs.can_write) || theirs.id), 2) AS id FROM json_each(${booking}.co_hosts) one
    CROSS JOIN calendar_connections theirs ON theirs.member_id = one.value ->> 'member_id'
      AND theirs.is_test = ${booking}.is_test AND theirs.receives_bookings
    WHERE NOT EXISTS (SELECT 1 FROM calendar_connections own WHERE own.id = ${booking}.calendar_connection_id
      AND own.provider = theirs.provider AND own.calendar_id = theirs.calendar_id)
    GROUP BY theirs.provider, theirs.calendar_id`
}

/** Whether a member is among them. */
export function isCoHost(coHosts: SQL, memberId: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${coHosts}) WHERE value ->> 'member_id' = ${memberId})`
}
