import type { Route } from '../../platform/http/route.ts'
import type { AnswerOf, MaybeInput } from '../../platform/http/route-input.ts'
import type { FIELDS } from './fields.ts'

export type Args = Readonly<Record<string, unknown>>

/** How a tool calls endpoints, as its own caller. */
export type ToolCall = {
  readonly isPublic: boolean
  readonly publicUrl: string
  readonly isDry: boolean
  readonly ask: <R extends Route, I>(route: R, ...input: MaybeInput<R, I>) => Promise<AnswerOf<R>>
  /** For endpoints that change something: they do it once, or not at all in a dry run. */
  readonly act: <R extends Route, I>(route: R, ...input: MaybeInput<R, I>) => Promise<Done<AnswerOf<R>>>
}

/** A response, and whether it was given to an earlier call that was the same. */
export type Done<T> = { readonly body: T; readonly isReplay: boolean }

/** What a tool answers. */
export type Outcome = {
  /** With the names of the API. */
  readonly body: unknown
  /** The zone in which its times are returned beside UTC. */
  readonly zone: string
  /** What the agent does next. */
  readonly next: string
  /** How it gets the rest of what is listed in `body`. */
  readonly more?: (body: Args) => string
  /** Whether the same call was made before. */
  readonly isReplay?: boolean
}

export type FieldName = keyof typeof FIELDS

export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly needsKey?: true
  /** Whether it changes something: then it takes `idempotency_key` and `dry_run`. */
  readonly writes?: true
  /**
   * Whether its arguments do not say for whom it is: then an anonymous call is never the same act as an earlier one, unless
   * a key that nobody can guess says so.
   */
  readonly namesNobody?: true
  /** Whether what it does takes something away. */
  readonly destroys?: true
  readonly input: readonly FieldName[]
  readonly required: readonly FieldName[]
  /** Names of its answer that are lists of rows, for a tool that lists: it returns as many rows as fit. */
  readonly rows?: readonly FieldName[]
  /** The names at the top of its answer. */
  readonly output: readonly FieldName[]
  readonly run: (call: ToolCall, args: Args) => Promise<Outcome>
}

/** The arguments of these names, as far as they were given. */
export function pick<N extends FieldName>(
  args: Args,
  ...names: readonly N[]
): { readonly [Name in N]: unknown } {
  const given = names.filter((name) => args[name] !== undefined && args[name] !== null)
  return Object.fromEntries(given.map((name) => [name, args[name]])) as { [Name in N]: unknown }
}

/** The argument as a part of a path. */
export function pathPart(args: Args, name: FieldName): string {
  return String(args[name] ?? '')
}

/** The zone that was asked for, else another one that is known. */
export function zoneOf(args: Args, other: unknown = 'UTC'): string {
  return String(args.timezone ?? other)
}
