import { and, asc, eq, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import type { Db } from '../../platform/db/client.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'

export const UPCOMING_STATUSES = [
  'confirmed',
  'rescheduled',
  'pending_approval',
  'pending_payment',
] as const satisfies readonly (typeof bookings.$inferSelect)['status'][]

type Wanted = {
  readonly organizationId: string
  readonly status: (typeof UPCOMING_STATUSES)[number]
  readonly now: number
  /** The last one of the page before; null for the first page. */
  readonly after: { readonly startTime: number; readonly id: string } | null
}

export function selectNameOf(db: Db, organizationId: string) {
  return db
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
}

/** The live bookings of a status that are not over, by start, along the index of starts. */
export function selectUpcoming(db: Db, { organizationId, status, now, after }: Wanted, limit: number) {
  const { id, startTime, endTime, inviteeName, attendees, guests, notes, location, place } = bookings
  const { conferencingUrl, revision, updatedAt } = bookings
  const from = after ?? { startTime: now - MAX_HOLD_MS, id: '' }
  return db
    .select({
      ...{ id, status: bookings.status, startTime, endTime, inviteeName, attendees, guests, notes, location },
      ...{ place, conferencingUrl, revision, updatedAt, title: eventTypes.title },
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .where(
      and(
        sql`${bookings.organizationId} || '/' || ${bookings.isTest} = ${`${organizationId}/0`}`,
        sql`${bookings.status} = ${status}`,
        sql`(${startTime}, ${id}) > (${from.startTime}, ${from.id})`,
        sql`${endTime} > ${now}`,
      ),
    )
    .orderBy(asc(startTime), asc(id))
    .limit(limit)
}

export type Upcoming = Awaited<ReturnType<typeof selectUpcoming>>[number]
