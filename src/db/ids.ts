const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const BYTES_AN_ID = 8
/** Asking for random bytes costs as much for many as for few. */
const random = new Uint8Array(64 * BYTES_AN_ID)
let used = random.length

let lastMs = 0
let counter = 0

/**
 * A UUID version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then a 12-bit counter (method 1 of
 * section 6.2) so that ids made by one isolate sort in the order they were made, then 62 random bits.
 */
export function newId(now: number = Date.now()): string {
  if (now > lastMs) {
    lastMs = now
    counter = 0
  } else if (++counter > 0xfff) {
    lastMs += 1
    counter = 0
  }
  if (used === random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  const at = used
  used += BYTES_AN_ID
  const hex = (index: number) => HEX[random[at + index]!]!
  const time = lastMs.toString(16).padStart(12, '0')
  const variant = HEX[(random[at]! & 0x3f) | 0x80]! + hex(1)
  const rest = hex(2) + hex(3) + hex(4) + hex(5) + hex(6) + hex(7)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}-${rest}`
}

/** Sorts before every id made at `instant` or later, and after every earlier one. */
export function firstIdOf(instant: number): string {
  const time = instant.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** When an id was made, in epoch milliseconds. */
export function instantOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isId(text: string): boolean {
  return UUID.test(text)
}
