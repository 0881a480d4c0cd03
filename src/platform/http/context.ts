import type { Env } from '../../env.ts'
import { type Caller, loggedActorOf, namedActorOf, type Origin } from '../auth/caller.ts'
import type { AskedMs } from '../limits/clock.ts'
import type { IdempotencyClaim } from './idempotency-claim.ts'

export type Context<C extends Caller = Caller> = {
  readonly env: Env
  readonly request: Request
  readonly requestId: string
  /** The instant the request is judged at, in epoch milliseconds. */
  readonly now: AskedMs
  readonly ipAddress: string | null
  readonly caller: C
  /** The use of the caller's Idempotency-Key; null without one. */
  readonly claim: IdempotencyClaim | null
  /** Whether it only asks what would be done: nothing is written, sent or counted for it. */
  readonly isDry: boolean
  /** The token that an anonymous caller sent, where the route takes one as a proof. Nobody has checked it yet. */
  readonly proof?: string
  /** The language of sentences in answers that are shown to a reader; English otherwise. */
  readonly language?: 'en' | 'de'
}

export function originOf(ctx: Context): Origin {
  const { caller, ipAddress, requestId } = ctx
  const by = namedActorOf(caller)
  return { ...loggedActorOf(caller), ipAddress, requestId, ...(by && { by }) }
}
