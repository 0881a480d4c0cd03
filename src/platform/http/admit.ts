import type { Env } from '../../env.ts'
import { type AuthKind, authenticate } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import { contradictionsOf } from '../auth/contradiction.ts'
import { isInScope, isPermitted } from '../auth/policy.ts'
import { type AskedMs, realNow } from '../limits/clock.ts'
import type { Answer } from './answer.ts'
import { invalid, notFound, Refused, refuse } from './errors.ts'
import { brakeNetwork } from './network-brake.ts'
import { keyBrake, rateHeaders } from './rate-answers.ts'
import type { Route } from './route.ts'

/** Somebody who may call now. */
type Admitted = {
  readonly caller: Caller
  readonly now: AskedMs
  /** What came in place of a key. */
  readonly token?: string
}

/** Finds the caller and counts the call. A caller with no calls left gets the answer that says so. */
export async function admit(
  route: Pick<Route, 'auth' | 'knowsCallerBy' | 'takesProof' | 'limit'>,
  request: Request,
  env: Env,
  headers: Headers,
): Promise<Admitted | { readonly braked: Answer }> {
  const arrivedAt = realNow()
  const counted = route.limit === 'counted'
  const authentication = await authenticate(request, env, authOf(route, request), arrivedAt, counted)
  if (env.tally && 'apiKey' in authentication) env.tally.apiKey = authentication.apiKey ?? null
  if (!authentication.ok) {
    if ('wrong' in authentication) throw invalid(authentication.wrong)
    throw authentication.why === 'no_organization' ? notFound('organization') : refuse(authentication.why)
  }
  const { caller, rate } = authentication
  if (env.tally && 'organizationId' in caller) env.tally.organizationId = caller.organizationId
  if (rate) {
    rateHeaders(rate, headers)
    if (rate.refusedBy) return { braked: keyBrake(rate, arrivedAt, headers) }
    const contradictions = caller.kind === 'api_key' ? contradictionsOf(request.headers, caller) : {}
    if (Object.keys(contradictions).length > 0) throw invalid(contradictions)
  } else if (isBraked(route, caller)) {
    const ipAddress = request.headers.get('cf-connecting-ip')
    const braked = await brakeNetwork(env, 'PUBLIC_LIMIT', ipAddress, headers)
    if (braked) return { braked }
  }
  return authentication
}

/** Most calls that need no caller never look at a key. */
function authOf(
  { auth, knowsCallerBy = [], takesProof }: Pick<Route, 'auth' | 'knowsCallerBy' | 'takesProof'>,
  { url }: Request,
): AuthKind {
  if (takesProof) return 'key-or-token'
  if (knowsCallerBy.length === 0) return auth
  const { searchParams } = new URL(url)
  return knowsCallerBy.some((name) => searchParams.has(name)) ? 'key-or-token' : auth
}

/** Whether the call is limited for the network that it comes from. */
export function isBraked({ auth, limit }: Pick<Route, 'auth' | 'limit'>, caller: Caller): boolean {
  return caller.kind === 'public' && (limit === 'counted' || auth !== 'none')
}

/** Refuses whom the route does not let do it. */
export function assertAllowed(route: Route, caller: Caller): void {
  if (!isPermitted(caller, route.permission)) throw refuse('not_allowed')
  if (!isInScope(caller, route.scope)) throw refuse('needs_live_key')
}

/** The answer to a network whose credentials fail too often; null where it may go on, or where nothing of it failed. */
export async function brakeUnproven(
  { isProvedByContent }: Pick<Route, 'isProvedByContent'>,
  error: unknown,
  env: Env,
  ipAddress: string | null,
  headers: Headers,
): Promise<Answer | null> {
  if (!(error instanceof Refused)) return null
  const { code } = error.refusal
  const isUnproven = code === 'unauthorized' || (isProvedByContent === true && code === 'not_found')
  return isUnproven ? brakeNetwork(env, 'FAILED_LIMIT', ipAddress, headers) : null
}
