import { env } from 'cloudflare:workers'
import { followDeletions } from '../../src/operations/deletions/follow-deletions.ts'
import { findDeletion, selectDueDeletions } from '../../src/operations/deletions/queries.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { homeOf } from '../../src/platform/db/shards.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'

export const deletionPath = (id: string) => `/v1/operator/organizations/${id}`

/** What the sweep of that moment does, of one organization. Tells whether anything of it is left. */
export async function followAt(id: string, now: number, isHasty = false): Promise<boolean> {
  const home = homeOf(env, id)
  const db = openDb(home, 'decide')
  const due = (await selectDueDeletions(db, now)).filter(({ organizationId }) => organizationId === id)
  await followDeletions(home, db, due, now as RealMs, () => isHasty)
  return (await findDeletion(db, id)) !== null
}

/** Deletes it to the end: all is told by then, and each sweep has the time for a page alone where `isHasty`. */
export async function deleteToTheEnd(id: string, isHasty = false): Promise<number> {
  const later = Date.now() + 30 * 86_400_000
  let sweeps = 0
  while (await followAt(id, later + sweeps * 120_000, isHasty)) {
    sweeps += 1
    if (sweeps > 1_000) throw new Error('it never ends')
  }
  return sweeps
}
