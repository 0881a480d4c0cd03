import type { Env } from '../../env.ts'
import { unseal } from '../../platform/auth/secret.ts'
import type { RealMs } from '../../platform/limits/clock.ts'

type Sealed = {
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousSecretExpiresAt: number | null
}

/** Every secret that signs at `now`, newest first. */
export async function signingSecrets(
  { ENCRYPTION_KEY }: Env,
  { secret, previousSecret, previousSecretExpiresAt }: Sealed,
  now: RealMs,
): Promise<readonly [string, ...string[]]> {
  const current = await unseal(ENCRYPTION_KEY, secret)
  if (previousSecret === null || (previousSecretExpiresAt ?? 0) <= now) return [current]
  return [current, await unseal(ENCRYPTION_KEY, previousSecret)]
}
