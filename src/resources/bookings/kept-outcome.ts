import type { Env } from '../../env.ts'
import { refusalAnswer } from '../../http/answer.ts'
import type { Refusal } from '../../http/errors.ts'
import { type IdempotencyClaim, keepAnswer, openKept, type selectKept } from '../../http/idempotency.ts'
import { type Outcome, refused } from './commands.ts'

/** How a command with this Idempotency-Key ended before; null when it has not. */
export async function keptOutcome(
  env: Env,
  claim: IdempotencyClaim | null,
  rows: Awaited<ReturnType<typeof selectKept>>,
): Promise<Outcome | null> {
  const kept = claim && (await openKept(env, claim, rows))
  if (!kept) return null
  return 'refusal' in kept ? refused(kept.refusal) : { kind: 'replayed', answer: kept.replay }
}

/** A refusal is an answer too: the same key gets the same one again. An unknown event type keeps nothing. */
export async function keepRefusal(
  env: Env,
  claim: IdempotencyClaim | null,
  refusal: Refusal,
): Promise<Outcome> {
  if (claim && refusal.code !== 'not_found') await keepAnswer(env, claim, refusalAnswer(refusal))
  return refused(refusal)
}

/** What was asked for is so already: said again to the same key, even when it is no longer so. */
export async function keepUnchanged(
  env: Env,
  claim: IdempotencyClaim | null,
  body: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  if (claim) await keepAnswer(env, claim, { status: 200, body })
  return { kind: 'done', body }
}
