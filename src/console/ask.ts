import type { Env } from '../env.ts'
import type { Caller, ServiceCaller } from '../platform/auth/caller.ts'
import { isInScope, isPermitted } from '../platform/auth/policy.ts'
import { sha256 } from '../platform/auth/secret.ts'
import { countedSession } from '../platform/db/counted-session.ts'
import { sharePatience } from '../platform/db/patience.ts'
import { sharedTrips } from '../platform/db/shared-trips.ts'
import { type Answer, plainBody, refusalAnswer } from '../platform/http/answer.ts'
import type { Context } from '../platform/http/context.ts'
import { type Refusal, Refused } from '../platform/http/errors.ts'
import { findStored, storeResponse } from '../platform/http/idempotency.ts'
import { type IdempotencyClaim, isDecided, whenDone } from '../platform/http/idempotency-claim.ts'
import { type Route, WholeAnswer } from '../platform/http/route.ts'
import { validate, validateParams } from '../platform/http/validate.ts'
import type { MemberRequest, SignedInRequest } from './request.ts'
import { NOT_BY_ROLE } from './trouble.ts'

export type Asked<T> =
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly refusal: Refusal }

export type Input = {
  readonly params?: Readonly<Record<string, string>>
  /** Whether the parameters were typed: what is malformed is told at its field then, instead of naming nothing. */
  readonly isTyped?: boolean
  /** As texts, as in an address. */
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

/**
 * Asks a documented endpoint as the member who sent the request: with their role, in the organization and on the side
 * that they work in, and with the endpoint's own validation. So no screen can do what the API refuses. A form that
 * carries a key (`<Form once>`) does what it asks for once, however often it is sent.
 */
export async function ask<T>(
  request: MemberRequest,
  routes: readonly Route[],
  operationId: string,
  input: Input = {},
): Promise<Asked<T>> {
  const route = routeIn(routes, operationId)
  const claim = await claimOf(request, route, input)
  return whenDone(
    () => attempt<T>(request, route, input, claim),
    (asked) => (asked.ok ? null : asked.refusal),
  )
}

/** The same where a refusal leaves nothing to show: it becomes the page. */
export async function need<T>(
  request: MemberRequest,
  routes: readonly Route[],
  operationId: string,
  input: Input = {},
): Promise<T> {
  const asked = await ask<T>(request, routes, operationId, input)
  if (!asked.ok) throw new Refused(asked.refusal)
  return asked.body
}

/** What an endpoint would refuse of a body for its shape alone, before a form that asks several of them begins; else null. */
export function wrongIn(routes: readonly Route[], operationId: string, body: Input['body']): Refusal | null {
  try {
    validate(routeIn(routes, operationId).request.body, body)
    return null
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return error.refusal
  }
}

function routeIn(routes: readonly Route[], operationId: string): Route {
  const route = routes.find((one) => one.operationId === operationId)
  if (!route) throw new Error(`there is no operation ${operationId}`)
  return route
}

async function attempt<T>(
  request: MemberRequest,
  route: Route,
  input: Input,
  claim: IdempotencyClaim | null,
): Promise<Asked<T>> {
  const { env } = request.page.ctx
  try {
    const ctx: Context = { ...contextOf(request, route), claim }
    const given = {
      params: validateParams(
        route.request.params,
        asInAddress(input.params ?? {}),
        input.isTyped ? 'validation_error' : route.malformedId,
      ),
      query: validate(route.request.query, input.query ?? {}),
      headers: undefined,
      body: validate(route.request.body, input.body ?? {}),
    }
    const kept = claim && route.idempotency !== 'by-verb' ? await findStored(env, claim) : null
    if (kept && 'refusal' in kept) return { ok: false, refusal: kept.refusal }
    if (kept) return whole(kept.replay)
    const result = await route.handler(ctx, given)
    return result instanceof WholeAnswer ? whole(result.answer) : { ok: true, body: plainBody(result) as T }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { refusal, isKept } = error
    if (claim && !isKept && isDecided(refusal) && refusal.code !== 'validation_error') {
      await storeResponse(env, claim, refusalAnswer(refusal))
    }
    return { ok: false, refusal }
  }
}

/** Parameters are decoded before they are looked at, so that `%40` of somebody's address would become another one. */
function asInAddress(params: NonNullable<Input['params']>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, encodeURIComponent(text)]))
}

/** The member as the caller of this endpoint; refused where their role is. */
function contextOf(request: MemberRequest, route: Route): Context {
  const { member, page, now } = request
  // Endpoints of the service key find out by themselves what a member may do.
  const caller: Caller =
    route.auth === 'service' || route.auth === 'key-or-operator'
      ? { kind: 'operator', userId: member.userId }
      : callerOf(request)
  if (!isPermitted(caller, route.permission) || !isInScope(caller, route.scope)) {
    throw new Refused(NOT_BY_ROLE)
  }
  return { ...page.ctx, env: sharedEnv(request), caller, now, claim: null }
}

/** The member as whoever acts for them would call. */
export function callerOf({ member, organizationId, isTest }: MemberRequest): ServiceCaller {
  const { userId, memberId, role } = member
  return { kind: 'service', organizationId, isTest, onBehalfOf: { memberId, userId, role } }
}

const shared = new WeakMap<SignedInRequest, Env>()

/** What a screen asks at the same time shares its round trips, and is told by one replica: what was just committed too. */
export function sharedEnv(request: SignedInRequest): Env {
  const known = shared.get(request)
  if (known) return known
  const { env } = request.page.ctx
  // Who shares a trip would count it once each.
  const counted = countedSession(env.DB.withSession('first-primary'), env.tally)
  const session = sharedTrips(counted as unknown as D1Database)
  const DB = { withSession: () => session } as unknown as D1Database
  sharePatience(DB, env.DB)
  const made: Env = { ...bindingsOf(env), DB }
  shared.set(request, made)
  return made
}

/** The surroundings without their tally: those that are inherited too. */
function bindingsOf(env: Env): Env {
  const found: { [name: string]: unknown } = {}
  for (const name in env) if (name !== 'tally') found[name] = env[name as keyof Env]
  return found as unknown as Env
}

async function claimOf(
  request: MemberRequest,
  { method, operationId }: Route,
  input: Input,
): Promise<IdempotencyClaim | null> {
  const formKey = request.form.get('form_key')
  if (method !== 'POST' || !formKey) return null
  const { organizationId, isTest, member } = request
  const requestHash = await sha256(JSON.stringify([operationId, input.params ?? null, input.body ?? null]))
  return {
    scope: `${organizationId}/${isTest ? 'test' : 'live'}/${member.userId}`,
    key: `console/${formKey.slice(0, 64)}/${requestHash.slice(0, 32)}`,
    requestHash,
  }
}

function whole<T>({ status, body }: Answer): Asked<T> {
  if (status < 400) return { ok: true, body: plainBody(body) as T }
  return { ok: false, refusal: (body as { error: Refusal }).error }
}
