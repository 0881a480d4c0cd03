import type { Env } from '../env.ts'
import type { TenantCaller } from '../platform/auth/caller.ts'
import { openDb } from '../platform/db/client.ts'
import type { Context } from '../platform/http/context.ts'
import { send } from '../platform/transport/fetch.ts'
import { openCredentials } from './accounts/credentials.ts'
import { mayReach, openCaldav, openSignIn } from './accounts/open-caldav.ts'
import type { AccountRow } from './accounts/queries.ts'
import type { SignIn } from './caldav/sign-in.ts'
import { accountKeyOf, serverOf } from './caldav-server.ts'
import { refusalOf } from './calendar-failure.ts'
import { findPlace } from './find-calendar-ref.ts'
import { memberMeant } from './own-member.ts'
import type { CaldavPreset, CalendarConnection, ConnectCaldavInput } from './schema.ts'
import { storeForCaller } from './store-account.ts'
import { waitForProvider } from './wait-for-provider.ts'

/** Asks the server for the account and its calendars before anything is stored. */
export async function connectCaldav(
  ctx: Context<TenantCaller>,
  input: ConnectCaldavInput,
): Promise<CalendarConnection> {
  const { env, caller } = ctx
  const server = serverOf(env, input)
  const accountKey = accountKeyOf(server, input.username)
  const db = openDb(env, 'decide')
  const memberId = await memberMeant(db, caller, input.member_id ?? null)
  const place = await findPlace(db, caller, memberId, accountKey)

  const { username, password } = input
  const signIn = await openSignIn({ username, password, scheme: await keptScheme(env, place.account) })
  const account = await discover(ctx, server, place.timezone, input, signIn)
  const client = await openCaldav(env, server, signIn, account.credentials.addresses, send)
  return storeForCaller(ctx, place, { ...account, accountKey }, client)
}

/** A server that offered Digest once never gets the password in plain, also where the account is connected again. */
async function keptScheme(env: Env, account: AccountRow | null): Promise<'digest' | null> {
  const kept = account && (await openCredentials(env, account.credentials).catch(() => null))
  return kept !== null && 'scheme' in kept && kept.scheme === 'digest' ? 'digest' : null
}

async function discover(
  { env }: Context,
  server: string,
  fallbackZone: string,
  { preset, username, password, calendar_url }: ConnectCaldavInput,
  signIn: SignIn,
) {
  const { discoverAccount } = await import('./caldav/discover-account.ts')
  const given = { username, password }
  try {
    const { email, ownerAddresses, calendars, main } = await waitForProvider(env, () =>
      discoverAccount({
        fetch: send,
        serverUrl: server,
        signIn,
        calendarUrl: calendar_url,
        mayReach: mayReach(env),
      }),
    )
    return {
      provider: 'caldav' as const,
      accountEmail: email,
      serverUrl: server,
      credentials: { ...given, scheme: signIn.scheme, addresses: ownerAddresses },
      main: { ...main, timezone: main.timezone ?? fallbackZone },
      calendars,
      providerMetadata: {
        // The server was found by this address, so it is one of them.
        preset: preset as CaldavPreset,
        server_url: server,
        auth_method: signIn.scheme ?? ('none' as const),
        calendar_url: main.externalId,
      },
    }
  } catch (error) {
    throw refusalOf(error)
  }
}
