import type { Origin } from '../../auth/caller.ts'
import { isSameSecret } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import { isId } from '../../db/ids.ts'
import { homeOf } from '../../db/shards.ts'
import type { Env } from '../../env.ts'
import type { RealMs } from '../../limits/clock.ts'
import { digitsOf, readLinkToken } from './code.ts'
import { type CodeRow, findCode, useCode } from './queries.ts'
import { noteFailure } from './sessions.ts'

type Guess = Pick<Origin, 'ipAddress' | 'requestId'> & { readonly now: RealMs }

/**
 * The code that was asked for, used up by its digits; null where they are wrong or it is over, and nobody hears which. A
 * wrong guess at a code that is still good is noted where its address belongs.
 */
export async function redeemDigits(
  env: Env,
  id: string,
  digits: string,
  { now, ...origin }: Guess,
): Promise<CodeRow | null> {
  if (!isId(id)) return null
  const isRight = await isSameSecret(digits, await digitsOf(env, id))
  const row = await useCode(openDb(homeOf(env, id), 'decide'), id, isRight, now)
  if (isRight) return row
  if (row) await noteFailure(env, { email: row.email, memberId: null }, origin, now)
  return null
}

/** The same by the link in its letter. */
export async function redeemLink(env: Env, token: string, now: RealMs): Promise<CodeRow | null> {
  const id = await readLinkToken(env, token)
  return id === null ? null : useCode(openDb(homeOf(env, id), 'decide'), id, true, now)
}

/** What a link in a letter would do, without doing it: programs that look through mail open links. */
export async function lookAtLink(env: Env, token: string, now: RealMs): Promise<CodeRow | null> {
  const id = await readLinkToken(env, token)
  return id === null ? null : findCode(openDb(homeOf(env, id), 'decide'), id, now)
}
