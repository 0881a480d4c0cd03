import { MINUTE_MS } from '../scheduling/time-units.ts'
import type { OAuthState } from './oauth-state.ts'
import { seal, unseal } from './secret.ts'

/**
 * An account whose owner gave permission at the provider, until they say here for whom: the tokens among it are
 * good for the account, so that it travels sealed, in the page that asks.
 */
export type OAuthGrant<Account> = { readonly state: OAuthState; readonly account: Account }

/** Other texts are sealed with the same key, so this one says what it is. */
type Sealed = OAuthGrant<unknown> & { readonly purpose?: string; readonly expiresAt: number }

const PURPOSE = 'oauth-grant'
const LIFETIME_MS = 10 * MINUTE_MS

export function sealOAuthGrant(
  encryptionKey: string,
  grant: OAuthGrant<unknown>,
  now: number,
): Promise<string> {
  const sealed: Sealed = { ...grant, purpose: PURPOSE, expiresAt: now + LIFETIME_MS }
  return seal(encryptionKey, JSON.stringify(sealed))
}

/** Null when it is not ours, for another provider, or older than ten minutes. */
export async function openOAuthGrant<Account>(
  encryptionKey: string,
  sealed: string,
  provider: string,
  now: number,
): Promise<OAuthGrant<Account> | null> {
  try {
    const opened = JSON.parse(await unseal(encryptionKey, sealed)) as Sealed
    if (opened.purpose !== PURPOSE || opened.state.provider !== provider || now >= opened.expiresAt)
      return null
    return { state: opened.state, account: opened.account as Account }
  } catch {
    return null
  }
}
