import { MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { bareError } from '../db/bare-error.ts'
import { commitBatch, openDb } from '../db/client.ts'
import { isPassing } from '../db/passing-failure.ts'
import { homeOf, inShard, shardOfEnv } from '../db/shards.ts'
import { findHolder } from './queries.ts'
import { claimNames, type NameRow, settleName, type UnsureName } from './statements.ts'

/** No commit that a claim was made for comes later than that. */
export const UNSURE_MS = 10 * MINUTE_MS

/** What only one organization may have. */
type Wanted = { readonly slug?: string | undefined; readonly owner?: string | undefined }
/** Gives a claim up whose commit was refused by this error; one that may have happened after all is left to the sweep. */
type GiveUp = (error: unknown) => Promise<void>

export const NO_CLAIM: GiveUp = async () => {}

/**
 * Claims names for an organization in another database, before its commit: only the directory knows that nobody else has them.
 * Fails like the constraint when somebody has. If this process dies before the commit, or its outcome is lost, the sweep finds
 * out. In the directory itself the commit's constraint is enough.
 */
export async function claimFor(env: Env, organizationId: string, { slug, owner }: Wanted): Promise<GiveUp> {
  const claimed: Pick<NameRow, 'kind' | 'name'>[] = []
  if (slug !== undefined) claimed.push({ kind: 'slug', name: slug })
  if (owner !== undefined) claimed.push({ kind: 'owner', name: owner })
  if (claimed.length === 0 || shardOfEnv(homeOf(env, organizationId)) === 0) return NO_CLAIM
  const db = openDb(inShard(env, 0), 'decide')
  const unsureSince = Date.now()
  await commitBatch(db, claimNames(db, organizationId, claimed, unsureSince))
  return async (error) => {
    if (isPassing(error)) return
    const rows = claimed.map((claim) => ({ ...claim, organizationId, unsureSince }))
    await settle(env, rows).catch(logFailure)
  }
}

/** Finds out which of these names their organizations have, and gives up the others. */
export async function settleNames(env: Env, rows: readonly UnsureName[]): Promise<void> {
  // One that cannot be asked about now is looked at again with the next sweep.
  const settled = await Promise.allSettled(rows.map((row) => settle(env, [row])))
  for (const each of settled) if (each.status === 'rejected') logFailure(each.reason)
}

async function settle(env: Env, rows: readonly UnsureName[]): Promise<void> {
  const db = openDb(inShard(env, 0), 'decide')
  const [{ organizationId }] = rows as [UnsureName]
  const there = await findHolder(openDb(homeOf(env, organizationId), 'decide'), organizationId)
  const has = { slug: there?.slug, owner: there?.owner }
  await commitBatch(
    db,
    rows.map((row) => settleName(db, row, has[row.kind] === row.name)),
  )
}

function logFailure(error: unknown): void {
  console.error(JSON.stringify({ names: 'unsure', cause: bareError(error).stack }))
}
