import type { Env } from '../env.ts'
import { refusalAnswer } from '../http/answer.ts'
import {
  AS_IT_IS,
  type IdempotencyClaim,
  isDecided,
  keepAnswer,
  openKept,
  type selectKept,
} from '../http/idempotency.ts'
import { type Outcome, refused } from './outcome.ts'

/**
 * How a command with this Idempotency-Key ended before; null when it has not. Where it had changed nothing, the same
 * is told of the row as it is now.
 */
export async function keptOutcome(
  env: Env,
  claim: IdempotencyClaim | null,
  rows: Awaited<ReturnType<typeof selectKept>>,
  asItIs: () => unknown = () => null,
): Promise<Outcome<never> | null> {
  const kept = claim && (await openKept(env, claim, rows))
  if (!kept) return null
  if ('refusal' in kept) return refused(kept.refusal)
  const { status, body } = kept.replay
  return { kind: 'replayed', answer: { status, body: body === AS_IT_IS ? asItIs() : body } }
}

/**
 * Keeps how a command ended, whatever the end, and tells whether it is kept. What it changed was kept in the same
 * commit; of what was so already nothing is kept but the key. What nobody knows the event type of belongs to nobody.
 */
export async function keepOutcome<Body>(
  env: Env,
  claim: IdempotencyClaim,
  outcome: Outcome<Body>,
): Promise<Outcome<Body>> {
  if (outcome.kind === 'refused' && isDecided(outcome.refusal) && outcome.refusal.code !== 'not_found') {
    await keepAnswer(env, claim, refusalAnswer(outcome.refusal))
    return { ...outcome, isKept: true }
  }
  if (outcome.kind === 'done' && outcome.isUnchanged) {
    await keepAnswer(env, claim, { status: 200, body: AS_IT_IS })
  }
  return outcome
}
