import { and, eq } from 'drizzle-orm'
import type { Tenant } from '../../../auth/caller.ts'
import type { Db } from '../../../db/client.ts'
import { inOrder } from '../../../db/list-page.ts'
import { bookings } from '../../../db/schema/bookings.ts'
import { eventTypes } from '../../../db/schema/event-types.ts'
import { payments } from '../../../db/schema/payments.ts'
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
