import { isLimited } from '../money/plan-limits/refusals.ts'
import type { TenantCaller } from '../platform/auth/caller.ts'
import { type Db, openDb, type Statement } from '../platform/db/client.ts'
import { type Context, originOf } from '../platform/http/context.ts'
import { commit } from '../platform/http/idempotency.ts'
import { type Connecting, type NewAccount, prepareConnection } from './add-connection.ts'
import { announceConnection } from './announce-connection.ts'
import { refusalOf } from './calendar-failure.ts'
import type { AccountClient } from './client/account-client.ts'
import { type CalendarRef, refusalOfCommit } from './find-calendar-ref.ts'
import { wakeWrites } from './receiving/wake-writes.ts'
import type { CalendarConnection } from './schema.ts'

/** Commits what connects an account, together with what keeps it from being done twice. */
type Keep = (db: Db, statements: readonly Statement[], connection: CalendarConnection) => Promise<void>

/** Connects an account that its provider let us into, with everything that is in its main calendar. Throws a Refused. */
export async function storeAccount(
  connecting: Connecting,
  place: CalendarRef,
  account: NewAccount,
  client: AccountClient,
  keep: Keep,
): Promise<CalendarConnection> {
  const { env } = connecting
  const db = openDb(env, 'decide')
  const prepared = await prepareConnection(connecting, db, place, account, client).catch((error) => {
    throw refusalOf(error)
  })
  try {
    await keep(db, prepared.statements, prepared.connection)
  } catch (error) {
    throw refusalOfCommit(error)
  }
  await announceConnection(env, prepared.rows, prepared.eventIds)
  if (prepared.connection.receives_bookings) await wakeWrites(env, db, connecting.tenant.organizationId)
  return prepared.connection
}

/** The same for a call, which answers with the connection. */
export function storeForCaller(
  ctx: Context<TenantCaller>,
  place: CalendarRef,
  account: NewAccount,
  client: AccountClient,
): Promise<CalendarConnection> {
  const connecting = {
    env: ctx.env,
    tenant: ctx.caller,
    origin: originOf(ctx),
    isLimited: isLimited(ctx.caller),
  }
  return storeAccount(connecting, place, account, client, (db, statements, body) =>
    commit(ctx, db, statements, { status: 201, body }),
  )
}
