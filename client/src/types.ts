import type { components, paths } from './schema.ts'

export type Schemas = components['schemas']
/** What a webhook brings, and an entry of the feed. */
export type Event = Schemas['Event']
/** The question that proves that an endpoint wants events: send `challenge` back. */
export type Challenge = Schemas['WebhookChallenge']

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never
}[keyof paths]
export type Operation<P extends keyof paths, M extends Method> = M extends keyof paths[P]
  ? paths[P][M]
  : never

type Success = 200 | 201 | 202 | 204
type BodyOf<R> = R extends { content: { 'application/json': infer B } } ? B : undefined

/** What a call answers when all goes well; undefined where there is no body. */
export type DataOf<O> = O extends { responses: infer R }
  ? { [S in keyof R]: S extends Success ? BodyOf<R[S]> : never }[keyof R]
  : never

/** What it answers else: `error.code` is a union of the codes that this call can answer with. */
export type ErrorOf<O> = O extends { responses: infer R }
  ? { [S in keyof R]: S extends Success ? never : NonNullable<BodyOf<R[S]>> }[keyof R]
  : never

/** Without what cannot be sent. */
type Sendable<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }
type ParamsOf<O> = O extends { parameters: infer P }
  ? Sendable<Pick<P, Extract<keyof P, 'path' | 'query' | 'header'>>>
  : object

type JsonBody<B> = { content: { 'application/json': B } }
type WithBody<O> = O extends { requestBody: JsonBody<infer B> }
  ? { body: B }
  : O extends { requestBody?: infer R }
    ? [NonNullable<R>] extends [never]
      ? object
      : NonNullable<R> extends JsonBody<infer B>
        ? { body?: B }
        : object
    : object

type Common = {
  /** Ends the call, and its repetitions. */
  signal?: AbortSignal
  headers?: Readonly<Record<string, string>>
}
export type InitOf<O> = Common &
  WithBody<O> &
  (Record<never, never> extends ParamsOf<O> ? { params?: ParamsOf<O> } : { params: ParamsOf<O> })

/** What follows the path: nothing has to where nothing is needed. */
export type Rest<O> = Record<never, never> extends InitOf<O> ? [init?: InitOf<O>] : [init: InitOf<O>]

export type Result<O> =
  | { data: DataOf<O>; error?: undefined; response: Response }
  | { data?: undefined; error: ErrorOf<O>; response: Response }

type Call<M extends Method> = <P extends PathsWith<M>>(
  path: P,
  ...rest: Rest<Operation<P, M>>
) => Promise<Result<Operation<P, M>>>

export type Client = {
  GET: Call<'get'>
  POST: Call<'post'>
  PUT: Call<'put'>
  PATCH: Call<'patch'>
  DELETE: Call<'delete'>
}

type Page = { data: readonly unknown[]; has_more: boolean }
/** The lists that come in pages. */
export type ListPath = {
  [P in PathsWith<'get'>]: DataOf<Operation<P, 'get'>> extends Page ? P : never
}[PathsWith<'get'>]
export type ItemOf<P extends ListPath> =
  DataOf<Operation<P, 'get'>> extends { data: readonly (infer I)[] } ? I : never
