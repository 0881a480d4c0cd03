import { offerFreedOf } from '../engine/freed-times/offer-freed.ts'
import { recordActivity } from '../outbox/activity/statements.ts'
import type { TenantCaller } from '../platform/auth/caller.ts'
import { commitBatch, openDb } from '../platform/db/client.ts'
import { type Context, originOf } from '../platform/http/context.ts'
import { notFound } from '../platform/http/errors.ts'
import { realNow } from '../platform/limits/clock.ts'
import { prepareToLeave } from './leave-accounts.ts'
import { assertAdmin, assertMayChange } from './own-member.ts'
import { findListedInTenant, inheritHolds, inheritReceiving } from './queries.ts'
import { bringToMember } from './receiving/statements.ts'
import { wakeWrites } from './receiving/wake-writes.ts'
import { deleteConnection } from './statements.ts'

/**
 * Deletes the connection with its busy times and channels, and with the account's last connection the credentials, whose
 * permission is revoked. Written events stay in the calendar, and bookings keep its id unless another calendar receives them.
 */
export async function disconnectCalendar(ctx: Context<TenantCaller>, id: string): Promise<void> {
  const db = openDb(ctx.env, 'decide')
  const found = await findListedInTenant(db, ctx.caller, id, ctx.now)
  if (!found) throw notFound('calendar connection')

  const { connection } = found
  await assertMayChange(db, ctx.caller, connection.memberId)
  if (connection.everybody) assertAdmin(ctx.caller)
  const { provider, accountEmail, receivesBookings } = connection
  const leave = await prepareToLeave(ctx.env, db, { connectionId: id })
  const now = realNow()
  await commitBatch(db, [
    ...deleteConnection(db, id),
    ...(receivesBookings ? [inheritReceiving(db, connection)] : []),
    inheritHolds(db, connection, now),
    ...(receivesBookings ? bringToMember(db, connection, now) : []),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'calendar.disconnected',
      resourceType: 'calendar_connection',
      resourceId: id,
      changes: { provider, account_email: accountEmail },
    }),
  ])
  await offerFreedOf(ctx.env, db, ctx.caller.organizationId)
  if (receivesBookings) await wakeWrites(ctx.env, db, ctx.caller.organizationId)
  await leave()
}
