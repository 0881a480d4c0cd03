import { MINUTE_MS } from '../../core/time-units.ts'
import { openSealed, sealUntil } from './seal-until.ts'
import { randomSecret } from './secret.ts'

/** What a provider sends back with the authorization code. Nobody on the way can read or change it. */
export type OAuthState = {
  readonly organizationId: string
  readonly isTest: boolean
  readonly memberId: string | null
  readonly provider: string
  /** Where the owner is sent in the end; null when the caller named nothing. */
  readonly redirectUrl: string | null
  /** The PKCE code verifier: new for each state, so that no two states are equal. */
  readonly verifier: string
}

const PURPOSE = 'oauth'
const LIFETIME_MS = 10 * MINUTE_MS

/** A PKCE code verifier (RFC 7636, section 4.1). */
export function newVerifier(): string {
  return randomSecret()
}

/**
 * Sealed rather than only signed, since the verifier must stay unknown to who sees the URL. Nothing is kept of
 * it: a state is worth nothing without an authorization code, and a provider takes each code once.
 */
export function sealOAuthState(encryptionKey: string, state: OAuthState, now: number): Promise<string> {
  return sealUntil(encryptionKey, PURPOSE, state, now + LIFETIME_MS)
}

/** Null when it is not ours, for another provider, or older than ten minutes. */
export async function openOAuthState(
  encryptionKey: string,
  sealed: string,
  provider: string,
  now: number,
): Promise<OAuthState | null> {
  const state = await openSealed<OAuthState>(encryptionKey, PURPOSE, sealed, now)
  return state?.provider === provider ? state : null
}
