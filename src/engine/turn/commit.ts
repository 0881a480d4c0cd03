import { commitBatch, type Db, type Statement } from '../../platform/db/client.ts'
import { type Fence, fenceOf } from '../../platform/db/refusals.ts'

type Committed = {
  /** The fence that refused all statements; null if they are committed. */
  readonly fence: Fence | null
  /** The answer of each statement; null if it was lost. */
  readonly answers: readonly unknown[] | null
}

/** Commits all statements or none: the only place where a turn writes. */
export async function commitTurn(db: Db, statements: readonly Statement[]): Promise<Committed> {
  if (statements.length === 0) return { fence: null, answers: [] }
  try {
    return { fence: null, answers: await commitBatch(db, statements) }
  } catch (error) {
    const fence = fenceOf(error)
    if (fence === null) throw error
    return { fence, answers: null }
  }
}
