import { assertAllowed } from './admit.ts'
import { plainBody, refusalOf } from './answer.ts'
import type { Context } from './context.ts'
import { type Refusal, Refused } from './errors.ts'
import { type IdempotencyClaim, whenDone } from './idempotency-claim.ts'
import { type Route, WholeAnswer } from './route.ts'
import type { AnswerOf, MaybeInput } from './route-input.ts'
import { type Input, runRoute } from './run-route.ts'
import { validate, validateParams } from './validate.ts'

/** The caller of an endpoint from inside the service. */
export type As = {
  readonly contextFor: (route: Route, query: NonNullable<Given['query']>) => Context
  /** For requests that are carried out once, however often they are sent. */
  readonly claimFor?: (route: Route, input: Input) => Promise<IdempotencyClaim | null>
}

export type Acted<T> =
  | { readonly ok: true; readonly body: T; readonly isReplay: boolean }
  | { readonly ok: false; readonly refusal: Refusal }

/** An input whose names are checked already. */
type Given = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly file?: Uint8Array<ArrayBuffer>
  readonly isTyped?: true
}

/** Calls an endpoint like a request from outside, so that nobody inside can do what the API refuses. */
export async function act<R extends Route, I>(
  as: As,
  route: R,
  ...[input]: MaybeInput<R, I>
): Promise<Acted<AnswerOf<R>>> {
  const acted = await whenDone(
    () => attempt(as, route, (input ?? {}) as Given),
    (one) => (one.ok ? null : one.refusal),
  )
  return acted as Acted<AnswerOf<R>>
}

/** The same if a refusal leaves nothing to go on with: it is thrown. */
export async function demand<R extends Route, I>(
  as: As,
  route: R,
  ...input: MaybeInput<R, I>
): Promise<AnswerOf<R>> {
  const acted = await act<R, I>(as, route, ...input)
  if (!acted.ok) throw new Refused(acted.refusal)
  return acted.body
}

async function attempt({ contextFor, claimFor }: As, route: Route, given: Given): Promise<Acted<unknown>> {
  try {
    const ctx = withFile(contextFor(route, given.query ?? {}), route, given)
    assertAllowed(route, ctx.caller)
    const input = readInput(route, given)
    const claim = (await claimFor?.(route, input)) ?? null
    return actedOf(await runRoute(route, { ...ctx, claim }, () => input))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { ok: false, refusal: error.refusal }
  }
}

/** The endpoint reads the file as if it came in a request of its own. */
function withFile(ctx: Context, { method }: Route, { file }: Given): Context {
  return file ? { ...ctx, request: new Request(ctx.request.url, { method, body: file }) } : ctx
}

function readInput(
  { request, malformedId }: Route,
  { params = {}, query = {}, body = {}, isTyped }: Given,
): Input {
  // Parameters are decoded before they are validated: `%40` in an email address would become another one.
  const path = Object.entries(params).map(([name, text]) => [name, encodeURIComponent(text)])
  return {
    params: validateParams(
      request.params,
      Object.fromEntries(path),
      isTyped ? 'validation_error' : malformedId,
    ),
    query: validate(request.query, asQuery(query)),
    headers: undefined,
    body: validate(request.body, body),
  }
}

/** Values as an address contains them; without those that are missing. */
function asQuery(query: NonNullable<Given['query']>): Record<string, string> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  )
}

function actedOf(result: unknown): Acted<unknown> {
  if (!(result instanceof WholeAnswer)) return { ok: true, body: plainBody(result), isReplay: false }
  const { answer, isReplay } = result
  if (answer.status >= 400) return { ok: false, refusal: refusalOf(answer) }
  return { ok: true, body: plainBody(answer.body), isReplay }
}
