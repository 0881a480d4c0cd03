import { type Env, urlAt } from '../../env.ts'
import { isPrefixOfToken, isToken, isTokenFor, tokenFor } from '../../platform/auth/secret.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'

type Owned = Pick<BookingRow, 'id' | 'addressVersion'>

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** A later token begins with its version in so many digits. 38 characters with 228 bits are left of the signature. */
const VERSION_LENGTH = 5

/** What the signature of a later token is of. */
const subjectOf = (id: string, version: number) => `${id}/token/${version}`

/** The token with which an invitee changes their booking. Each change of the address makes a new one. */
export async function inviteeToken({ ENCRYPTION_KEY }: Env, { id, addressVersion }: Owned): Promise<string> {
  if (addressVersion === 0) return tokenFor(ENCRYPTION_KEY, id)
  const signature = await tokenFor(ENCRYPTION_KEY, subjectOf(id, addressVersion))
  return versionText(addressVersion) + signature.slice(0, -VERSION_LENGTH)
}

/** The version of a booking's token; null for every other token. */
export async function versionOfToken(
  { ENCRYPTION_KEY }: Env,
  id: string,
  token: string,
): Promise<number | null> {
  if (!isToken(token)) return null
  if (await isTokenFor(ENCRYPTION_KEY, id, token)) return 0
  const version = [...token.slice(0, VERSION_LENGTH)].reduce((sum, one) => sum * 64 + DIGITS.indexOf(one), 0)
  const isSigned =
    version > 0 &&
    (await isPrefixOfToken(ENCRYPTION_KEY, subjectOf(id, version), token.slice(VERSION_LENGTH)))
  return isSigned ? version : null
}

function versionText(version: number): string {
  const digits = Array.from(
    { length: VERSION_LENGTH },
    (_, at) => DIGITS[Math.floor(version / 64 ** (VERSION_LENGTH - 1 - at)) % 64],
  )
  return digits.join('')
}

/** The page on which invitees change, cancel, reschedule or pay. Anyone with the link can. */
export async function manageUrl(env: Env, booking: Owned): Promise<string> {
  return urlAt(env, `/bookings/${booking.id}?token=${await inviteeToken(env, booking)}`)
}
