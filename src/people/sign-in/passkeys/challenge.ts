import { MINUTE_MS } from '../../../core/time-units.ts'
import type { Env } from '../../../env.ts'
import { openSealed, sealUntil } from '../../../platform/auth/seal-until.ts'
import { randomSecret, sha256 } from '../../../platform/auth/secret.ts'
import { openDb } from '../../../platform/db/client.ts'
import { inShard } from '../../../platform/db/shards.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { spendChallenge } from './queries.ts'

export const CHALLENGE_LIFE_MS = 5 * MINUTE_MS

/** What a challenge is for: it is good for nothing else. With the session that asked, where there is one. */
export type Occasion = {
  readonly purpose: 'passkey-sign-in' | 'passkey-proof' | 'passkey-new'
  readonly sessionId: string | null
}

type Kept = { readonly challenge: string; readonly sessionId: string | null }

/** A challenge, and the same sealed for the browser to store. Nothing is stored here, so requesting one costs nothing. */
export async function makeChallenge(env: Env, { purpose, sessionId }: Occasion, now: RealMs) {
  const challenge = randomSecret()
  const kept: Kept = { challenge, sessionId }
  const sealed = await sealUntil(env.ENCRYPTION_KEY, purpose, kept, now + CHALLENGE_LIFE_MS)
  return { challenge, sealed }
}

/** The challenge that a browser stored, used up; null when it is invalid, too old, for another purpose or already used. */
export async function takeChallenge(
  env: Env,
  sealed: string,
  { purpose, sessionId }: Occasion,
  now: RealMs,
): Promise<string | null> {
  const kept = await openSealed<Kept>(env.ENCRYPTION_KEY, purpose, sealed, now)
  if (!kept || kept.sessionId !== sessionId) return null
  const db = openDb(inShard(env, 0), 'decide')
  const isFirst = await spendChallenge(db, await sha256(kept.challenge), now + CHALLENGE_LIFE_MS)
  return isFirst ? kept.challenge : null
}
