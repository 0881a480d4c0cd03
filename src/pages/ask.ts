import { type Acted, act } from '../platform/http/act-as.ts'
import type { Context } from '../platform/http/context.ts'
import { findDoneUnder } from '../platform/http/idempotency.ts'
import { hashOf, PUBLIC_SCOPE, publicScope } from '../platform/http/idempotency-claim.ts'
import type { Route } from '../platform/http/route.ts'
import type { AnswerOf, MaybeInput } from '../platform/http/route-input.ts'

/** Calls an endpoint as the page's caller, so that a page can do nothing that the API refuses. */
export function ask<R extends Route, I>(
  ctx: Context,
  route: R,
  ...input: MaybeInput<R, I>
): Promise<Acted<AnswerOf<R>>> {
  return act<R, I>({ contextFor: () => ctx }, route, ...input)
}

/**
 * The same, carried out once for a form with this key: a form that is sent twice gets the first response twice. A form
 * that was changed since is another request.
 */
export function askOnce<R extends Route, I>(
  ctx: Context,
  formKey: string,
  route: R,
  ...input: MaybeInput<R, I>
): Promise<Acted<AnswerOf<R>>> {
  const contextFor = () => ctx
  async function claimFor(route: Route, given: Parameters<typeof hashOf>[1]) {
    const requestHash = await hashOf(route, given)
    return { scope: PUBLIC_SCOPE, key: `${keysOf(formKey)}${requestHash.slice(0, 32)}`, requestHash }
  }
  return act<R, I>({ contextFor, claimFor }, route, ...input)
}

function keysOf(formKey: string): string {
  return `page/${formKey.slice(0, 64)}/`
}

/** The responses that one form got for an event type so far, whatever it contained each time. */
export function doneByForm(ctx: Context, eventTypeId: string, formKey: string): Promise<unknown[]> {
  return findDoneUnder(ctx.env, publicScope(eventTypeId), keysOf(formKey))
}
