import type { TenantCaller } from '../../auth/caller.ts'
import { openDb } from '../../db/client.ts'
import { type Context, originOf } from '../../http/context.ts'
import { commit } from '../../http/idempotency.ts'
import { CalendarError } from '../../providers/calendar/calendar-client.ts'
import { findPlace, type NewConnection, prepareConnection, refusalOfCommit } from './add-connection.ts'
import { accountKeyOf, serverOf } from './caldav-server.ts'
import { refusalOf } from './calendar-failure.ts'
import type { CalendarConnection, ConnectCaldavInput } from './schema.ts'

/** The server is asked for the account and its calendars before anything is kept. */
export async function connectCaldav(
  ctx: Context<TenantCaller>,
  input: ConnectCaldavInput,
): Promise<CalendarConnection> {
  const { env, caller } = ctx
  const server = serverOf(env, input)
  const db = openDb(env, 'decide')
  const accountKey = accountKeyOf(server, input.username)
  const place = await findPlace(db, caller, input.member_id ?? null, accountKey, ctx.now)

  const account = await discover(ctx, server, accountKey, input)
  const origin = originOf(ctx)
  const prepared = await prepareConnection(env, db, caller, place, account, origin, ctx.now)
  try {
    await commit(ctx, db, prepared.statements, { status: 201, body: prepared.connection })
  } catch (error) {
    throw refusalOfCommit(error)
  }
  return prepared.connection
}

async function discover(
  { env }: Context,
  server: string,
  accountKey: string,
  { preset, username, password, calendar_url }: ConnectCaldavInput,
): Promise<NewConnection> {
  try {
    throw new CalendarError(
      'unavailable',
      `TODO ${env} ${server} ${accountKey} ${preset} ${username} ${password} ${calendar_url}`,
    )
  } catch (error) {
    throw refusalOf(error)
  }
}
