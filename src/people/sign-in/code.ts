import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { isTokenFor, sha256, tokenFor } from '../../platform/auth/secret.ts'

/** How long a code and its link are good, and how many wrong codes end them. */
export const CODE_LIFE_MS = 10 * MINUTE_MS
export const MAX_TRIES = 5
/** Codes per hour for anonymous callers: for an address from one network, for an address, and from a network. */
export const CODES_AN_HOUR = { perNetworkAndAddress: 3, perAddress: 10, perNetwork: 20 } as const
/** Codes per day that anonymous callers can request for an address. */
export const CODES_A_DAY = 30
/** Codes per day for a browser that signed in with the address before. Anonymous callers cannot use these up. */
export const CODES_OF_A_BROWSER = { anHour: 5, aDay: 10 } as const
/** Stored instead of a path: the code proves an address of somebody who is signed in. It signs nobody in. */
export const FOR_AN_ADDRESS = ''
/** How long the service key's links are good. */
export const LINK_LIFE_MS = DAY_MS

const DIGITS = 6
/** 13 hexadecimal digits are 52 bits, which a number holds. */
const HEX_DIGITS = 13

/** The canonical form of an address. Only ASCII is lowercased: other characters could turn one address into another. */
export function addressOf(email: string): string {
  return email.trim().replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The six digits of a code. They are derived from its id, so no row holds them. */
export async function digitsOf(env: Env, id: string): Promise<string> {
  const hash = await sha256(await tokenFor(env.ENCRYPTION_KEY, `sign-in-code/${id}`))
  const number = Number.parseInt(hash.slice(0, HEX_DIGITS), 16) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

/** The same proof as a link carries it. */
export async function linkTokenOf(env: Env, id: string): Promise<string> {
  return `${id}.${await tokenFor(env.ENCRYPTION_KEY, `sign-in-link/${id}`)}`
}

/** The id of the code in a link, or null when the link is not ours. */
export async function readLinkToken(env: Env, text: string): Promise<string | null> {
  const [id = '', token = ''] = text.split('.')
  return (await isTokenFor(env.ENCRYPTION_KEY, `sign-in-link/${id}`, token)) ? id : null
}
