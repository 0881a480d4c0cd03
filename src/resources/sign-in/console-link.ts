import { sha256 } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { RealMs } from '../../limits/clock.ts'
import { findLink, giveLinkBack, type MembershipRow, useLink } from './queries.ts'

/** Whom a link signs in, or nobody where it makes an organization; null where it is over. */
export async function readConsoleLink(
  env: Env,
  token: string,
  now: RealMs,
): Promise<{ readonly membership: MembershipRow | null } | null> {
  const found = await findLink(openDb(env, 'decide'), await sha256(token), now)
  // Whoever it was for may have left since.
  if (!found || (found.link.memberId !== null && found.membership === null)) return null
  return { membership: found.membership }
}

export async function useConsoleLink(env: Env, token: string, now: RealMs): Promise<boolean> {
  return useLink(openDb(env, 'decide'), await sha256(token), now)
}

/** After what it was used for was refused. */
export async function returnConsoleLink(env: Env, token: string): Promise<void> {
  await giveLinkBack(openDb(env, 'decide'), await sha256(token))
}
