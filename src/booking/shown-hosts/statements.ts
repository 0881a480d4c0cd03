import { sql } from 'drizzle-orm'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'

/** A host as the public sees them: nothing else about a person is public. */
export type ShownHost = { readonly name: string; readonly avatarUrl: string | null }

/** How many hosts are checked for a name. */
const MOST_READ = sql.raw('20')

/** With its table, which Drizzle leaves out in a query of one table: members have ids, too. */
const EVENT_TYPE_ID = sql.raw('event_types.id')

const HOSTS = sql`(SELECT json_group_array(json_object('name', m.name, 'avatarUrl', m.avatar_url)) FROM members m
  WHERE m.name IS NOT NULL AND m.id IN (SELECT h.member_id FROM event_type_hosts h
    WHERE h.event_type_id = ${EVENT_TYPE_ID} ORDER BY h.member_id LIMIT ${MOST_READ}))`

/** The hosts of `event_types` in a query; those without a name are not shown. */
export const SHOWN_HOSTS = HOSTS.mapWith(readShown).as('shown_hosts')

const SHOWN = sql`json_object('name', m.name, 'avatarUrl', m.avatar_url)`

/** Everybody who hosts one of `bookings`: the assigned host first. */
const TEAM = sql`(SELECT json_group_array(${SHOWN} ORDER BY m.id IS NOT ${bookings.assignedHostId}, one.key)
  FROM json_each(json_insert(${bookings.coHosts}, '$[#]', json_object('member_id', ${bookings.assignedHostId}))) one
  CROSS JOIN members m ON m.id = one.value ->> 'member_id' WHERE m.name IS NOT NULL)`

/** The hosts of `bookings` in a query; of `event_types`, if nobody is assigned yet and all of them take part. */
export const SHOWN_HOSTS_OF_BOOKING = sql`CASE
    WHEN ${bookings.coHosts} IS NOT NULL THEN ${TEAM}
    WHEN ${bookings.assignedHostId} IS NOT NULL THEN (
      SELECT json_group_array(${SHOWN}) FROM members m WHERE m.id = ${bookings.assignedHostId} AND m.name IS NOT NULL)
    WHEN ${eventTypes.assignmentStrategy} = 'none' THEN ${HOSTS} ELSE '[]' END`
  .mapWith(readShown)
  .as('shown_hosts')

/** A host whom invitees can choose, as the API presents them. */
export type HostToChoose = {
  readonly member_id: string
  readonly name: string | null
  readonly avatar_url: string | null
}

/** The hosts of `event_types` in a query, in the order of priority, then age; null if invitees choose none. */
export const HOSTS_TO_CHOOSE = sql`CASE WHEN event_types.host_choice <> 'none' THEN (
    SELECT json_group_array(json_object('member_id', member_id, 'name', name, 'avatar_url', avatar_url)) FROM (
      SELECT h.member_id, m.name, m.avatar_url FROM event_type_hosts h JOIN members m ON m.id = h.member_id
      WHERE h.event_type_id = ${EVENT_TYPE_ID} AND h.part = 'pool' ORDER BY h.priority, h.created_at, h.id)) END`
  .mapWith((text: string | null) => (text === null ? null : (JSON.parse(text) as HostToChoose[])))
  .as('hosts_to_choose')

function readShown(text: string): ShownHost[] {
  return JSON.parse(text) as ShownHost[]
}
