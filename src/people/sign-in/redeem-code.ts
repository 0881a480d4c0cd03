import type { Env } from '../../env.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import { isSameSecret } from '../../platform/auth/secret.ts'
import { openDb } from '../../platform/db/client.ts'
import { isId, newIdIn } from '../../platform/db/ids.ts'
import { homeOf, shardOfEnv } from '../../platform/db/shards.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { digitsOf, readLinkToken } from './code.ts'
import { type CodeRow, findCode, insertFailedGuess, proveSessionByCode, useCode } from './queries.ts'
import { noteFailureElsewhere, proveAgain, type SessionRow } from './sessions.ts'

type Guess = Pick<Origin, 'ipAddress' | 'requestId'> & { readonly now: RealMs }

/**
 * The requested code, used up by its digits; null when they are wrong or it has expired, without saying which. A wrong guess at
 * a valid code is logged for the address.
 */
export async function redeemDigits(
  env: Env,
  id: string,
  digits: string,
  { now, ...origin }: Guess,
): Promise<CodeRow | null> {
  if (await isRightCode(env, id, digits)) return useCode(openDb(homeOf(env, id), 'decide'), id, true, now)
  await noteWrongGuess(env, id, origin, now)
  return null
}

/**
 * Uses up a code after its digits were right. If the code belongs to the session's address, the person has just proven who they
 * are; false if it does not, or has expired.
 */
export async function proveByCode(env: Env, session: SessionRow, id: string, now: RealMs): Promise<boolean> {
  const home = homeOf(env, id)
  const db = openDb(home, 'decide')
  const isHere = shardOfEnv(homeOf(env, session.id)) === shardOfEnv(home)
  const before = isHere ? [proveSessionByCode(db, session.id, id, now)] : []
  const code = await useCode(db, id, true, now, before)
  if (code?.email !== session.email) return false
  if (!isHere) await proveAgain(env, session.id, now)
  return true
}

/** Whether the digits are those of the code, whatever became of it. */
export async function isRightCode(env: Env, id: string, digits: string): Promise<boolean> {
  return isId(id) && (await isSameSecret(digits, await digitsOf(env, id)))
}

/** Counts a wrong guess, and notes it where the address of its code belongs. */
export async function noteWrongGuess(
  env: Env,
  id: string,
  origin: Omit<Guess, 'now'>,
  now: RealMs,
): Promise<void> {
  if (!isId(id)) return
  const home = homeOf(env, id)
  const db = openDb(home, 'decide')
  const note = insertFailedGuess(db, id, { id: newIdIn(shardOfEnv(home)), ...origin }, now)
  const code = await useCode(db, id, false, now, [note])
  if (code) await noteFailureElsewhere(home, { email: code.email, memberId: null }, origin, now)
}

/** The same by the link in the email. */
export async function redeemLink(env: Env, token: string, now: RealMs): Promise<CodeRow | null> {
  const id = await readLinkToken(env, token)
  return id === null ? null : useCode(openDb(homeOf(env, id), 'decide'), id, true, now)
}

/** What a link in an email would do, without doing it: mail scanners open links. */
export async function lookAtLink(env: Env, token: string, now: RealMs): Promise<CodeRow | null> {
  const id = await readLinkToken(env, token)
  return id === null ? null : findCode(openDb(homeOf(env, id), 'decide'), id, now)
}
