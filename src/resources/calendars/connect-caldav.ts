import type { TenantCaller } from '../../auth/caller.ts'
import { openDb } from '../../db/client.ts'
import { type Context, originOf } from '../../http/context.ts'
import { commit } from '../../http/idempotency.ts'
import { isTimeZone } from '../../scheduling/local-time.ts'
import {
  announceConnection,
  findPlace,
  type NewConnection,
  prepareConnection,
  refusalOfCommit,
} from './add-connection.ts'
import { accountKeyOf, serverOf } from './caldav-server.ts'
import { refusalOf } from './calendar-failure.ts'
import { mayReach } from './open-caldav.ts'
import { send } from './open-calendar.ts'
import type { CaldavPreset, CalendarConnection, ConnectCaldavInput } from './schema.ts'

/** Asks the server for the account and its calendars before anything is stored. */
export async function connectCaldav(
  ctx: Context<TenantCaller>,
  input: ConnectCaldavInput,
): Promise<CalendarConnection> {
  const { env, caller } = ctx
  const server = serverOf(env, input)
  const db = openDb(env, 'decide')
  const accountKey = accountKeyOf(server, input.username)
  const place = await findPlace(db, caller, input.member_id ?? null, accountKey)

  const account = { ...(await discover(ctx, server, place.timezone, input)), accountKey }
  const prepared = await prepareConnection(env, db, caller, place, account, originOf(ctx))
  try {
    await commit(ctx, db, prepared.statements, { status: 201, body: prepared.connection })
  } catch (error) {
    throw refusalOfCommit(error)
  }
  await announceConnection(env, prepared.row)
  return prepared.connection
}

async function discover(
  { env }: Context,
  server: string,
  fallbackZone: string,
  { preset, username, password, calendar_url }: ConnectCaldavInput,
): Promise<Omit<NewConnection, 'accountKey'>> {
  const { discoverCalendar } = await import('../../providers/caldav/discover-calendar.ts')
  const given = { username, password }
  try {
    const found = await discoverCalendar({
      fetch: send,
      serverUrl: server,
      ...given,
      calendarUrl: calendar_url,
      mayReach: mayReach(env),
    })
    return {
      provider: 'caldav',
      accountEmail: found.accountEmail,
      calendarId: found.calendarUrl,
      timezone: found.timezone !== null && isTimeZone(found.timezone) ? found.timezone : fallbackZone,
      credentials: { ...given, addresses: found.ownerAddresses },
      providerMetadata: {
        // The server was found by this address, so it is one of them.
        preset: preset as CaldavPreset,
        server_url: server,
        auth_method: 'basic',
        calendar_url: found.calendarUrl,
      },
    }
  } catch (error) {
    throw refusalOf(error)
  }
}
