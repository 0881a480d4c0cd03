import { parseDate } from '../../core/local-time.ts'
import type { Question } from '../../platform/db/schema/event-types.ts'
import { hasNoNul, isBlank, isOneLine } from '../../platform/http/typed-text.ts'
import { type Problem, problem } from '../../platform/reasons/reason.ts'

export type AnswerValue = string | number | boolean | readonly string[]

type Kind = {
  /** What is wrong with a value that is not empty; null if it is valid. */
  readonly refuse: (value: unknown, question: Question) => Problem | null
}

const MAX_URL = 2_000
const MAX_PHONE = 50

export function isChoice(type: Question['type']): boolean {
  return type === 'choice' || type === 'choices'
}

/** An empty value counts as missing. */
export function isEmptyAnswer(value: unknown): boolean {
  if (typeof value === 'string') return isBlank(value)
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

function refuseText(value: unknown, most: number): Problem | null {
  if (typeof value !== 'string') return problem('not_a', { kinds: ['string'] })
  return value.length > most ? problem('too_long', { most }) : null
}

function refuseOneLine(value: unknown, most: number): Problem | null {
  return refuseText(value, most) ?? (isOneLine(value as string) ? null : problem('not_one_line'))
}

const KINDS: Readonly<Record<Question['type'], Kind>> = {
  short_text: { refuse: (value) => refuseOneLine(value, 255) },
  long_text: {
    refuse: (value) => refuseText(value, 5_000) ?? (hasNoNul(value as string) ? null : problem('has_nul')),
  },
  choice: {
    refuse: (value, { options }) =>
      typeof value === 'string' && options?.includes(value) ? null : problem('not_an_option'),
  },
  choices: {
    refuse: (value, { options }) => {
      if (!Array.isArray(value)) return problem('not_a', { kinds: ['array'] })
      if (!value.every((one) => options?.includes(one))) return problem('not_an_option')
      return new Set(value).size === value.length ? null : problem('listed_twice')
    },
  },
  checkbox: {
    refuse: (value, { required }) => {
      if (typeof value !== 'boolean') return problem('not_a', { kinds: ['boolean'] })
      return required && !value ? problem('not_true') : null
    },
  },
  phone: {
    refuse: (value) =>
      refuseOneLine(value, MAX_PHONE) ?? (isPhone(value as string) ? null : problem('not_a_phone_number')),
  },
  url: {
    refuse: (value) =>
      refuseOneLine(value, MAX_URL) ?? (isWebAddress(value as string) ? null : problem('not_http')),
  },
  number: {
    refuse: (value) =>
      typeof value === 'number' && Number.isFinite(value) ? null : problem('not_a', { kinds: ['number'] }),
  },
  date: {
    refuse: (value) =>
      typeof value === 'string' && parseDate(value) !== null ? null : problem('not_a_date'),
  },
}

/** Why this cannot be the answer to the question; null if it can. */
export function refuseAnswer(question: Question, value: unknown): Problem | null {
  if (isEmptyAnswer(value)) return question.required ? problem('required') : null
  return KINDS[question.type].refuse(value, question)
}

/** As phone numbers are written in any country: digits of any script, separators, an extension. */
function isPhone(text: string): boolean {
  const plain = text.normalize('NFKC').trim()
  const digits = plain.match(/\p{Nd}/gu)?.length ?? 0
  return digits >= 3 && digits <= 20 && /^\+?[\p{Nd}\s().\-/]+((ext\.?|x|#)\s*\p{Nd}{1,6})?$/iu.test(plain)
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}
