import { DELETE_TEST_BOOKINGS } from '../../booking/bookings/commands.ts'
import { dropUnusedSchedules } from '../../booking/hours/schedules/statements.ts'
import { dropTimeOff } from '../../booking/hours/time-off/statements.ts'
import { dropUnusedResources } from '../../booking/resources/statements.ts'
import { prepareToLeave } from '../../calendars/leave-accounts.ts'
import { dropAccounts, dropEndedMeetings } from '../../calendars/meetings/statements.ts'
import { dropConnections } from '../../calendars/statements.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import {
  deleteTestData as deleteRows,
  deleteStoredResponses,
  findTestData,
  hideTestEventTypes,
  selectMade,
  selectMadeRequests,
  selectMadeResources,
  selectMadeSchedules,
  selectMadeTimeOff,
} from './queries.ts'

/** Empties the sandbox. Keys, the clock and the log of what was done stay. */
export async function deleteTestData(ctx: Context<TenantCaller>) {
  const { organizationId } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  // First nothing more can be booked. Then each event type's object, after the last booking that it was still
  // about to make, frees its time. What is made after the first step stays, and so does how it was answered.
  const [hidden, [made], requests, hours, rooms, off] = await db.batch([
    hideTestEventTypes(db, organizationId, ctx.now),
    selectMade(db, organizationId),
    selectMadeRequests(db, organizationId),
    selectMadeSchedules(db, organizationId),
    selectMadeResources(db, organizationId),
    selectMadeTimeOff(db, organizationId),
    deleteStoredResponses(db, organizationId),
  ])
  const { webhookEndpoints, calendarConnections, conferencingConnections } = made!
  const supportRequests = requests.map(({ ids }) => ids)
  const schedules = hours.map(({ ids }) => ids)
  const resources = rooms.map(({ ids }) => ids)
  const timeOff = off.map(({ ids }) => ids)
  const found = await findTestData(db, organizationId)
  const hiddenIds = found.eventTypes.map(({ id }) => id)
  await Promise.all(hiddenIds.map((id) => askEventType(ctx.env, id, DELETE_TEST_BOOKINGS, id)))
  const deleted = {
    event_types: hidden.length,
    bookings: found.bookings,
    payments: found.payments,
    outbox_items: found.outboxItems,
    support_requests: countOf(supportRequests),
    webhook_endpoints: countOf([webhookEndpoints]),
    calendar_connections: countOf([calendarConnections]),
    schedules: countOf(schedules),
    resources: countOf(resources),
    time_off: countOf(timeOff),
  }
  const leave = await prepareToLeave(ctx.env, db, { connectionIds: calendarConnections })
  await commitBatch(db, [
    ...deleteRows(db, organizationId, {
      eventTypes: JSON.stringify(hiddenIds),
      supportRequests,
      webhookEndpoints,
    }),
    ...resources.map((ids) => dropUnusedResources(db, ids)),
    ...schedules.map((ids) => dropUnusedSchedules(db, ids)),
    ...timeOff.map((ids) => dropTimeOff(db, ids)),
    ...dropConnections(db, calendarConnections),
    dropAccounts(db, conferencingConnections),
    dropEndedMeetings(db, organizationId),
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

/** How many ids there are in lists that are JSON. */
function countOf(lists: readonly string[]): number {
  return lists.reduce((sum, ids) => sum + (JSON.parse(ids) as string[]).length, 0)
}
