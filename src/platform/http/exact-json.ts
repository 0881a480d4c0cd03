import type * as z from 'zod'
import { problem } from '../reasons/reason.ts'

/** Replaces a number that cannot be represented exactly, so that a schema can refuse it. */
class InexactNumber {
  readonly sent: string

  constructor(sent: string) {
    this.sent = sent
  }

  toJSON(): string {
    return this.sent
  }
}

type Revived = { readonly source?: string }

/** Whole numbers of fewer digits than this are exact. */
const SUSPECT = /\d{16}|\d[eE]/

/** JSON.parse that keeps an eye on numbers: a whole one that a double cannot hold becomes an InexactNumber. */
export function parseExactly(text: string): unknown {
  if (!SUSPECT.test(text)) return JSON.parse(text)
  return JSON.parse(text, ((_: string, value: unknown, { source }: Revived) =>
    typeof value === 'number' && source !== undefined && !isExact(source, value)
      ? new InexactNumber(source)
      : value) as (key: string, value: unknown) => unknown)
}

/** For schemas of any JSON: refuses numbers that would be changed, with their path. */
export function refuseInexact(value: unknown, context: z.RefinementCtx): void {
  const path = inexactPath(value)
  if (path !== null) context.addIssue({ code: 'custom', path: [...path], message: problem('not_exact') })
}

/** Where the first number is that would be changed; null where none is. */
export function inexactPath(value: unknown): readonly string[] | null {
  if (value instanceof InexactNumber) return []
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const path = inexactPath(inner)
    if (path !== null) return [name, ...path]
  }
  return null
}

/** Whether a number is stored with the same value; fractions are, as nearly as a double can. */
export function isExact(sent: string, value: number): boolean {
  if (!Number.isFinite(value)) return true
  const given = decimalOf(sent)
  return given.exponent < 0 || given.text === decimalOf(String(value)).text
}

/** A decimal number in one spelling: digits that end in no zero, times a power of ten. */
function decimalOf(text: string): { readonly text: string; readonly exponent: number } {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^\+?(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const all = `${whole}${fraction}`.replace(/^0+/, '')
  let end = all.length
  while (all[end - 1] === '0') end--
  if (end === 0) return { text: '0', exponent: 0 }
  const exponent = Number(power) - fraction.length + all.length - end
  return { text: `${sign}${all.slice(0, end)}e${exponent}`, exponent }
}
