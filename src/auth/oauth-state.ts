import { randomSecret, seal, unseal } from './secret.ts'

/** What comes back from a provider with the authorization code, unseen and unchanged by anybody on the way. */
export type OAuthState = {
  readonly organizationId: string
  readonly isTest: boolean
  readonly memberId: string | null
  readonly provider: string
  /** Where the one who connects is sent in the end; null when the caller named nothing. */
  readonly redirectUrl: string | null
  /** The PKCE code verifier: new for each state, so that it also makes every state another. */
  readonly verifier: string
}

/** Other texts are sealed with the same key, so each of these says what it is. */
type Sealed = OAuthState & { readonly purpose?: string; readonly expiresAt: number }

const PURPOSE = 'oauth'
const LIFETIME_MS = 10 * 60_000

/** A PKCE code verifier (RFC 7636, section 4.1). */
export function newVerifier(): string {
  return randomSecret()
}

/**
 * Sealed rather than only signed, since the verifier must stay unknown to who sees the URL. Nothing is kept of
 * it: a state is worth nothing without an authorization code, and a provider takes each code once.
 */
export function sealOAuthState(encryptionKey: string, state: OAuthState, now: number): Promise<string> {
  const sealed: Sealed = { ...state, purpose: PURPOSE, expiresAt: now + LIFETIME_MS }
  return seal(encryptionKey, JSON.stringify(sealed))
}

/** Null when it is not ours, for another provider or older than ten minutes. */
export async function openOAuthState(
  encryptionKey: string,
  sealed: string,
  provider: string,
  now: number,
): Promise<OAuthState | null> {
  try {
    const { purpose, expiresAt, ...state } = JSON.parse(await unseal(encryptionKey, sealed)) as Sealed
    return purpose === PURPOSE && state.provider === provider && now < expiresAt ? state : null
  } catch {
    return null
  }
}
