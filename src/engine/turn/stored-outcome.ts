import type { Env } from '../../env.ts'
import { openDb } from '../../platform/db/client.ts'
import { type Answer, refusalAnswer } from '../../platform/http/answer.ts'
import { AS_IT_IS, openStored, selectStored, storeResponse } from '../../platform/http/idempotency.ts'
import { type IdempotencyClaim, isDecided } from '../../platform/http/idempotency-claim.ts'
import { type Outcome, refused } from './outcome.ts'

/**
 * How a command with this Idempotency-Key ended before; null if it has not. If it changed nothing then, the row as it is
 * now is returned.
 */
export async function storedOutcome(
  env: Env,
  claim: IdempotencyClaim | null,
  rows: Awaited<ReturnType<typeof selectStored>>,
  asItIs: () => unknown = () => null,
): Promise<Outcome<never> | null> {
  const stored = claim && (await openStored(env, claim, rows))
  if (!stored) return null
  if ('refusal' in stored) return refused(stored.refusal)
  const { status, body } = stored.replay
  return { kind: 'replayed', answer: { status, body: body === AS_IT_IS ? await asItIs() : body } }
}

/**
 * Stores the outcome of a command, whatever it is. Changes stored it in their own commit; if nothing changed, only the key
 * is stored. An unknown event type stores nothing. If another request stored its outcome under the same key in the
 * meantime, that one is returned.
 */
export async function storeOutcome<Body>(
  env: Env,
  claim: IdempotencyClaim,
  outcome: Outcome<Body>,
): Promise<Outcome<Body>> {
  const answer = outcome.kind === 'refused' && claim.keepsNoRefusal ? null : answerToKeep(outcome)
  if (!answer) return outcome
  if (await storeResponse(env, claim, answer)) {
    return outcome.kind === 'refused' ? { ...outcome, isKept: true } : outcome
  }
  const rows = await selectStored(openDb(env, 'decide'), claim)
  return (await storedOutcome(env, claim, rows, () => ('body' in outcome ? outcome.body : null))) ?? outcome
}

/** Null if nothing is left to store. */
function answerToKeep(outcome: Outcome<unknown>): Answer | null {
  if (outcome.kind === 'refused') {
    const { refusal } = outcome
    return isDecided(refusal) && refusal.code !== 'not_found' ? refusalAnswer(refusal) : null
  }
  return outcome.kind === 'done' && outcome.isUnchanged ? { status: 200, body: AS_IT_IS } : null
}
