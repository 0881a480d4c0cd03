import type { TenantCaller } from '../../auth/caller.ts'
import { commitBatch, openDb } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { type Context, originOf } from '../../http/context.ts'
import { askEventType } from '../../turn/command.ts'
import { recordActivity } from '../activity/statements.ts'
import { DELETE_TEST_BOOKINGS } from '../bookings/commands.ts'
import { prepareToLeave } from '../calendars/leave-accounts.ts'
import { dropTestConnections } from '../calendars/statements.ts'
import { dropTestAccounts } from '../conferencing/statements.ts'
import { dropTestSchedules } from '../schedules/statements.ts'
import { dropTestTimeOff } from '../time-off/statements.ts'
import {
  deleteKeptAnswers,
  deleteTestData as deleteRows,
  findTestData,
  hideTestEventTypes,
} from './queries.ts'

/** Empties the sandbox. Keys, the clock and the log of what was done stay. */
export async function deleteTestData(ctx: Context<TenantCaller>) {
  const { organizationId } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  // First nothing more can be booked. Then each event type's object, after the last booking that it was still
  // about to make, frees its time. What is made after the first step stays, and so does how it was answered.
  // An id of this process sorts behind all that it made, also where its clock was set back.
  const before = newId(organizationId)
  const [hidden] = await db.batch([
    hideTestEventTypes(db, organizationId, ctx.now),
    deleteKeptAnswers(db, organizationId),
  ])
  const found = await findTestData(db, organizationId, before)
  await Promise.all(found.eventTypes.map(({ id }) => askEventType(ctx.env, id, DELETE_TEST_BOOKINGS, id)))
  const deleted = {
    event_types: hidden.length,
    bookings: found.bookings,
    payments: found.payments,
    outbox_items: found.outboxItems,
    support_requests: found.supportRequests,
    webhook_endpoints: found.webhookEndpoints,
    calendar_connections: found.calendarConnections,
    schedules: found.schedules,
    time_off: found.timeOff,
  }
  const leave = await prepareToLeave(ctx.env, db, { sandboxOf: organizationId, before })
  await commitBatch(db, [
    ...deleteRows(db, organizationId, before),
    dropTestSchedules(db, organizationId, before),
    dropTestTimeOff(db, organizationId, before),
    ...dropTestConnections(db, organizationId, before),
    dropTestAccounts(db, organizationId, before),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'test_data.deleted',
      resourceType: 'organization',
      resourceId: organizationId,
      changes: deleted,
    }),
  ])
  await leave()
  return { deleted }
}
