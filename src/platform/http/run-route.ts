import { refusalAnswer } from './answer.ts'
import { atHome, type Input } from './at-home.ts'
import type { Context } from './context.ts'
import { Refused } from './errors.ts'
import { findStored, storeResponse } from './idempotency.ts'
import { isDecided, PUBLIC_SCOPE } from './idempotency-claim.ts'
import { type Route, WholeAnswer } from './route.ts'

/** Runs the handler; for a request with an Idempotency-Key it returns or stores the response. */
export async function runRoute(route: Route, asked: Context, readInput: () => Input): Promise<unknown> {
  const { claim } = asked
  if (claim === null) {
    const input = readInput()
    return route.handler(atHome(asked, input), input)
  }
  let input: Input | Refused
  try {
    input = readInput()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    input = error
  }
  const ctx = atHome(asked, input instanceof Refused ? null : input)
  const isVerbs = route.idempotency === 'by-verb'
  // The public's Idempotency-Keys belong to an event type, which only the verb knows, so it keeps its own refusals.
  if (isVerbs && claim.scope === PUBLIC_SCOPE) {
    if (input instanceof Refused) throw input
    return route.handler(ctx, input)
  }
  const kept = isVerbs && !(input instanceof Refused) ? null : await findStored(ctx.env, claim)
  if (kept && 'refusal' in kept) throw new Refused(kept.refusal)
  if (kept) return new WholeAnswer(kept.replay, true)
  try {
    if (input instanceof Refused) throw input
    return await route.handler(ctx, input)
  } catch (error) {
    if (error instanceof Refused && !error.isKept && isDecided(error.refusal) && !claim.keepsNoRefusal) {
      const isFirst = await storeResponse(ctx.env, claim, refusalAnswer(error.refusal))
      // A verb looks for what is kept, but is not asked where nobody knows what it is about.
      const first = isFirst ? null : await findStored(ctx.env, claim)
      if (first && 'refusal' in first) throw new Refused(first.refusal)
      if (first && first.replay.status >= 400) return new WholeAnswer(first.replay, true)
    }
    throw error
  }
}
