import type { PageEventType } from '../booking/listing/schema.ts'
import { isExact } from '../platform/http/exact-json.ts'

export type AskedQuestion = PageEventType['questions'][number]
/** What was typed or chosen, by the keys of the questions. */
export type TypedAnswers = ReadonlyMap<string, readonly string[]>

const FIELD = /^answers\[([a-z0-9_]{1,40})\]$/
const MAX_ANSWERS = 20
const MAX_CHOICES = 50
const TICKED: ReadonlySet<string> = new Set(['true', '1', 'on', 'yes'])

/** The name of its field in a form and in an address. */
export function answerField(key: string): string {
  return `answers[${key}]`
}

/** What a form or an address says of each. */
export function answersIn(params: URLSearchParams, most = 10_000): TypedAnswers {
  const found = new Map<string, string[]>()
  for (const [name, value] of params) {
    const key = FIELD.exec(name)?.[1]
    if (key === undefined || (!found.has(key) && found.size >= MAX_ANSWERS)) continue
    const values = found.get(key) ?? []
    if (values.length < MAX_CHOICES) found.set(key, [...values, value.slice(0, most)])
  }
  return found
}

export function isTicked(values: readonly string[]): boolean {
  return values.some((value) => TICKED.has(value.toLowerCase()))
}

/** As the API takes them. What fits no question is left out. */
export function answersFor(
  questions: readonly AskedQuestion[],
  typed: TypedAnswers,
  tag: string,
): Record<string, unknown> {
  return Object.fromEntries(
    questions.map((question) => [question.key, answerTo(question, typed.get(question.key) ?? [], tag)]),
  )
}

function answerTo({ type }: AskedQuestion, values: readonly string[], tag: string): unknown {
  // A field sent twice has its last value, and browsers send every line end as two characters.
  const text = (values.at(-1) ?? '').replace(/\r\n/g, '\n').trim()
  switch (type) {
    case 'choices':
      return [...new Set(values.filter((value) => value !== ''))]
    case 'checkbox':
      return isTicked(values)
    case 'choice':
      return values.at(-1) ?? ''
    case 'number':
      return text === '' ? '' : (numberIn(text, tag) ?? text)
    case 'url':
      return text === '' || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`
    default:
      return text
  }
}

/** A number as the visitor's language writes it, in any digits; null where it is not one that can be stored exactly. */
export function numberIn(text: string, tag: string): number | null {
  const plain = text
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\u066b/g, '.')
    .replace(/[\s'’\u066c]/g, '')
    .replace(/\u2212/g, '-')
  const point = new Intl.NumberFormat(tag).formatToParts(1.1).find(({ type }) => type === 'decimal')?.value
  const groups = point === ',' ? '.' : ','
  const isGrouped = new RegExp(`^[-+]?\\d{1,3}(\\${groups}\\d{3})+(\\D\\d+)?$`).test(plain)
  const whole = (isGrouped ? plain.replaceAll(groups, '') : plain).replace(',', '.')
  const value = Number(whole)
  const isNumber = /^[-+]?(\d+\.?\d*|\.\d+)$/.test(whole) && Number.isFinite(value)
  return isNumber && isExact(whole, value) ? value : null
}
