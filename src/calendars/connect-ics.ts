import type { TenantCaller } from '../platform/auth/caller.ts'
import { sha256 } from '../platform/auth/secret.ts'
import { openDb } from '../platform/db/client.ts'
import type { Context } from '../platform/http/context.ts'
import { invalid } from '../platform/http/errors.ts'
import { refusePublicUrl } from '../platform/http/public-url.ts'
import { send } from '../platform/transport/fetch.ts'
import { openIcs } from './accounts/open-ics.ts'
import { refusalOf } from './calendar-failure.ts'
import { findPlace, findPlaceOfResource } from './find-calendar-ref.ts'
import { assertAdmin, memberMeant } from './own-member.ts'
import type { CalendarConnection, ConnectIcsInput } from './schema.ts'
import { storeForCaller } from './store-account.ts'
import { waitForProvider } from './wait-for-provider.ts'

/** Reads the feed before anything is stored. */
export async function connectIcs(
  ctx: Context<TenantCaller>,
  input: ConnectIcsInput,
): Promise<CalendarConnection> {
  const { env, caller } = ctx
  if (input.resource_id || input.everybody) assertAdmin(caller)
  const url = input.url.trim().replace(/^webcals?:/i, 'https:')
  const refusal = refusePublicUrl(url, env.ALLOW_PRIVATE_HOSTS === 'true')
  if (refusal !== null) throw invalid({ url: refusal })
  const { href, origin, host } = new URL(url)
  const accountKey = await feedKeyOf(href)
  const db = openDb(env, 'decide')
  const place = input.resource_id
    ? await findPlaceOfResource(db, caller, input.resource_id, accountKey)
    : await findPlace(db, caller, await memberMeant(db, caller, input.member_id ?? null), accountKey)
  if (input.everybody === false && place.connections.some(({ connection }) => connection.everybody))
    assertAdmin(caller)

  const credentials = { url: href, name: input.name ?? null }
  const client = await openIcs(env, credentials, send)
  const calendars = await waitForProvider(env, () => client.listCalendars()).catch((error) => {
    throw refusalOf(error)
  })
  const [main] = calendars
  const shown = `${origin}/`
  const account = {
    provider: 'ics' as const,
    accountKey,
    accountEmail: host,
    blocks: input.blocks,
    everybody: input.everybody,
    serverUrl: shown,
    credentials,
    main: { ...main!, timezone: main!.timezone ?? place.timezone },
    calendars,
    providerMetadata: {
      preset: 'ics' as const,
      server_url: shown,
      auth_method: 'none' as const,
      calendar_url: shown,
    },
  }
  return storeForCaller(ctx, place, account, client)
}

/** By which a feed is known again without keeping its address. The fragment of an address is never sent. */
export async function feedKeyOf(url: string): Promise<string> {
  return `ics ${await sha256(url.replace(/#.*$/s, ''))}`
}
