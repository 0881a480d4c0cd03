import type { Env } from '../../../env.ts'
import type { Told } from '../../accounts/ask-account.ts'

/**
 * What the object of an account of a provider of meetings answers to; `src/worker/objects` has the class. It alone renews the
 * account's tokens, for the provider takes each refresh token once.
 */
export type AccountCalls = {
  /** An access token, another one where the API `refused` the last. */
  accessToken(refused: string | null): Promise<Told<string>>
  /** Its owner has connected it: its row is read again, and its tokens are kept from ending while nobody uses them. */
  connected(): Promise<void>
  /** Its row was changed: it is read again. */
  changed(): Promise<void>
  /** The account is about to be deleted: nothing of it is kept. */
  erase(): Promise<void>
}

export function askAccount(env: Env, accountId: string): AccountCalls {
  return env.CONFERENCING_ACCOUNTS.getByName(accountId) as unknown as AccountCalls
}
