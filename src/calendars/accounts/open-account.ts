import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { send } from '../../platform/transport/fetch.ts'
import type { SignInScheme } from '../caldav/sign-in.ts'
import type { AccountClient } from '../client/account-client.ts'
import type { Access } from '../oauth/access.ts'
import type { OAuthConfig } from '../oauth/oauth-config.ts'
import { accessBy, askAccount } from './ask-account.ts'
import { openCredentials, sealCredentials } from './credentials.ts'
import { type CaldavCredentials, openCaldav, openSignIn } from './open-caldav.ts'
import { type IcsCredentials, openIcs } from './open-ics.ts'
import { configOfAccounts, SUITES } from './providers.ts'
import { type AccountRow, replaceSignIn } from './queries.ts'

/** The client of an account; its tokens come from its object unless `access` says otherwise. Throws a CalendarError. */
export async function openAccount(
  env: Env,
  row: AccountRow,
  access: (config: OAuthConfig) => Promise<Access> | Access = () => accessBy(askAccount(env, row.id)),
): Promise<AccountClient> {
  switch (row.provider) {
    case 'caldav': {
      const credentials = await openCredentials<CaldavCredentials>(env, row.credentials)
      const keep = (scheme: SignInScheme) => keepSignIn(env, row, { ...credentials, scheme }, scheme)
      return openCaldav(env, row.serverUrl, await openSignIn(credentials, keep), credentials.addresses, send)
    }
    case 'ics':
      return openIcs(env, await openCredentials<IcsCredentials>(env, row.credentials), send)
    case 'calendar_a':
    case 'calendar_b': {
      const config = configOfAccounts(env, row.provider)
      const open = await SUITES[row.provider]()
      return open({ config, access: await access(config), send }, row.calendars)
    }
  }
}

export type OpenAccount = (env: Env, row: AccountRow) => Promise<AccountClient>

/** Stores how the server wants to sign in. If that fails, the next call to open the account finds out again. */
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
