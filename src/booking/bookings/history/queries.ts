import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import { bookingEmails } from '../../../platform/db/schema/mail.ts'

const MOST = 100
const MOST_OTHERS = 5

/** Which emails about a booking of the tenant were sent, the oldest first, up to a bound. */
export function selectBookingEmails(db: Db, { organizationId, isTest }: Tenant, id: string) {
  const { about, recipientIds, sentAt, onceKey, bookingId } = bookingEmails
  return db
    .select({ onceKey, about, recipientIds, sentAt })
    .from(bookings)
    .innerJoin(bookingEmails, eq(bookingId, bookings.id))
    .where(and(eq(bookings.id, id), eq(bookings.organizationId, organizationId), eq(bookings.isTest, isTest)))
    .orderBy(asc(sentAt), asc(onceKey))
    .limit(MOST)
}

/** The bookings of its invitee that were made last, without itself; none without an address. */
export function selectOthers(db: Db, { organizationId, isTest }: Tenant, id: string) {
  const other = alias(bookings, 'other')
  const { startTime, endTime, status } = other
  const isTheirs = and(
    eq(other.organizationId, bookings.organizationId),
    eq(other.isTest, bookings.isTest),
    sql`lower(${other.inviteeEmail}) = lower(${bookings.inviteeEmail})`,
    ne(other.id, bookings.id),
  )
  return db
    .select({ id: other.id, startTime, endTime, status })
    .from(bookings)
    .innerJoin(other, isTheirs)
    .where(
      and(
        eq(bookings.id, id),
        eq(bookings.organizationId, organizationId),
        eq(bookings.isTest, isTest),
        ne(bookings.inviteeEmail, ''),
      ),
    )
    .orderBy(desc(other.id))
    .limit(MOST_OTHERS)
}
