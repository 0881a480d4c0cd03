import { unseal } from '../../auth/secret.ts'
import { type Db, openDb, type Query } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { bindingSender, type Email, type EmailSender } from '../../providers/email/email-sender.ts'
import { tellQueueLater } from '../../queue/messages.ts'
import { retrySeconds } from '../../queue/retry-schedules.ts'
import { claimLetter, deleteLetters, type EmailRow, markUnsent } from './queries.ts'

export type Sending = { readonly retryInSeconds: number } | null

/** Who knows what a letter says that is not ready: the rooms whose news it tells. */
export type LetterWriter<Subject extends readonly unknown[]> = {
  /** What the letter is about, as queries for any batch. */
  readonly select: (db: Db, letterId: string) => { readonly [K in keyof Subject]: Query<Subject[K]> }
  /** The letter as it is to be read now, of what was found first; null when there is nothing to say any more. */
  readonly write: (
    env: Env,
    letter: EmailRow,
    subject: { readonly [K in keyof Subject]: Subject[K] | undefined },
    now: number,
  ) => Promise<Email | null>
}

/** Writes and sends one letter if it is due. Returns when to try again, or null when nothing is left to do. */
export async function sendLetter<Subject extends readonly unknown[]>(
  env: Env,
  letterId: string,
  writer: LetterWriter<Subject>,
  now: number,
  sender: EmailSender = bindingSender(env.EMAIL, env.EMAIL_FROM),
): Promise<Sending> {
  const db = openDb(env, 'decide')
  const [[letter], ...found] = await db.batch([
    claimLetter(db, letterId, now),
    ...(writer.select(db, letterId) as readonly Query<unknown>[]),
  ])
  if (!letter) return null
  try {
    const subject = found.map(([row]) => row) as Parameters<typeof writer.write>[2]
    const email =
      letter.message === null
        ? await writer.write(env, letter, subject, now)
        : (JSON.parse(await unseal(env.ENCRYPTION_KEY, letter.message)) as Email)
    if (email) await sender.send(email)
  } catch (error) {
    const lastError = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
    const retryInSeconds = retrySeconds('letter', letter.attempts)
    if (retryInSeconds === null) {
      await markUnsent(db, letterId, { status: 'failed', lastError, message: null })
      return null
    }
    await markUnsent(db, letterId, { nextAttemptAt: now + retryInSeconds * 1000, lastError })
    return { retryInSeconds }
  }
  await deleteLetters(db, [letterId])
  return null
}

/**
 * Sends letters that whoever posted them holds, each written by `write`; what fails is tried again like any other.
 * Never fails: what is not known to be sent is found by the sweep.
 */
export async function sendHeld(
  env: Env,
  db: Db,
  held: readonly { readonly id: string; readonly write: () => Promise<Email> }[],
  now: number,
  sender: EmailSender = bindingSender(env.EMAIL, env.EMAIL_FROM),
): Promise<void> {
  const failed: string[] = []
  const retryInSeconds = retrySeconds('letter', 1)!
  const sent = held.map(async ({ id, write }) => {
    try {
      await sender.send(await write())
    } catch (error) {
      failed.push(id)
      const lastError = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
      await markUnsent(db, id, { nextAttemptAt: now + retryInSeconds * 1000, lastError })
    }
    return id
  })
  const ended = await Promise.allSettled(sent)
  const ids = ended.flatMap((end) =>
    end.status === 'fulfilled' && !failed.includes(end.value) ? [end.value] : [],
  )
  await deleteLetters(db, ids).catch(() => {})
  const messages = failed.map((id) => ({ type: 'letter', letterId: id }) as const)
  await tellQueueLater(env, retryInSeconds, messages)
}
