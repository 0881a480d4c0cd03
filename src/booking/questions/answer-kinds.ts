import { parseDate } from '../../core/local-time.ts'
import type { Question } from '../../platform/db/schema/event-types.ts'
import { HAS_NUL, hasNoNul, isBlank, isOneLine, NOT_ONE_LINE } from '../../platform/http/typed-text.ts'

export type AnswerValue = string | number | boolean | readonly string[]

type Kind = {
  /** What is wrong with a value that is not empty; null if it is valid. */
  readonly refuse: (value: unknown, question: Question) => string | null
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

function refuseText(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return 'Must be text.'
  return value.length > most ? `Must have at most ${most} characters.` : null
}

function refuseOneLine(value: unknown, most: number): string | null {
  return refuseText(value, most) ?? (isOneLine(value as string) ? null : NOT_ONE_LINE)
}

const KINDS: Readonly<Record<Question['type'], Kind>> = {
  short_text: { refuse: (value) => refuseOneLine(value, 255) },
  long_text: {
    refuse: (value) => refuseText(value, 5_000) ?? (hasNoNul(value as string) ? null : HAS_NUL),
  },
  choice: {
    refuse: (value, { options }) =>
      typeof value === 'string' && options?.includes(value) ? null : 'Must be one of the options.',
  },
  choices: {
    refuse: (value, { options }) => {
      if (!Array.isArray(value)) return 'Must be a list.'
      if (!value.every((one) => options?.includes(one))) return 'Must be of the options.'
      return new Set(value).size === value.length ? null : 'Must not list an option twice.'
    },
  },
  checkbox: {
    refuse: (value, { required }) => {
      if (typeof value !== 'boolean') return 'Must be true or false.'
      return required && !value ? 'Must be true.' : null
    },
  },
  phone: {
    refuse: (value) =>
      refuseOneLine(value, MAX_PHONE) ?? (isPhone(value as string) ? null : 'Must be a phone number.'),
  },
  url: {
    refuse: (value) =>
      refuseOneLine(value, MAX_URL) ??
      (isWebAddress(value as string) ? null : 'Must be an http or https URL.'),
  },
  number: {
    refuse: (value) => (typeof value === 'number' && Number.isFinite(value) ? null : 'Must be a number.'),
  },
  date: {
    refuse: (value) =>
      typeof value === 'string' && parseDate(value) !== null ? null : 'Must be a date such as 2026-03-09.',
  },
}

/** Why this cannot be the answer to the question; null if it can. */
export function refuseAnswer(question: Question, value: unknown): string | null {
  if (isEmptyAnswer(value)) return question.required ? 'Is required.' : null
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
