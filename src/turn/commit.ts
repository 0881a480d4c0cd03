import { commitBatch, type Db, type Statement } from '../db/client.ts'
import { type Fence, fenceOf } from '../db/refusals.ts'

/** Commits all statements or none: the one place where a turn writes. Tells the fence that refused them, or null. */
export async function commitTurn(db: Db, statements: readonly Statement[]): Promise<Fence | null> {
  if (statements.length === 0) return null
  try {
    await commitBatch(db, statements)
    return null
  } catch (error) {
    const fence = fenceOf(error)
    if (fence === null) throw error
    return fence
  }
}
