import { randomBytes } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** How what stands behind the underscore begins, and how long it is; as the ids in docs.stripe.com/api are. */
const FORMS: Readonly<Record<string, readonly [begin: string, length: number]>> = {
  acct: ['1', 16],
  cus: ['', 14],
  prod: ['', 14],
  si: ['', 14],
  req: ['', 14],
  pi: ['3', 24],
  ch: ['3', 24],
  py: ['3', 24],
  re: ['3', 24],
  txn: ['3', 24],
  cs_test: ['a1', 58],
}

export function letters(length: number): string {
  return [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}

/** `pi` → `pi_3…`. */
export function makeId(prefix: string): string {
  const [begin, length] = FORMS[prefix] ?? ['1', 24]
  return `${prefix}_${begin}${letters(length - begin.length)}`
}
