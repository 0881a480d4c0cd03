import { isTimeZone } from '../../core/local-time.ts'
import { isEmailAddress } from '../../platform/http/email-address.ts'

const LOOKS_LIKE_ID = /^[A-Za-z0-9_-]{1,100}$/

/** A text of one line, cut to a number of characters; null if nothing is left of it. */
export function lineOf(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null
  return cut(value.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' '), most)
}

/** The same with line breaks. */
export function linesOf(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null
  return cut(value.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\n\t]+/gu, ''), most)
}

/** Without half a character at its end. */
function cut(text: string, most: number): string | null {
  return (
    text
      .trim()
      .slice(0, most)
      .replace(/[\uD800-\uDBFF]$/, '')
      .trim() || null
  )
}

/** E.164, if it is a whole number with its country. */
export function phoneOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = `+${value.replaceAll(/\D/g, '')}`
  return value.trim().startsWith('+') && /^\+[1-9]\d{6,14}$/.test(text) ? text : null
}

export function httpsOf(value: unknown): string | null {
  if (typeof value !== 'string' || /[\s\p{Cc}]/u.test(value) || value.length > 2000) return null
  return URL.parse(value)?.protocol === 'https:' ? value : null
}

export function slugOf(...texts: readonly unknown[]): string {
  for (const text of texts) {
    if (typeof text !== 'string') continue
    const slug = text
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, 55)
      .replaceAll(/^-+|-+$/g, '')
    if (slug !== '') return slug
  }
  return 'event'
}

/** The id at the end of the address of a thing. */
export function idIn(uri: unknown): string | null {
  const id = typeof uri === 'string' ? uri.slice(uri.lastIndexOf('/') + 1) : ''
  return LOOKS_LIKE_ID.test(id) ? id : null
}

/** A key for a question, unlike those that are taken. */
export function keyOf(label: string, taken: ReadonlySet<string>): string {
  const base = slugOf(label).replaceAll('-', '_').slice(0, 34)
  if (!taken.has(base)) return base
  for (let n = 2; ; n++) if (!taken.has(`${base}_${n}`)) return `${base}_${n}`
}

/** Null for an unknown zone. */
export function zoneOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= 64 && isTimeZone(value) ? value : null
}

export function emailOf(value: unknown): string | null {
  return typeof value === 'string' && isEmailAddress(value) ? value : null
}
