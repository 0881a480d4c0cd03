import type * as z from 'zod'
import type { Route } from './route.ts'

type Nothing = Record<never, never>
type NamesIn<S, Value> = S extends z.ZodObject ? { readonly [Name in keyof z.input<S>]: Value } : never

/** One part of a request: required if one of its names is, and absent if the endpoint does not take it. */
type Part<Key extends string, Names> = [Names] extends [never]
  ? { readonly [K in Key]?: never }
  : Nothing extends Names
    ? { readonly [K in Key]?: Names }
    : { readonly [K in Key]: Names }

/** What an endpoint takes, by name. Values may be what somebody typed: the endpoint validates them. */
type InputOf<R extends Route> = Part<'params', NamesIn<R['request']['params'], string>> &
  Part<'query', NamesIn<R['request']['query'], unknown>> &
  Part<'body', NamesIn<R['request']['body'], unknown>> &
  (R['request'] extends { readonly file: unknown }
    ? { readonly file: Uint8Array<ArrayBuffer> }
    : { readonly file?: never }) & {
    /** Whether somebody typed the parameters: then a malformed one is invalid instead of not found. */
    readonly isTyped?: true
  }

/** What an endpoint takes in one part, by name. */
export type BodyOf<R extends Route> = NamesIn<R['request']['body'], unknown>
export type QueryOf<R extends Route> = NamesIn<R['request']['query'], unknown>

type NamesOf<T> = T extends unknown ? keyof T : never
type Without<Given, Known> = { readonly [Name in Exclude<NamesOf<Given>, NamesOf<Known>>]?: never }
type Exactly<Given, Known> = Without<Given, Known> & {
  readonly [Name in keyof Given & keyof Known]?: Without<Given[Name], Known[Name]>
}

/** The input of an endpoint with no other name in it, also if it was built beforehand. */
export type InputFor<R extends Route, Given> = Given & InputOf<R> & Exactly<Given, InputOf<R>>

/** The same for one part of it. */
export type PartFor<R extends Route, Key extends 'query' | 'body', Given> = Given &
  NamesIn<R['request'][Key], unknown> &
  Without<Given, NamesIn<R['request'][Key], unknown>>

export type MaybeInput<R extends Route, Given> =
  Nothing extends InputOf<R> ? [input?: InputFor<R, Given>] : [input: InputFor<R, Given>]

type Body<S> = [S] extends [z.ZodType] ? z.output<S> : undefined
/** The body of an endpoint's successful response. */
export type AnswerOf<R extends Route> = Body<NonNullable<R['response']['body']>>
