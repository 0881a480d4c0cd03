import { MINUTE_MS } from '../../core/time-units.ts'
import type { OAuthState } from './oauth-state.ts'
import { openSealed, sealUntil } from './seal-until.ts'

/**
 * An account whose owner gave permission at the provider, until they say here for whom: the tokens among it are
 * good for the account, so that it travels sealed, in the page that asks.
 */
export type OAuthGrant<Account> = { readonly state: OAuthState; readonly account: Account }

const PURPOSE = 'oauth-grant'
const LIFETIME_MS = 10 * MINUTE_MS

export function sealOAuthGrant(
  encryptionKey: string,
  grant: OAuthGrant<unknown>,
  now: number,
): Promise<string> {
  return sealUntil(encryptionKey, PURPOSE, grant, now + LIFETIME_MS)
}

/** Null when it is not ours, for another provider, or older than ten minutes. */
export async function openOAuthGrant<Account>(
  encryptionKey: string,
  sealed: string,
  provider: string,
  now: number,
): Promise<OAuthGrant<Account> | null> {
  const grant = await openSealed<OAuthGrant<Account>>(encryptionKey, PURPOSE, sealed, now)
  return grant?.state.provider === provider ? grant : null
}
