import { createHash, randomBytes } from 'node:crypto'

const base32hex = '0123456789abcdefghijklmnopqrstuv'

/** 26 signs of base32hex, as the ids are that the server makes. */
export function makeEventId(): string {
  return Array.from(randomBytes(26), (byte) => base32hex[byte % 32]).join('')
}

/** `abc-defg-hij`, as Google Meet has it. */
export function makeMeetingCode(): string {
  const letters = Array.from(randomBytes(10), (byte) => String.fromCharCode(97 + (byte % 26))).join('')
  return `${letters.slice(0, 3)}-${letters.slice(3, 7)}-${letters.slice(7)}`
}

export function makeCalendarId(): string {
  return `c_${randomBytes(32).toString('hex')}@group.calendar.google.com`
}

export function makeToken(prefix: string, bytes: number): string {
  return prefix + randomBytes(bytes).toString('base64url')
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
