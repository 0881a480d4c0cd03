import type { Env } from '../env.ts'
import type { Caller } from '../platform/auth/caller.ts'
import { admit } from '../platform/http/admit.ts'
import type { Refusal } from '../platform/http/errors.ts'
import { type AskedMs, realNow } from '../platform/limits/clock.ts'
import { refusalOf } from './tool-refusal.ts'

/** Anonymous callers may call too. Every call is counted, whatever it does. */
const RULE = { auth: 'optional-key', limit: 'counted' } as const

/** A request, with its caller. */
export type AgentRequest = {
  readonly env: Env
  readonly request: Request
  readonly requestId: string
  readonly ipAddress: string | null
  readonly caller: Caller
  readonly now: AskedMs
}

export type CountedRequest = AgentRequest & {
  /** Counts each message once, and returns those over the limit by their ids. */
  refusedAmong(messages: readonly unknown[]): Promise<ReadonlyMap<unknown, Refusal>>
}

/** Finds the caller and counts the first message. Throws if the key is not valid. */
export async function findCaller(
  request: Request,
  env: Env,
  requestId: string,
  headers: Headers,
): Promise<CountedRequest> {
  const first = await admit(RULE, request, env, headers)
  const known = 'braked' in first ? ({ caller: { kind: 'public' }, now: realNow() } as const) : first
  let refusal = 'braked' in first ? refusalOf(first.braked) : null
  async function count(): Promise<void> {
    const next = await admit(RULE, request, env, headers)
    if ('braked' in next) refusal = refusalOf(next.braked)
  }
  async function refusedAmong(messages: readonly unknown[]) {
    const refused = new Map<unknown, Refusal>()
    for (const [at, message] of messages.entries()) {
      if (at > 0 && refusal === null) await count()
      if (refusal !== null) refused.set((message as { id?: unknown } | null)?.id, refusal)
    }
    return refused
  }
  const { caller, now } = known
  const ipAddress = request.headers.get('cf-connecting-ip')
  return { env, request, requestId, ipAddress, caller, now, refusedAmong }
}
