import { unseal } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { bindingSender, type Email, type EmailSender } from '../../providers/email/email-sender.ts'
import { type LetterSubject, selectSubject, writeLetter } from '../letters/write-letter.ts'
import { claimLetter, deleteLetter, type EmailRow, markUnsent } from './queries.ts'

/** Seconds to wait after the first, second … failure; a letter that fails once more is given up. */
const RETRY_SECONDS = [30, 120, 600, 1_800, 7_200, 21_600, 43_200] as const
/** While one attempt may still be running, nobody else makes another. */
const CLAIM_MS = 60_000

export type Sending = { readonly retryInSeconds: number } | null

/** Writes and sends one letter if it is due. Answers when to try again, or null when nothing is left to do. */
export async function sendLetter(
  env: Env,
  letterId: string,
  now: number,
  sender: EmailSender = bindingSender(env.EMAIL, env.EMAIL_FROM),
): Promise<Sending> {
  const db = openDb(env, 'decide')
  const [[letter], [event], [booked]] = await db.batch([
    claimLetter(db, letterId, now, now + CLAIM_MS),
    ...selectSubject(db, letterId),
  ])
  if (!letter) return null
  try {
    const email = await written(env, letter, { event, booked }, now)
    if (email) await sender.send(email)
  } catch (error) {
    const lastError = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    const retryInSeconds = RETRY_SECONDS[letter.attempts - 1]
    if (retryInSeconds === undefined) {
      await markUnsent(db, letterId, { status: 'failed', lastError, message: null })
      return null
    }
    await markUnsent(db, letterId, { nextAttemptAt: now + retryInSeconds * 1000, lastError })
    return { retryInSeconds }
  }
  await deleteLetter(db, letterId)
  return null
}

async function written(
  env: Env,
  letter: EmailRow,
  subject: LetterSubject,
  now: number,
): Promise<Email | null> {
  if (letter.message === null) return writeLetter(env, letter, subject, now)
  return JSON.parse(await unseal(env.ENCRYPTION_KEY, letter.message)) as Email
}
