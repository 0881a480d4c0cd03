import type { Env } from '../../../env.ts'
import { commitBatch, type Db, openDb } from '../../../platform/db/client.ts'
import { inShard } from '../../../platform/db/shards.ts'
import type { DeletionRow } from '../queries.ts'
import { deleteOrganization, forgetDeletion, freeNames } from '../statements.ts'
import { PREPARATIONS } from './preparations.ts'
import { deletePage, findStep, selectPage } from './statements.ts'
import { STEPS } from './tables.ts'

const ROWS_AT_ONCE = 200

/**
 * Deletes an organization, some rows at a time, until nothing is left or it is over. Where it is follows from what is
 * there: it can die anywhere, and two can do it at once.
 */
export async function deleteEverything(
  env: Env,
  db: Db,
  row: DeletionRow,
  isOver: () => boolean,
  rowsAtOnce: number = ROWS_AT_ONCE,
): Promise<void> {
  const { organizationId } = row
  for (let at = await findStep(db, organizationId); at !== null; at = await findStep(db, organizationId)) {
    for (; at < STEPS.length; at++) {
      if (!(await finishStep(env, db, row, at, isOver, rowsAtOnce))) return
    }
  }
  // Its names are free only when nothing of it is left; the directory's last, for nothing says whose they were then.
  await commitBatch(db, [deleteOrganization(db, organizationId)])
  const directory = openDb(inShard(env, 0), 'decide')
  await commitBatch(directory, [freeNames(directory, organizationId)])
  await commitBatch(db, forgetDeletion(db, organizationId))
}

/** Whether nothing of it was left before the time was over. */
async function finishStep(
  env: Env,
  db: Db,
  deletion: DeletionRow,
  at: number,
  isOver: () => boolean,
  rowsAtOnce: number,
): Promise<boolean> {
  const step = STEPS[at]!
  const limit = Math.min(rowsAtOnce, step.atOnce ?? rowsAtOnce)
  for (;;) {
    const page = await selectPage(db, step, deletion.organizationId, limit)
    if (page.length > 0) {
      const follow = step.before && (await PREPARATIONS[step.before]({ env, db, deletion }, page))
      await commitBatch(db, deletePage(db, step, page))
      await follow?.()
    }
    if (isOver()) return false
    if (page.length < limit) return true
  }
}
