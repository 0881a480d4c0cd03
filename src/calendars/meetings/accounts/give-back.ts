import type { Env } from '../../../env.ts'
import { bareError } from '../../../platform/db/bare-error.ts'
import { openDb } from '../../../platform/db/client.ts'
import { seek } from '../../../platform/db/shards.ts'
import { CalendarError } from '../../../platform/icalendar/calendar-error.ts'
import { send } from '../../../platform/transport/fetch.ts'
import { accessBy, askMeetingAccount } from '../../accounts/ask-account.ts'
import { configOfAccounts } from '../../accounts/providers.ts'
import { revokeTokens } from '../../oauth/tokens.ts'
import { isOverInTime, whileWaiting } from '../../wait-for-provider.ts'
import { type AccountRow, selectAccountsOfUser } from './queries.ts'

/** What gives the permission of an account back, once the account is deleted. */
export type GiveBack = () => Promise<void>

/**
 * Asks for what only the account itself can say, before it is deleted: the provider takes a permission back for an
 * access token that is still good.
 */
export async function prepareToGiveBack(env: Env, account: AccountRow): Promise<GiveBack> {
  const isLive = !account.isTest && (account.status === 'active' || account.status === 'error')
  const ask = () => quietly(() => accessBy(askMeetingAccount(env, account.id)).token())
  const token = isLive ? await whileWaiting(env, ask) : null
  const tell = async () => {
    await quietly(() => askMeetingAccount(env, account.id).changed())
    if (token !== null) await quietly(() => giveBack(env, account, token))
  }
  return async () => {
    await isOverInTime(env, tell)
  }
}

/** Revokes a permission that nobody else lives by: the provider has one for each user. */
export async function giveBack(
  env: Env,
  user: Pick<AccountRow, 'externalId' | 'accountEmail'>,
  accessToken: string,
): Promise<boolean> {
  const others = await seek(env, async (home) => {
    const [other] = await selectAccountsOfUser(openDb(home, 'decide'), user)
    return other ?? null
  })
  if (others) return false
  await revokeTokens(
    configOfAccounts(env, 'video_a'),
    { accessToken, refreshToken: '', expiresAt: 0, scope: '' },
    send,
  )
  return true
}

/** The account is deleted even if the provider does not answer. */
async function quietly<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof CalendarError)) {
      console.error(JSON.stringify({ revoke: 'video_a', cause: bareError(error).stack }))
    }
    return null
  }
}
