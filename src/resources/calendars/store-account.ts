import type { TenantCaller } from '../../auth/caller.ts'
import { openDb } from '../../db/client.ts'
import { type Context, originOf } from '../../http/context.ts'
import { commit } from '../../http/idempotency.ts'
import type { AccountClient } from '../../providers/calendar/account-client.ts'
import {
  announceConnection,
  type NewAccount,
  type Place,
  prepareConnection,
  refusalOfCommit,
} from './add-connection.ts'
import { refusalOf } from './calendar-failure.ts'
import type { CalendarConnection } from './schema.ts'

/** Connects an account that its provider let us into, with everything that is in its main calendar. */
export async function storeAccount(
  ctx: Context<TenantCaller>,
  place: Place,
  account: NewAccount,
  client: AccountClient,
): Promise<CalendarConnection> {
  const { env, caller } = ctx
  const db = openDb(env, 'decide')
  const prepared = await prepareConnection(env, db, caller, place, account, client, originOf(ctx)).catch(
    (error) => {
      throw refusalOf(error)
    },
  )
  try {
    await commit(ctx, db, prepared.statements, { status: 201, body: prepared.connection })
  } catch (error) {
    throw refusalOfCommit(error)
  }
  await announceConnection(env, prepared.rows, prepared.eventIds)
  return prepared.connection
}
