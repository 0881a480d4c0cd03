import { sql } from 'drizzle-orm'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'

/** A host as visitors see them: nothing else of a person is shown to strangers. */
export type ShownHost = { readonly name: string; readonly avatarUrl: string | null }

/** So many hosts are checked for those who have a name. */
const MOST_READ = sql.raw('20')

const HOSTS = sql`(SELECT json_group_array(json_object('name', m.name, 'avatarUrl', m.avatar_url)) FROM members m
  WHERE m.name IS NOT NULL AND m.id IN (SELECT h.member_id FROM event_type_hosts h
    WHERE h.event_type_id = ${eventTypes.id} ORDER BY h.member_id LIMIT ${MOST_READ}))`

/** Who hosts `event_types` in a query; whoever has no name is not shown. */
export const SHOWN_HOSTS = HOSTS.mapWith(readShown).as('shown_hosts')

/** Who hosts `bookings` of `event_types` in a query: the one who was chosen, or all who hold a collective meeting. */
export const SHOWN_HOSTS_OF_BOOKING = sql`CASE
    WHEN ${bookings.assignedHostId} IS NOT NULL THEN (
      SELECT json_group_array(json_object('name', m.name, 'avatarUrl', m.avatar_url)) FROM members m
      WHERE m.id = ${bookings.assignedHostId} AND m.name IS NOT NULL)
    WHEN ${eventTypes.assignmentStrategy} = 'none' THEN ${HOSTS} ELSE '[]' END`
  .mapWith(readShown)
  .as('shown_hosts')

function readShown(text: string): ShownHost[] {
  return JSON.parse(text) as ShownHost[]
}
