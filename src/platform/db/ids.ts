const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const BYTES_AN_ID = 8
/** Asking for random bytes costs as much for many as for few. */
const random = new Uint8Array(64 * BYTES_AN_ID)
let used = random.length

let lastMs = 0
let counter = 0

/** An id that is kept in the database which holds `near`: the organization or anything of it. It leads there, as `near` does. */
export function newId(near: string): string {
  return newIdIn(shardOf(near))
}

/** An id that leads nowhere: of a request or a form. */
export function looseId(): string {
  return newIdIn(0)
}

/**
 * A UUID: 48 bits of Unix milliseconds, then a 12-bit counter (RFC 9562, method 1 of section 6.2) so that ids made by one
 * isolate sort in the order they were made, then 62 random bits. That is version 7 (section 5.7). In a shard beyond the first
 * it is version 8 (section 5.8): the first four of the last 60 bits are the shard.
 */
export function newIdIn(shard: number, now: number = Date.now()): string {
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
  const head = `${time.slice(0, 8)}-${time.slice(8)}`
  const count = counter.toString(16).padStart(3, '0')
  if (shard === 0) return `${head}-7${count}-${variant}-${rest}`
  return `${head}-8${count}-${variant[0]}${shard.toString(16)}${variant.slice(2)}-${rest}`
}

const VERSION_AT = 14
const SHARD_AT = 20

/** The shard that an id leads to. An id that is not ours leads to the first shard, which does not know it. */
export function shardOf(id: string): number {
  if (id[VERSION_AT] !== '8') return 0
  return Number.parseInt(id[SHARD_AT] ?? '', 16) || 0
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
