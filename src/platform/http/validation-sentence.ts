import type * as z from 'zod'

type Issue = z.core.$ZodRawIssue

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'an ISO 8601 time',
  date: 'a date such as 2026-03-09',
  time: 'a time of day such as 17:00',
  base64: 'base64',
}

/** What is wrong with a field, for the caller, where its schema has no sentence of its own. */
export function sentenceOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Must be ${TYPES[issue.expected] ?? issue.expected}.`
    case 'invalid_value':
      return `Must be ${anyOf(issue.values.map(String))}.`
    case 'invalid_format':
      return `Must be ${FORMATS[issue.format] ?? 'in another format'}.`
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive ?? true)
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive ?? true)
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return `Must not have ${anyOf(issue.keys)}.`
    case 'invalid_union':
      return unionSentence(issue.errors)
    default:
      return 'Must have another value.'
  }
}

function tooSmall(origin: string, minimum: number, isInclusive: boolean): string {
  const unit = unitOf(origin)
  if (unit) return minimum === 1 ? 'Must not be empty.' : `Must have at least ${minimum} ${unit}.`
  return isInclusive ? `Must be at least ${minimum}.` : `Must be more than ${minimum}.`
}

function tooBig(origin: string, maximum: number, isInclusive: boolean): string {
  const unit = unitOf(origin)
  if (unit) return `Must have at most ${maximum} ${unit}.`
  return isInclusive ? `Must be at most ${maximum}.` : `Must be less than ${maximum}.`
}

function unitOf(origin: string): string | null {
  if (origin === 'string') return 'characters'
  return origin === 'array' || origin === 'set' ? 'items' : null
}

/** What the options ask for; where one asks for more than a type, only the first is named. */
function unionSentence(options: readonly (readonly { readonly message?: string }[])[]): string {
  const told = [...new Set(options.flatMap(([first]) => first?.message ?? []))]
  const kinds = told.map((sentence) => /^Must be (.+)\.$/.exec(sentence)?.[1])
  if (kinds.length > 0 && kinds.every((kind) => kind !== undefined)) return `Must be ${anyOf(kinds)}.`
  return told[0] ?? 'Must have another value.'
}

function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
