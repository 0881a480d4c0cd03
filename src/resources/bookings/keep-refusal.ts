import type { Env } from '../../env.ts'
import { refusalAnswer } from '../../http/answer.ts'
import type { Refusal } from '../../http/errors.ts'
import { type IdempotencyClaim, keepAnswer } from '../../http/idempotency.ts'
import { type Outcome, refused } from './commands.ts'

/** A refusal is an answer too: the same key gets the same one again. An unknown event type keeps nothing. */
export async function keepRefusal(
  env: Env,
  claim: IdempotencyClaim | null,
  refusal: Refusal,
): Promise<Outcome> {
  if (claim && refusal.code !== 'not_found') await keepAnswer(env, claim, refusalAnswer(refusal))
  return refused(refusal)
}
