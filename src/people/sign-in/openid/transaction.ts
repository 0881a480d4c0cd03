import { MINUTE_MS } from '../../../core/time-units.ts'
import type { Env } from '../../../env.ts'
import { openSealed, sealUntil } from '../../../platform/auth/seal-until.ts'
import { randomSecret, sha256 } from '../../../platform/auth/secret.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import type { OpenIdSecrets } from '../../openid/authorization-url.ts'
import type { OpenId } from './settings.ts'

/** How long somebody may take at the provider. */
export const OPENID_LIFE_MS = 10 * MINUTE_MS
const PURPOSE = 'openid'

/** What somebody went to the provider for. The session is the one that asked, which nobody else's proves. */
export type Errand =
  | { readonly kind: 'enter'; readonly next: string }
  | { readonly kind: 'link'; readonly sessionId: string }
  | { readonly kind: 'prove'; readonly sessionId: string; readonly kept: PendingForm }

/** The form that asks for a proof: where it is sent, and what it holds. */
export type PendingForm = {
  readonly action: `/console${string}`
  /** The screen that it came from. */
  readonly back: `/console${string}`
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** Stored by the browser, sealed. Nothing is stored here, so starting a sign-in costs nothing. */
export type Transaction = OpenIdSecrets & {
  /** The provider that they went to: what it gives is taken to no other (RFC 9700, section 4.4). */
  readonly provider: string
  readonly errand: Errand
  readonly beganAt: number
}

export async function beginTransaction(
  env: Env,
  { key: provider }: Pick<OpenId, 'key'>,
  errand: Errand,
  now: RealMs,
) {
  const [state, nonce, verifier] = [randomSecret(), randomSecret(), randomSecret()]
  const transaction: Transaction = { state, nonce, verifier, provider, errand, beganAt: now }
  const sealed = await sealUntil(env.ENCRYPTION_KEY, PURPOSE, transaction, now + OPENID_LIFE_MS)
  return { transaction, sealed }
}

/** Null when it is not ours, or too old. */
export function readTransaction(env: Env, sealed: string, now: RealMs): Promise<Transaction | null> {
  return openSealed<Transaction>(env.ENCRYPTION_KEY, PURPOSE, sealed, now)
}

/** What is kept of one that came back, so that it comes back once. */
export async function spentBy({ state, beganAt }: Transaction) {
  return { hash: await sha256(state), expiresAt: beganAt + OPENID_LIFE_MS }
}
