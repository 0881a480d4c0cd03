import { offerFreedOf } from '../engine/freed-times/offer-freed.ts'
import { recordActivity } from '../outbox/activity/statements.ts'
import type { TenantCaller } from '../platform/auth/caller.ts'
import { type Db, openDb } from '../platform/db/client.ts'
import { fenceOf } from '../platform/db/refusals.ts'
import { type Context, originOf } from '../platform/http/context.ts'
import { notFound, refuse } from '../platform/http/errors.ts'
import { commit } from '../platform/http/idempotency.ts'
import { realNow } from '../platform/limits/clock.ts'
import { wakeQueue } from '../platform/queue/messages.ts'
import { askAccount } from './accounts/ask-account.ts'
import { isSuite } from './channels/notifications-url.ts'
import { assertAdmin, assertMayChange } from './own-member.ts'
import { presentAll } from './present.ts'
import { changeConnection, findListedInTenant, inheritHolds } from './queries.ts'
import { bringUpcoming } from './receiving/statements.ts'
import { wakeWrites } from './receiving/wake-writes.ts'
import type { CalendarConnection, UpdateCalendarInput } from './schema.ts'
import { guardConnected, receiveBookings } from './statements.ts'
import { isOverInTime } from './wait-for-provider.ts'

/** Says which of its events block time and whether bookings are written to it. */
export async function updateCalendar(
  ctx: Context<TenantCaller>,
  id: string,
  { checks_busy, receives_bookings, blocks, everybody }: UpdateCalendarInput,
): Promise<CalendarConnection> {
  const { env, caller, now } = ctx
  const db = openDb(env, 'decide')
  const found = await findListedInTenant(db, caller, id, now)
  if (!found) throw notFound('calendar connection')
  const { connection } = found
  await assertMayChange(db, caller, connection.memberId)
  if (everybody || connection.everybody) assertAdmin(caller)
  const { accountId, provider } = connection
  if (receives_bookings && !connection.canWrite) throw refuse('calendar_read_only')
  if (blocks === 'all_events' && connection.providerMetadata.reads === 'free_busy') {
    throw refuse('calendar_shares_no_events')
  }
  if (everybody && connection.resourceId !== null) throw refuse('feed_of_resource')
  if ((everybody ?? connection.everybody) && (receives_bookings ?? connection.receivesBookings)) {
    throw refuse('receives_and_closes')
  }
  const isReadAgain = blocks !== undefined && blocks !== connection.blocks
  const changes = {
    ...(checks_busy !== undefined && { checksBusy: checks_busy }),
    ...(receives_bookings !== undefined && { receivesBookings: receives_bookings }),
    ...(everybody !== undefined && { everybody }),
    // All of it is read again.
    ...(isReadAgain && { blocks, syncedUntil: 0 }),
  }
  const after = { ...found, connection: { ...connection, ...changes } }
  const [body] = await presentAll(env, [after])
  const isChanged =
    isReadAgain ||
    after.connection.checksBusy !== connection.checksBusy ||
    after.connection.everybody !== connection.everybody ||
    after.connection.receivesBookings !== connection.receivesBookings
  const beginsToReceive = receives_bookings === true && !connection.receivesBookings
  const statements = isChanged
    ? [
        guardConnected(db, id),
        ...(receives_bookings ? receiveBookings(db, id) : []),
        ...changeConnection(db, id, changes, now),
        ...(everybody === true ? [inheritHolds(db, connection, realNow())] : []),
        ...(beginsToReceive ? bringUpcoming(db, id, realNow()) : []),
        recordActivity(db, caller, originOf(ctx), {
          action: 'calendar.updated',
          resourceType: 'calendar_connection',
          resourceId: id,
          changes: {
            ...(checks_busy !== undefined && { checks_busy }),
            ...(receives_bookings !== undefined && { receives_bookings }),
            ...(blocks !== undefined && { blocks }),
            ...(everybody !== undefined && { everybody }),
          },
        }),
      ]
    : []
  try {
    await commit(ctx, db, statements, { status: 200, body: body! })
  } catch (error) {
    throw fenceOf(error) === 'STALE' ? notFound('calendar connection') : error
  }
  if (isChanged && isSuite(provider)) {
    await wakeQueue(env, { type: 'calendar-channel', accountId, connectionId: id })
  }
  if (beginsToReceive) await wakeWrites(env, db, caller.organizationId)
  if (checks_busy === false || everybody === false) await offerFreedOf(env, db, caller.organizationId)
  return isReadAgain ? readAgain(ctx, db, id, accountId) : body!
}

/** What blocks time from now on is known before the response, unless the calendar takes longer than a request can wait. */
async function readAgain(
  { env, caller, now }: Context<TenantCaller>,
  db: Db,
  id: string,
  accountId: string,
): Promise<CalendarConnection> {
  const wanted = { connectionId: id, since: Date.now() + 1, isForced: true }
  const isOver = await isOverInTime(env, () => askAccount(env, accountId).sync(wanted))
  const found = await findListedInTenant(db, caller, id, now)
  if (!found) throw notFound('calendar connection')
  const [read] = (await presentAll(env, [found])) as [CalendarConnection]
  return isOver ? read : { ...read, sync_status: 'syncing' }
}
