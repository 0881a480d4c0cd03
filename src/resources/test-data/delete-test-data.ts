import type { TenantCaller } from '../../auth/caller.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { type Context, originOf } from '../../http/context.ts'
import { recordActivity } from '../activity/record-activity.ts'
import { eventTypeObject } from '../bookings/event-type-object.ts'
import { dropTestConnections } from '../calendars/connections.ts'
import { dropTestAccounts } from '../conferencing/drop-accounts.ts'
import { deleteTestData as deleteRows, findTestData, hideTestEventTypes } from './store.ts'

/** Empties the sandbox. Keys, the clock and the log of what was done stay. */
export async function deleteTestData(ctx: Context<TenantCaller>) {
  const { organizationId } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  const found = await findTestData(db, organizationId)
  // First nothing more can be booked; then each event type's object, after the last booking that it was still
  // about to make, sets its time free.
  await commitBatch(db, [hideTestEventTypes(db, organizationId, ctx.now)])
  await Promise.all(found.eventTypes.map(({ id }) => eventTypeObject(ctx.env, id).deleteTestBookings(id)))
  const deleted = {
    event_types: found.eventTypes.filter(({ deletedAt }) => deletedAt === null).length,
    bookings: found.bookings,
    payments: found.payments,
    outbox_items: found.outboxItems,
    support_requests: found.supportRequests,
    webhook_endpoints: found.webhookEndpoints,
    calendar_connections: found.calendarConnections,
  }
  await commitBatch(db, [
    ...deleteRows(db, organizationId),
    ...dropTestConnections(db, organizationId),
    dropTestAccounts(db, organizationId),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'test_data.deleted',
      resourceType: 'organization',
      resourceId: organizationId,
      changes: deleted,
    }),
  ])
  return { deleted }
}
