import type { Env } from '../../env.ts'
import { unseal } from '../../platform/auth/secret.ts'
import { type Db, openDb, type Query } from '../../platform/db/client.ts'
import { emailFailureOf } from '../../platform/email/email-failure.ts'
import { bindingSender, type Email, type EmailSender } from '../../platform/email/email-sender.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { OutgoingEmail } from './enqueue-email.ts'
import { QUOTA_PAUSE_SECONDS, secondsToNextAttempt } from './next-attempt.ts'
import { claimEmail, deleteEmail, type EmailRow, markUnsent } from './queries.ts'
import { reportFailure } from './report-failure.ts'

type Sending = { readonly retryInSeconds: number } | null

/** Writes an email that is not ready yet; implemented by the rooms that know its subject. */
export type EmailWriter<Subject extends readonly unknown[]> = {
  /** Queries for the subject, for any batch. */
  readonly select: (db: Db, emailId: string) => { readonly [K in keyof Subject]: Query<Subject[K]> }
  /** The email as of now, from the first row of each query; null if it is outdated. */
  readonly write: (
    env: Env,
    letter: EmailRow,
    subject: { readonly [K in keyof Subject]: Subject[K] | undefined },
    now: RealMs,
  ) => Promise<Email | null>
}

/** Writes and sends one email if it is due. Returns when to retry, or null if nothing is left to do. */
export async function sendEmail<Subject extends readonly unknown[]>(
  env: Env,
  emailId: string,
  writer: EmailWriter<Subject>,
  now: RealMs,
  sender: EmailSender = bindingSender(env.EMAIL, env.EMAIL_FROM),
): Promise<Sending> {
  const db = openDb(env, 'decide')
  const [[letter], ...found] = await db.batch([
    claimEmail(db, emailId, now),
    ...(writer.select(db, emailId) as readonly Query<unknown>[]),
  ])
  if (!letter) return null
  if (letter.mustWait) return waitForOthers(db, letter, now)
  try {
    const subject = found.map(([row]) => row) as Parameters<typeof writer.write>[2]
    const email =
      letter.message === null
        ? await writer.write(env, letter, subject, now)
        : readyEmail(await unseal(env.ENCRYPTION_KEY, letter.message), now)
    if (email) await sender.send(email)
  } catch (error) {
    const lastError = whyOf(error)
    const failure = await reportFailure(env, db, letter, error, now)
    const retryInSeconds = secondsToNextAttempt(letter, failure, now)
    if (retryInSeconds === null) {
      await markUnsent(db, emailId, { status: 'failed', lastError, message: null })
      return null
    }
    await markUnsent(db, emailId, { nextAttemptAt: now + retryInSeconds * 1000, lastError })
    return { retryInSeconds }
  }
  await deleteEmail(db, emailId)
  return null
}

/** A reminder goes after what is refused now, and was not tried by that. */
async function waitForOthers(db: Db, { id, attempts }: EmailRow, now: RealMs): Promise<Sending> {
  const retryInSeconds = QUOTA_PAUSE_SECONDS
  await markUnsent(db, id, { nextAttemptAt: now + retryInSeconds * 1000, attempts: attempts - 1 })
  return { retryInSeconds }
}

function readyEmail(message: string, now: RealMs): Email | null {
  const { until, ...email } = JSON.parse(message) as Email & Pick<OutgoingEmail, 'until'>
  return until !== undefined && until <= now ? null : email
}

/** Why an email was not accepted, as stored in its row; with the code of a used up quota, by which it is found. */
export function whyOf(error: unknown): string {
  const message = error instanceof Error ? error.message : 'unknown'
  const isQuota = emailFailureOf(error) === 'quota'
  return (isQuota ? `${(error as { code?: string }).code}: ${message}` : message).slice(0, 500)
}
