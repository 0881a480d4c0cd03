import type { Env } from '../../env.ts'
import { seal, unseal } from '../../platform/auth/secret.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { send } from '../../platform/transport/fetch.ts'
import type { SignInScheme } from '../caldav/sign-in.ts'
import type { AccountClient } from '../client/account-client.ts'
import type { Access } from '../oauth/access.ts'
import { type OAuthConfig, readOAuthConfig } from '../oauth/oauth-config.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { accessBy, askAccount } from './ask-account.ts'
import { type CaldavCredentials, openCaldav, openSignIn } from './open-caldav.ts'
import { type IcsCredentials, openIcs } from './open-ics.ts'
import { type AccountRow, replaceSignIn } from './queries.ts'
import { SUITES } from './suites.ts'

export type Credentials = CaldavCredentials | IcsCredentials | Tokens

/**
 * The account behind its row; its tokens come from its object unless `access` says otherwise. Throws a CalendarError,
 * also when its credentials cannot be opened.
 */
export async function openAccount(
  env: Env,
  row: AccountRow,
  access: (config: OAuthConfig) => Promise<Access> | Access = () => accessBy(askAccount(env, row.id)),
): Promise<AccountClient> {
  switch (row.provider) {
    case 'caldav': {
      const credentials = (await openCredentials(env, row.credentials)) as CaldavCredentials
      const keep = (scheme: SignInScheme) => keepSignIn(env, row, { ...credentials, scheme }, scheme)
      return openCaldav(env, row.serverUrl, await openSignIn(credentials, keep), credentials.addresses, send)
    }
    case 'ics':
      return openIcs(env, (await openCredentials(env, row.credentials)) as IcsCredentials, send)
    case 'calendar_a':
    case 'calendar_b': {
      const config = readOAuthConfig(row.provider, env)
      if (!config)
        throw new CalendarError('misconfigured', 'This kind of calendar is no longer configured here.')
      const open = await SUITES[row.provider].load()
      return open({ config, access: await access(config), send })
    }
  }
}

/** How an account is opened by those who write to its calendars. */
export type OpenAccount = (env: Env, row: AccountRow) => Promise<AccountClient>

export function sealCredentials(env: Env, credentials: Credentials): Promise<string> {
  return seal(env.ENCRYPTION_KEY, JSON.stringify(credentials))
}

/** What the server wants from now on. Where that cannot be kept, the next to open the account learns it again. */
async function keepSignIn(
  env: Env,
  row: AccountRow,
  credentials: CaldavCredentials,
  scheme: SignInScheme,
): Promise<void> {
  try {
    const sealed = await sealCredentials(env, credentials)
    const db = openDb(env, 'decide')
    await commitBatch(db, replaceSignIn(db, row, sealed, scheme))
  } catch (error) {
    console.error(JSON.stringify({ calendarAccount: row.id, cause: bareError(error).stack }))
  }
}

export async function openCredentials(env: Env, sealed: string): Promise<Credentials> {
  try {
    return JSON.parse(await unseal(env.ENCRYPTION_KEY, sealed))
  } catch {
    throw new CalendarError(
      'unavailable',
      'The stored credentials cannot be opened; connect the calendar again.',
    )
  }
}
