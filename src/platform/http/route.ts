import type * as z from 'zod'
import type { AuthKind } from '../auth/authenticate.ts'
import type { ApiKeyCaller, OperatorCaller, PublicCaller, TenantCaller } from '../auth/caller.ts'
import type { Permission, Scope } from '../auth/policy.ts'
import type { ErrorCode } from '../reasons/error-codes.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `counted` takes from the key's windows or the network's limit; `uncounted` does so for callers with a token only. */
type LimitKind = 'counted' | 'uncounted'

type CallerOf<A extends AuthKind> = A extends 'none'
  ? PublicCaller
  : A extends 'key'
    ? TenantCaller
    : A extends 'service'
      ? OperatorCaller
      : A extends 'key-or-operator'
        ? ApiKeyCaller | OperatorCaller
        : TenantCaller | PublicCaller

type Schema = z.ZodType
type Out<S> = S extends Schema ? z.output<S> : undefined

export type RequestSchemas = {
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  /** Headers that the route reads besides those that every route reads; named in lower case. */
  readonly headers?: z.ZodObject
  readonly body?: z.ZodObject
  /** A body that is read while it comes: lines of this kind. */
  readonly stream?: { readonly contentType: string; readonly line: Schema; readonly means: string }
  /** A file of one of these types, which the handler reads itself while it comes. */
  readonly file?: { readonly contentTypes: readonly string[]; readonly means: string }
  /** What a provider sends as JSON, which the handler reads itself: a signature is of its bytes. */
  readonly ofProvider?: string
}

type RouteDefinition<A extends AuthKind, R extends RequestSchemas, B extends Schema | undefined> = {
  readonly method: Method
  readonly path: `/${string}`
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly auth: A
  /** Query parameters with which a call that needs no caller has one: a key or a token. */
  readonly knowsCallerBy?: readonly string[]
  /** A caller without a key may send a booking's token as the bearer, which proves to the handler that it is theirs. */
  readonly takesProof?: true
  readonly permission: Permission
  readonly scope: Scope
  readonly limit: LimitKind
  /** The verb itself looks up and keeps the answer of an Idempotency-Key, under its lock; otherwise the kernel does. */
  readonly idempotency?: 'by-verb'
  /** Whether the body is a secret that is stored nowhere, not even as the hash of an Idempotency-Key's request. */
  readonly hasSecretBody?: true
  /** Whether it takes `dry_run`: then its handler changes nothing where `ctx.isDry` is set, and answers as if it had. */
  readonly hasDryRun?: true
  /** The code for a malformed id in the path: 404 by default. */
  readonly malformedId?: 'validation_error'
  /** The request itself proves its sender. Otherwise the answer is that there is nothing, as slowly as for wrong keys. */
  readonly isProvedByContent?: boolean
  /** A provider that redirects here adds parameters of its own; everywhere else an unknown one is refused. */
  readonly ignoresUnknownQuery?: boolean
  readonly request: R
  readonly response: {
    readonly status: 200 | 201 | 202 | 204
    readonly body?: B
    /** Of what kind the body is, where it is not JSON: then `body` is a line of it. */
    readonly contentType?: string
    readonly headers?: Readonly<Record<string, string>>
    /** A second successful answer with the same body, as plain text, or without a body. */
    readonly otherwise?: {
      readonly status: number
      readonly means: string
      readonly isText?: true
      readonly isEmpty?: true
    }
  }
  readonly errors: readonly ErrorCode[]
  readonly handler: (
    ctx: Context<CallerOf<A>>,
    input: {
      readonly params: Out<R['params']>
      readonly query: Out<R['query']>
      readonly headers: Out<R['headers']>
      readonly body: Out<R['body']>
    },
  ) => Promise<HandlerResult<Out<B>>>
}

/** What a handler returns: the body of its successful answer, or another answer as a whole. */
export type HandlerResult<T> = T | WholeAnswer

export class WholeAnswer {
  readonly answer: Answer
  /** Whether it was given before, to an earlier request with this Idempotency-Key. */
  readonly isReplay: boolean
  readonly headers: Readonly<Record<string, string>>
  constructor(answer: Answer, isReplay: boolean, headers: Readonly<Record<string, string>> = {}) {
    this.answer = answer
    this.isReplay = isReplay
    this.headers = headers
  }
}

/** An endpoint. It keeps the types of its request and response; only its handler forgets them. */
export type Route<
  R extends RequestSchemas = RequestSchemas,
  B extends Schema | undefined = Schema | undefined,
> = Named<Unnamed<R, B>>

type Unnamed<R extends RequestSchemas, B extends Schema | undefined> = Omit<
  RouteDefinition<AuthKind, R, B>,
  'handler'
> & {
  readonly handler: (
    ctx: Context,
    input: { params: unknown; query: unknown; headers: unknown; body: unknown },
  ) => Promise<unknown>
}

type Named<T> = T & { readonly operationId: string }

/** Whether it takes an Idempotency-Key: every POST, and other verbs that store their answers. */
export function takesKey({ method, idempotency }: Pick<Route, 'method' | 'idempotency'>): boolean {
  return method === 'POST' || idempotency !== undefined
}

/** Declares one endpoint. Router, OpenAPI document, errors and the common tests all derive from it. */
export function defineRoute<
  A extends AuthKind,
  const R extends RequestSchemas,
  B extends Schema | undefined = undefined,
>(definition: RouteDefinition<A, R, B>): Unnamed<R, NoInfer<B>> {
  return definition as unknown as Unnamed<R, B>
}

/** The endpoints of a room in the order of the documentation, each under its `operationId`. */
export function defineRoutes<T extends Readonly<Record<string, Omit<Route, 'operationId'>>>>(
  routes: T,
): { readonly [Name in keyof T]: Named<T[Name]> } {
  const named = Object.entries(routes).map(([operationId, route]) => [operationId, { ...route, operationId }])
  return Object.fromEntries(named)
}
