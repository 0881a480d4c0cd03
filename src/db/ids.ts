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
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  bytes[0] = (bytes[0]! & 0x3f) | 0x80
  const time = lastMs.toString(16).padStart(12, '0')
  const random = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${random.slice(0, 4)}-${random.slice(4)}`
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
