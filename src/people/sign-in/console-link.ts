import type { Env } from '../../env.ts'
import { sha256, shardOfSecret } from '../../platform/auth/secret.ts'
import { type Db, openDb } from '../../platform/db/client.ts'
import { inShard } from '../../platform/db/shards.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { findLink, giveLinkBack, spendLink, useLink } from './links/queries.ts'
import type { MembershipRow } from './queries.ts'
import type { Entry } from './sessions.ts'

/** Whom a link signs in, or nobody where it makes an organization; null where it is over. */
export async function readConsoleLink(
  env: Env,
  token: string,
  now: RealMs,
): Promise<{ readonly membership: MembershipRow | null } | null> {
  const found = await findLink(homeDb(env, token), await sha256(token), now)
  // The member may have left since.
  if (!found || (found.link.memberId !== null && found.membership === null)) return null
  return { membership: found.membership }
}

/** A link as what lets its member in: used up in the batch that opens their session. */
export async function entryBy(token: string, membership: MembershipRow, now: RealMs): Promise<Entry> {
  const hash = await sha256(token)
  return { memberships: [membership], use: (db) => spendLink(db, hash, now) }
}

export async function useConsoleLink(env: Env, token: string, now: RealMs): Promise<boolean> {
  return useLink(homeDb(env, token), await sha256(token), now)
}

/** After what it was used for was refused. */
export async function returnConsoleLink(env: Env, token: string): Promise<void> {
  await giveLinkBack(homeDb(env, token), await sha256(token))
}

/** A link is kept where its member is, and its token leads there. */
function homeDb(env: Env, token: string): Db {
  return openDb(inShard(env, shardOfSecret(token)), 'decide')
}
