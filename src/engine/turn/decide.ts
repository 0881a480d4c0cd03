import { Refused } from '../../platform/http/errors.ts'
import { type Outcome, refused, unchanged } from './outcome.ts'
import type { Decided, Queries, State, Turn, Undone, Verb } from './verb.ts'

/** Code below the turn throws refusals; here they become values. */
export async function decide<Q extends Queries, Body>(
  turn: Turn,
  verb: Verb<Q, Body>,
  state: State<Q>,
): Promise<Decided<Body>> {
  try {
    return await verb.decide(turn, state)
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal }
    throw error
  }
}

export function outcomeOf<Body>(decided: Undone<Body>): Outcome<Body> {
  return 'refusal' in decided ? refused(decided.refusal) : unchanged(decided.unchanged)
}
