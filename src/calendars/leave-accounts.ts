import type { Env } from '../env.ts'
import { bareError } from '../platform/db/bare-error.ts'
import type { Db } from '../platform/db/client.ts'
import { CalendarError } from '../platform/icalendar/calendar-error.ts'
import { send } from '../platform/transport/fetch.ts'
import { openCredentials } from './accounts/credentials.ts'
import { isAccountUsed } from './accounts/is-account-used.ts'
import type { AccountRow } from './accounts/queries.ts'
import { findClosing } from './channels/close-channels.ts'
import { selectAccountsOf, type Whose } from './channels/queries.ts'
import { readOAuthConfig } from './oauth/oauth-config.ts'
import { revokeTokens, type Tokens } from './oauth/tokens.ts'
import { isOverInTime } from './wait-for-provider.ts'

/** Ends channels and permissions at the providers after these connections are deleted. Call it before that. */
export async function prepareToLeave(env: Env, db: Db, whose: Whose): Promise<() => Promise<void>> {
  const [accounts, closeChannels] = await Promise.all([
    selectAccountsOf(db, whose),
    findClosing(env, db, whose),
  ])
  const leave = async () => {
    // A channel is ended with the permission.
    await closeChannels()
    await Promise.all(accounts.map((account) => giveBack(env, account)))
  }
  return async () => {
    await isOverInTime(env, leave)
  }
}

/**
 * The provider has one permission for all that an account is connected to, so the last one to go gives it back. `leaving` is
 * an organization that goes with all it has and is still there.
 */
export async function giveBack(env: Env, account: AccountRow, leaving?: string): Promise<void> {
  const { provider, accountKey, credentials } = account
  if (provider === 'caldav' || provider === 'ics') return
  try {
    const config = readOAuthConfig(provider, env)
    if (!config || (await isAccountUsed(env, accountKey, leaving))) return
    await revokeTokens(config, await openCredentials<Tokens>(env, credentials), send)
  } catch (error) {
    // It is deleted here even if the provider does not answer.
    if (error instanceof CalendarError) return
    console.error(JSON.stringify({ revoke: provider, cause: bareError(error).stack }))
  }
}
