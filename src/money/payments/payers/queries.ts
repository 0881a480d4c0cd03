import { and, eq } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { inOrder } from '../../../platform/db/list-page.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { payments } from '../../../platform/db/schema/payments.ts'
import { inTenant, isOnPage } from '../queries.ts'
import type { PaymentQuery } from '../schema.ts'

function selectPayers(db: Db) {
  return db
    .select({
      id: payments.id,
      expiresAt: payments.expiresAt,
      inviteeName: bookings.inviteeName,
      startTime: bookings.startTime,
      endTime: bookings.endTime,
      title: eventTypes.title,
    })
    .from(payments)
    .innerJoin(bookings, eq(bookings.id, payments.bookingId))
    .innerJoin(eventTypes, eq(eventTypes.id, payments.eventTypeId))
}

export function selectPayersOnPage(db: Db, tenant: Tenant, query: PaymentQuery) {
  return selectPayers(db)
    .where(isOnPage(tenant, query))
    .orderBy(inOrder(payments.id, query))
    .limit(query.limit + 1)
}

export function selectPayer(db: Db, tenant: Tenant, id: string) {
  return selectPayers(db).where(and(inTenant(tenant), eq(payments.id, id)))
}
