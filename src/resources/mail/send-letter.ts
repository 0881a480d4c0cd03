import { unseal } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { bindingSender, type Email, type EmailSender } from '../../providers/email/email-sender.ts'
import { claimLetter, markSent, markUnsent } from './store.ts'

/** Seconds to wait after the first, second … failure; a letter that fails once more is given up. */
const RETRY_SECONDS = [30, 120, 600, 1_800, 7_200, 21_600, 43_200] as const
/** While one attempt may still be running, nobody else makes another. */
const CLAIM_MS = 60_000

export type Sending = { readonly retryInSeconds: number } | null

/** Sends one letter if it is due. Answers when to try again, or null when nothing is left to do. */
export async function sendLetter(
  env: Env,
  letterId: string,
  now: number,
  sender: EmailSender = bindingSender(env.EMAIL, env.EMAIL_FROM),
): Promise<Sending> {
  const db = openDb(env, 'decide')
  const letter = await claimLetter(db, letterId, now, now + CLAIM_MS)
  if (!letter) return null
  try {
    await sender.send(JSON.parse(await unseal(env.ENCRYPTION_KEY, letter.message)) as Email)
  } catch (error) {
    const lastError = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    const retryInSeconds = RETRY_SECONDS[letter.attempts - 1]
    if (retryInSeconds === undefined) {
      await markUnsent(db, letterId, { status: 'failed', nextAttemptAt: now, lastError })
      return null
    }
    await markUnsent(db, letterId, {
      status: 'pending',
      nextAttemptAt: now + retryInSeconds * 1000,
      lastError,
    })
    return { retryInSeconds }
  }
  await markSent(db, letterId, now)
  return null
}
