import type * as z from 'zod'
import { KINDS, type Kind } from '../reasons/problems.ts'
import { numbersOf, type Problem, type ProblemReason, problem } from '../reasons/reason.ts'

type Issue = z.core.$ZodRawIssue

/** The formats of zod. */
const FORMATS = {
  email: 'not_an_email',
  url: 'not_a_url',
  uuid: 'not_an_id',
  datetime: 'not_an_instant',
  date: 'not_a_date',
  time: 'not_a_time',
  base64: 'not_base64',
  lowercase: 'not_lower_case',
} as const satisfies Readonly<Record<string, ProblemReason>>

/** What is wrong with a field if its schema does not say so itself. */
export function problemOf(issue: Issue): Problem {
  switch (issue.code) {
    case 'invalid_type':
      return isKind(issue.expected) ? problem('not_a', { kinds: [issue.expected] }) : problem('not_valid')
    case 'invalid_value':
      return problem('not_one_of', { values: issue.values.map(String) })
    case 'invalid_format':
      return isFormat(issue.format) ? problem(FORMATS[issue.format]) : problem('not_in_format')
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive ?? true)
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive ?? true)
    case 'not_multiple_of':
      return problem('not_a_multiple', { step: Number(issue.divisor) })
    case 'unrecognized_keys':
      return problem('unknown_keys', { names: issue.keys })
    case 'invalid_union':
      return unionProblem(issue.errors)
    default:
      return problem('not_valid')
  }
}

function isKind(expected: string): expected is Kind {
  return Object.hasOwn(KINDS, expected)
}

function isFormat(format: string): format is keyof typeof FORMATS {
  return Object.hasOwn(FORMATS, format)
}

function tooSmall(origin: string, least: number, isInclusive: boolean): Problem {
  if (origin === 'string') return least === 1 ? problem('empty') : problem('too_short', { least })
  if (isList(origin)) return least === 1 ? problem('empty') : problem('too_few', { least })
  return isInclusive ? problem('too_low', { least }) : problem('not_above', { limit: least })
}

function tooBig(origin: string, most: number, isInclusive: boolean): Problem {
  if (origin === 'string') return problem('too_long', { most })
  if (isList(origin)) return problem('too_many', { most })
  return isInclusive ? problem('too_high', { most }) : problem('not_below', { limit: most })
}

function isList(origin: string): boolean {
  return origin === 'array' || origin === 'set'
}

/** The types that the options take; if one asks for more than a type, only the first is named. */
function unionProblem(options: readonly (readonly { readonly message?: string }[])[]): Problem {
  const found = options.flatMap(([first]) => (first?.message ?? []) as Problem[])
  const kinds = found.map((one) => numbersOf(one, 'not_a')?.kinds)
  if (found.length === 0) return problem('not_valid')
  if (!kinds.every((one) => one !== undefined)) return found[0]!
  return problem('not_a', { kinds: [...new Set(kinds.flat())] })
}
