import { badRequest } from './graph-reply.ts'

export type Reader = { readonly tokens: readonly string[]; at: number }

const TOKEN = /\s*('(?:[^']|'')*'|[(),:]|[^\s(),:']+(?::\d\d:[\d.]+\w*)?(?:[+-]\d\d:\d\d)?)/y

export function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const found = TOKEN.exec(text)
    if (!found) throw syntax(text)
    tokens.push(found[1]!)
  }
  return tokens
}

export const syntax = (text: string) =>
  badRequest(`Invalid filter clause: There is a syntax error in '${text}'.`)

export const peek = (reader: Reader) => reader.tokens[reader.at]?.toLowerCase()
export function take(reader: Reader, wanted?: string): string {
  const token = reader.tokens[reader.at]
  if (token === undefined || (wanted !== undefined && token.toLowerCase() !== wanted)) {
    throw syntax(reader.tokens.join(' '))
  }
  reader.at += 1
  return token
}

export type Value = string | number | boolean | null

export function literal(token: string): Value {
  if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'")
  if (token === 'true' || token === 'false') return token === 'true'
  if (token === 'null') return null
  if (/^-?\d+(\.\d+)?$/.test(token)) return Number(token)
  return token
}

/** Instants are compared as instants, whatever their digits; the rest as text in capitals or not. */
export function comparison(operator: string, wanted: Value): (value: Value) => boolean {
  const isTime = typeof wanted === 'string' && /^\d{4}-\d\d-\d\d(T|$)/.test(wanted)
  const rank = (value: Value): string | number => {
    if (isTime && typeof value === 'string')
      return Date.parse(/Z|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`)
    return typeof value === 'string' ? value.toLowerCase() : Number(value ?? Number.NaN)
  }
  const right = rank(isTime ? asTime(String(wanted)) : wanted)
  switch (operator.toLowerCase()) {
    case 'eq':
      return (value) => (wanted === null ? value === null : value !== null && rank(value) === right)
    case 'ne':
      return (value) => (wanted === null ? value !== null : value === null || rank(value) !== right)
    case 'gt':
      return (value) => value !== null && rank(value) > right
    case 'ge':
      return (value) => value !== null && rank(value) >= right
    case 'lt':
      return (value) => value !== null && rank(value) < right
    case 'le':
      return (value) => value !== null && rank(value) <= right
    default:
      throw badRequest(`Invalid filter clause: '${operator}' is not an operator.`)
  }
}

const asTime = (text: string) => (text.length === 10 ? `${text}T00:00:00` : text)
