import { MINUTE_MS } from '../core/time-units.ts'
import type { PublicCaller } from '../platform/auth/caller.ts'
import { sha256 } from '../platform/auth/secret.ts'
import type { As } from '../platform/http/act-as.ts'
import type { Context } from '../platform/http/context.ts'
import { refuse } from '../platform/http/errors.ts'
import { assertKey, hashOf, type IdempotencyClaim, scopeOf } from '../platform/http/idempotency-claim.ts'
import type { Route } from '../platform/http/route.ts'
import { realNow } from '../platform/limits/clock.ts'
import { networkOf } from '../platform/limits/network.ts'
import type { AgentRequest } from './find-caller.ts'

const PUBLIC: PublicCaller = { kind: 'public' }

/** How an agent changes something: only as a dry run, or once under a key. */
export type Manner = {
  readonly isDry: boolean
  readonly key: unknown
  /** Whether the same call is the same act although it has no key. */
  readonly isSameAct: boolean
}

const SAME_ACT_MS = 10 * MINUTE_MS

/** Calls endpoints as the agent's caller; without a manner, to read. */
export function asAgent(request: AgentRequest, manner?: Manner): As {
  const isDry = manner?.isDry ?? false
  const isOnce = manner !== undefined && !isDry && (manner.key != null || manner.isSameAct)
  return {
    contextFor: (route, query) => ({ ...contextOf(request, route, query), isDry }),
    claimFor: async (route, input) =>
      isOnce ? claimOf(request, await hashOf(route, input), manner.key) : null,
  }
}

function contextOf({ caller, now, ...request }: AgentRequest, route: Route, query: object): Context {
  if (route.auth === 'key' && caller.kind === 'public') throw refuse('tool_needs_key')
  const isKnown = route.auth !== 'none' || route.knowsCallerBy?.some((name) => name in query)
  const asked = !isKnown ? { caller: PUBLIC, now: realNow() } : { caller, now }
  return { ...request, ...asked, claim: null, isDry: false }
}

/** Without a key, the same request of the same network or API key is the same act for ten minutes. */
async function claimOf(
  { caller, ipAddress, requestId }: AgentRequest,
  requestHash: string,
  key: unknown,
): Promise<IdempotencyClaim> {
  const scope = scopeOf(caller)
  if (key !== undefined && key !== null) {
    assertKey(typeof key === 'string' ? key : '', 'idempotency_key')
    return { scope, key: `mcp/${key}`, requestHash, requestId }
  }
  const who = caller.kind === 'public' ? networkOf(ipAddress) : caller.kind === 'api_key' ? caller.keyId : ''
  const derived = await sha256(`${who}\n${requestHash}`)
  return {
    scope,
    key: `mcp-same/${derived}`,
    requestHash,
    requestId,
    keepsNoRefusal: true,
    keptMs: SAME_ACT_MS,
  }
}
