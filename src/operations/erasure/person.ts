/** Somebody as the data knows them: by an address, in any letter case and composed in any way. */
export type Person = {
  /** Small letters, composed (NFC). */
  readonly email: string
  /** What any way to write it has in small letters of ASCII: SQLite's `lower` changes no others. */
  readonly needle: string
  /** That, and the ids of what is known to be theirs; a JSON list. */
  readonly needles: string
  readonly is: (address: string) => boolean
  /** Whether the address of a booking or an entry, or its id, is theirs. */
  readonly owns: (one: { readonly id?: unknown; readonly email: unknown }) => boolean
  readonly isIn: (text: string) => boolean
  /** The text with `[erased]` in place of the address, wherever that is as a whole. */
  readonly takenFrom: (text: string) => string
  /** The same of what programs made of it: any sign may separate the address from the rest. */
  readonly takenFromKey: (key: string) => string
}

const ERASED = '[erased]'

/**
 * Before the address: a character that would make it the end of another address, which is a word character, also with signs in
 * between that addresses have. Quotes, `*` and `email=` are not part of an address. After it: a character that would continue
 * its domain.
 */
const BEFORE = "(?<![\\p{L}\\p{M}\\p{N}][.!#$%&'+^_`~-]*)"
const AFTER = '(?![\\p{L}\\p{M}\\p{N}-]|\\.[\\p{L}\\p{N}])'

/** The same in a key such as `booking/ada@example.com-1`. */
const BEFORE_IN_KEY = '(?<![\\p{L}\\p{M}\\p{N}])'
const AFTER_IN_KEY = '(?![\\p{L}\\p{M}\\p{N}]|\\.\\p{L})'

/** Somebody by a phone number, which is sealed in the bookings and entries with these ids. */
export function personWithPhone(phone: string, ids: readonly string[]): Person {
  const known = new Set(ids)
  return {
    ...personOf(phone),
    needles: JSON.stringify([phone, ...ids]),
    is: () => false,
    owns: ({ id }) => typeof id === 'string' && known.has(id),
  }
}

export function personOf(address: string): Person {
  const email = plain(address)
  const runs = email.match(/[\x20-\x7f]+/g) ?? ['']
  const needle = runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
  const escaped = email.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
  // What stands before it is only looked at where it is: that takes time.
  const pattern = `(?=${escaped})${BEFORE}${escaped}${AFTER}`
  const anywhere = new RegExp(pattern, 'iu')
  const everywhere = new RegExp(pattern, 'giu')
  const inKey = new RegExp(`${BEFORE_IN_KEY}${escaped}${AFTER_IN_KEY}`, 'giu')
  const is = (other: string) => plain(other) === email
  return {
    email,
    needle,
    needles: JSON.stringify([needle]),
    is,
    owns: (one) => typeof one.email === 'string' && is(one.email),
    isIn: (text) => anywhere.test(composed(text)),
    takenFrom: (text) => {
      const whole = composed(text)
      return anywhere.test(whole) ? whole.replace(everywhere, ERASED) : text
    },
    takenFromKey: (key) => {
      const without = composed(key).replace(inKey, ERASED)
      return without === composed(key) ? key : without
    },
  }
}

function composed(text: string): string {
  return text.normalize('NFC')
}

function plain(address: string): string {
  return composed(address.trim().toLowerCase())
}
