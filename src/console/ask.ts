import type { Env } from '../env.ts'
import type { Caller, ServiceCaller } from '../platform/auth/caller.ts'
import { isInScope, isPermitted } from '../platform/auth/policy.ts'
import { Connection } from '../platform/db/connection.ts'
import { sharePatience } from '../platform/db/patience.ts'
import { type Acted, type As, act, demand } from '../platform/http/act-as.ts'
import type { Context } from '../platform/http/context.ts'
import { type Refusal, Refused, refuse } from '../platform/http/errors.ts'
import { hashOf, type IdempotencyClaim, scopeOf } from '../platform/http/idempotency-claim.ts'
import type { Route } from '../platform/http/route.ts'
import type { AnswerOf, MaybeInput, PartFor } from '../platform/http/route-input.ts'
import type { Input } from '../platform/http/run-route.ts'
import { validate } from '../platform/http/validate.ts'
import { consoleLanguage } from '../platform/i18n/console/catalogue.ts'
import type { MemberRequest, SignedInRequest } from './request.ts'

/**
 * Calls an endpoint as the member who sent the request, in their organization, mode and role. A form with a key
 * (`<Form once>`) is carried out once, however often it is sent.
 */
export function ask<R extends Route, I>(
  request: MemberRequest,
  route: R,
  ...input: MaybeInput<R, I>
): Promise<Acted<AnswerOf<R>>> {
  return act<R, I>(asMember(request), route, ...input)
}

/** The same if a refusal leaves nothing to show: it becomes the page. */
export function need<R extends Route, I>(
  request: MemberRequest,
  route: R,
  ...input: MaybeInput<R, I>
): Promise<AnswerOf<R>> {
  return demand<R, I>(asMember(request), route, ...input)
}

/** Why an endpoint would reject a body for its shape alone, or null: for a form that calls several endpoints. */
export function wrongIn<R extends Route, B>(route: R, body: PartFor<R, 'body', B>): Refusal | null {
  try {
    validate(route.request.body, body)
    return null
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return error.refusal
  }
}

function asMember(request: MemberRequest): As {
  return {
    contextFor: (route) => contextOf(request, route),
    claimFor: (route, input) => claimOf(request, route, input),
  }
}

/** The member as the caller of this endpoint; refused where their role is. */
function contextOf(request: MemberRequest, route: Route): Context {
  const { member, page, now } = request
  // Endpoints of the service key decide themselves what a member may do.
  const caller: Caller =
    route.auth === 'service' || route.auth === 'key-or-operator'
      ? { kind: 'operator', userId: member.userId }
      : callerOf(request)
  if (!isPermitted(caller, route.permission) || !isInScope(caller, route.scope)) {
    throw refuse('not_by_role')
  }
  const language = consoleLanguage(page.locale.language)
  return { ...page.ctx, env: sharedEnv(request), caller, now, language, claim: null }
}

/** The member as a service-key caller acting for them. */
export function callerOf({ member, organizationId, isTest }: MemberRequest): ServiceCaller {
  const { userId, memberId, role } = member
  const name = member.memberName ?? (member.userEmail || userId)
  return { kind: 'service', organizationId, isTest, onBehalfOf: { memberId, userId, role, name } }
}

const shared = new WeakMap<SignedInRequest, Env>()

/** What a screen reads at the same time shares its round trips, from one replica: what was just committed included. */
export function sharedEnv(request: SignedInRequest): Env {
  const known = shared.get(request)
  if (known) return known
  const { env } = request.page.ctx
  // Otherwise each of those who share a round trip would count it.
  const { tally } = env
  const connection = new Connection(env.DB.withSession('first-primary'), { tally, isShared: true })
  const DB = { withSession: () => connection } as unknown as D1Database
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

async function claimOf(request: MemberRequest, route: Route, input: Input): Promise<IdempotencyClaim | null> {
  const formKey = request.form.get('form_key')
  if (route.method !== 'POST' || !formKey) return null
  const requestHash = await hashOf(route, input)
  return {
    scope: scopeOf(callerOf(request)),
    key: `console/${formKey.slice(0, 64)}/${requestHash.slice(0, 32)}`,
    requestHash,
    ...(route.hasSecretBody && { keepsNoRefusal: true }),
  }
}
