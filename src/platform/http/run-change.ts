import type { Env } from '../../env.ts'
import { commitBatch, type Db, openDb, type Statement } from '../db/client.ts'
import { type Fence, fenceOf } from '../db/refusals.ts'
import { because, type Refusal, Refused, refuse } from './errors.ts'
import { keepStatements } from './idempotency.ts'
import type { IdempotencyClaim } from './idempotency-claim.ts'

/** What a verb without a turn decided, on what it read. */
export type Change<Body> = {
  readonly body: Body
  /** Guards first: they refuse the batch if what was read has changed. */
  readonly statements: readonly Statement[]
  /** The status under which `body` is stored for the Idempotency-Key, in the same batch; left out if it is not stored. */
  readonly status?: number
  /** Undoes what deciding has done elsewhere, if the batch is refused. */
  readonly undo?: (error: unknown) => Promise<void>
  readonly announce?: () => Promise<unknown>
}

/** Nothing is to be committed. */
export const NO_CHANGE: Change<void> = { body: undefined, statements: [] }

type Asked = { readonly env: Env; readonly claim?: IdempotencyClaim | null }

type Options = {
  /** The fences that are an answer. */
  readonly refusesOn?: { readonly [F in Fence]?: Refusal }
  readonly attempts?: number
}

const MAX_ATTEMPTS = 20
const PAUSE_MS = 10

/** Decides and commits, and decides again if what it read has changed in between. */
export async function runChange<Body>(
  { env, claim = null }: Asked,
  decide: (db: Db) => Promise<Change<Body>>,
  { refusesOn, attempts = MAX_ATTEMPTS }: Options = {},
): Promise<Body> {
  const db = openDb(env, 'decide')
  const answers: Options['refusesOn'] = { KEY_IN_USE: because('still_running'), ...refusesOn }
  for (let attempt = 1; ; attempt++) {
    let change: Change<Body> | null = null
    try {
      // 1. Decide. A refusal is thrown.
      change = await decide(db)
      // 2. Commit everything or nothing.
      await commitChange(env, db, claim, change)
    } catch (error) {
      await change?.undo?.(error)
      // 3. Some fences are an answer.
      const fence = fenceOf(error)
      const refusal = fence && answers[fence]
      if (refusal) throw new Refused(refusal)
      // 4. Others mean that something has changed: the next decision sees it.
      if (fence !== 'STALE' && fence !== 'PUBLIC_LIMIT') throw error
      if (attempt === attempts) throw refuse('changing')
      // Requests that collided must not collide again at once.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * attempt * PAUSE_MS))
      continue
    }
    // 5. Announce what is committed.
    await change.announce?.()
    return change.body
  }
}

async function commitChange<Body>(
  env: Env,
  db: Db,
  claim: IdempotencyClaim | null,
  { body, statements, status }: Change<Body>,
): Promise<void> {
  const stored = status === undefined ? [] : await keepStatements(env, db, claim, { status, body })
  const all = [...stored, ...statements]
  if (all.length > 0) await commitBatch(db, all)
}
