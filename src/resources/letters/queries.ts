import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { bookings } from '../../db/schema/bookings.ts'
import { eventTypes } from '../../db/schema/event-types.ts'
import { emails } from '../../db/schema/mail.ts'
import { organizations } from '../../db/schema/organizations.ts'
import { events } from '../../db/schema/records.ts'

function letterAbout(id: string, kinds: readonly (typeof emails.$inferSelect)['kind'][]): SQL {
  return sql`(SELECT subject_id FROM emails WHERE ${and(eq(emails.id, id), inArray(emails.kind, [...kinds]))})`
}

/**
 * What a letter says about an event besides the event itself. The names are there whether or not the event type still
 * is; the booking's columns are null when the booking is gone.
 */
function selectEventFacts(db: Db, eventId: string | SQL) {
  const told = (path: string) => sql`json_extract(${events.data}, ${path})`
  return db
    .select({
      id: events.id,
      organizationId: events.organizationId,
      isTest: events.isTest,
      kind: events.kind,
      data: events.data,
      previous: events.previous,
      revision: events.revision,
      happenedAt: sql<number>`${events.createdAt}`.as('happened_at'),
      title: eventTypes.title,
      organizationName: sql<string>`${organizations.name}`.as('organization_name'),
      isKeyless: bookings.isKeyless,
      conferencingUrl: bookings.conferencingUrl,
      startTime: bookings.startTime,
      status: bookings.status,
    })
    .from(events)
    .innerJoin(eventTypes, eq(eventTypes.id, told('$.event_type_id')))
    .innerJoin(organizations, eq(organizations.id, events.organizationId))
    .leftJoin(bookings, sql`${bookings.id} = coalesce(${told('$.promoted_booking_id')}, ${told('$.id')})`)
    .where(eq(events.id, eventId))
}

export function selectFactsOfEvent(db: Db, eventId: string) {
  return selectEventFacts(db, eventId)
}

export function selectFactsOfLetter(db: Db, letterId: string) {
  return selectEventFacts(db, letterAbout(letterId, ['event']))
}

/** The booking of a letter of another kind, as it is now. */
export function selectBookingOfLetter(db: Db, letterId: string) {
  return db
    .select({
      booking: bookings,
      title: eventTypes.title,
      organizationName: sql<string>`${organizations.name}`.as('organization_name'),
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(eq(bookings.id, letterAbout(letterId, ['link', 'reminder'])))
}
