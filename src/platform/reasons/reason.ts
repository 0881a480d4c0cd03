import { ERRORS, type ErrorCode } from './error-codes.ts'
import { PROBLEMS } from './problems.ts'
import { REFUSALS } from './refusals.ts'

type Table = typeof REFUSALS
type All<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never
type Refusals = All<Table[keyof Table]>

/** Why a request is refused. */
export type Reason = keyof Refusals
/** What is wrong with a field. */
export type ProblemReason = keyof typeof PROBLEMS

/** What a sentence needs besides its reason. */
type Needs<Says> = Says extends (numbers: infer N) => string ? [numbers: N] : []
export type Numbers<R extends Reason> = Needs<Refusals[R]>
type ProblemNumbers<R extends ProblemReason> = Needs<(typeof PROBLEMS)[R]>

/** The same reasons in another language: each has a text, made of the same numbers. */
type Translated<T> = {
  readonly [R in keyof T]: T[R] extends (numbers: infer N) => string ? (numbers: N) => string : string
}
export type Translation = {
  readonly refusals: Translated<Refusals>
  readonly problems: Translated<typeof PROBLEMS>
}

declare const isProblem: unique symbol
/** What is wrong with a field: a reason and its numbers. It is a text, because schemas carry nothing else. */
export type Problem = string & { readonly [isProblem]: true }

export function problem<R extends ProblemReason>(reason: R, ...[numbers]: ProblemNumbers<R>): Problem {
  return (numbers === undefined ? reason : `${reason} ${JSON.stringify(numbers)}`) as Problem
}

/** A reason of this kind, with its numbers. */
type Told = { readonly code: ErrorCode; readonly reason: Reason; readonly numbers?: unknown }

const ENGLISH: Translation = {
  refusals: Object.assign({}, ...Object.values(REFUSALS)),
  problems: PROBLEMS as Translation['problems'],
}
const CODES = Object.fromEntries(
  Object.entries(REFUSALS).flatMap(([code, reasons]) => Object.keys(reasons).map((reason) => [reason, code])),
) as Readonly<Record<Reason, ErrorCode>>

export function codeOf(reason: Reason): ErrorCode {
  return CODES[reason]
}

export function hasNumbers(reason: Reason): boolean {
  return typeof ENGLISH.refusals[reason] === 'function'
}

/** The sentence of a refusal, in English unless another language is given. */
export function sentenceOf({ code, reason, numbers }: Told, { refusals }: Translation = ENGLISH): string {
  // Another version of the service may have made it.
  return says(refusals[reason] ?? ERRORS[code].means, numbers)
}

/** The same of a problem. */
export function problemText(text: Problem, { problems }: Translation = ENGLISH): string {
  const [reason = '', ...numbers] = text.split(/ (.*)/s)
  return says(problems[reason as ProblemReason] ?? problems.not_valid, numbers[0] && JSON.parse(numbers[0]))
}

export function reasonOf(text: Problem): ProblemReason {
  return text.split(' ', 1)[0] as ProblemReason
}

/** The numbers of a problem with this reason; null if it has another. */
export function numbersOf<R extends ProblemReason>(text: Problem, reason: R): ProblemNumbers<R>[0] | null {
  return reasonOf(text) === reason ? JSON.parse(text.slice(reason.length + 1)) : null
}

function says(text: string | ((numbers: never) => string), numbers: unknown): string {
  return typeof text === 'string' ? text : text(numbers as never)
}
