import { sha256 } from '../platform/auth/secret.ts'
import type { Answer } from '../platform/http/answer.ts'
import type { Context } from '../platform/http/context.ts'
import { type Refusal, Refused } from '../platform/http/errors.ts'
import { findDoneUnder } from '../platform/http/idempotency.ts'
import { PUBLIC_SCOPE, publicScope, whenDone } from '../platform/http/idempotency-claim.ts'
import { type Route, WholeAnswer } from '../platform/http/route.ts'
import { validate } from '../platform/http/validate.ts'

export type Asked<T> =
  | { readonly ok: true; readonly body: T }
  | { readonly ok: false; readonly refusal: Refusal }

type Input = {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: Readonly<Record<string, unknown>>
}

/** Runs the handler of a documented endpoint, so that a page can do nothing that the API refuses. */
export async function ask<T>(
  ctx: Context,
  routes: readonly Route[],
  operationId: string,
  { params, query, body }: Input,
): Promise<Asked<T>> {
  const route = routes.find((one) => one.operationId === operationId)
  if (!route) throw new Error(`there is no operation ${operationId}`)
  try {
    const input = { params, query, headers: undefined, body: validate(route.request.body, body ?? {}) }
    const result = await route.handler(ctx, input)
    return result instanceof WholeAnswer ? whole<T>(result.answer) : { ok: true, body: result as T }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error.refusal }
    throw error
  }
}

function whole<T>({ status, body }: Answer): Asked<T> {
  if (status < 400) return { ok: true, body: body as T }
  return { ok: false, refusal: (body as { error: Refusal }).error }
}

function keysOf(formKey: string): string {
  return `page/${formKey.slice(0, 64)}/`
}

/** What one form has done for an event type so far, whatever it said each time. */
export function doneByForm(ctx: Context, eventTypeId: string, formKey: string): Promise<unknown[]> {
  return findDoneUnder(ctx.env, publicScope(eventTypeId), keysOf(formKey))
}

/**
 * The same, at most once for one form as it was filled in: sent twice, it gets the first answer twice. A
 * form that was changed since is another request.
 */
export async function askOnce<T>(
  ctx: Context,
  routes: readonly Route[],
  operationId: string,
  input: Input,
  formKey: string,
): Promise<Asked<T>> {
  const requestHash = await sha256(JSON.stringify([operationId, input.params ?? null, input.body ?? null]))
  const key = `${keysOf(formKey)}${requestHash.slice(0, 32)}`
  const claimed: Context = { ...ctx, claim: { scope: PUBLIC_SCOPE, key, requestHash } }
  return whenDone(
    () => ask<T>(claimed, routes, operationId, input),
    (asked) => (asked.ok ? null : asked.refusal),
  )
}
