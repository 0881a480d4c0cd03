import type { Env } from '../../../env.ts'
import { openDb } from '../../../platform/db/client.ts'
import { isEnd } from '../../../platform/icalendar/calendar-error.ts'
import { realNow } from '../../../platform/limits/clock.ts'
import type { AccountCalls } from '../../accounts/ask-account.ts'
import { keepEnd } from '../keep-failure.ts'
import { selectAccountToRenew } from './queries.ts'

/**
 * Renews tokens that nobody used for a while, because a permission ends with a refresh token of 90 days
 * (https://developers.zoom.us/docs/integrations/oauth). Notifies the owner if it ended anyway. Returns whether nothing is left to
 * renew.
 */
export async function renewUnused(
  env: Env,
  id: string,
  keeper: Pick<AccountCalls, 'accessToken'>,
): Promise<boolean> {
  const db = openDb(env, 'decide')
  const [account] = await selectAccountToRenew(db, id)
  if (!account) return true
  const renewed = await keeper.accessToken(null)
  if ('failure' in renewed && isEnd(renewed.failure))
    await keepEnd(env, db, account, renewed.failure, renewed.message, realNow())
  return false
}
