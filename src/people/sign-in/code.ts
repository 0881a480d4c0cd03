import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { isTokenFor, sha256, tokenFor } from '../../platform/auth/secret.ts'

/** How long a code and its link are good, and how many wrong codes end them. */
export const CODE_LIFE_MS = 10 * MINUTE_MS
export const MAX_TRIES = 5
/** How many codes strangers get in an hour: for an address from one network, for an address, and from a network. */
export const CODES_AN_HOUR = { perNetworkAndAddress: 3, perAddress: 10, perNetwork: 20 } as const
/** How many codes strangers get for an address in a day. */
export const CODES_A_DAY = 30
/** How many a browser gets for an address that signed in with it before: strangers leave it these. */
export const CODES_OF_A_BROWSER = { anHour: 5, aDay: 10 } as const
/** In place of a path: the code is for whoever is signed in and proves an address as theirs. It signs nobody in. */
export const FOR_AN_ADDRESS = ''
/** How long the service key's links are good. */
export const LINK_LIFE_MS = DAY_MS

const DIGITS = 6
/** 13 hexadecimal digits are 52 bits, which a number holds. */
const HEX_DIGITS = 13

/** What an address is known by. Only letters of ASCII are made small: others could make one person's of another's. */
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

/** The id of the code that a link stands for, or null when we made no such link. */
export async function readLinkToken(env: Env, text: string): Promise<string | null> {
  const [id = '', token = ''] = text.split('.')
  return (await isTokenFor(env.ENCRYPTION_KEY, `sign-in-link/${id}`, token)) ? id : null
}
