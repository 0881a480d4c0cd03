import { env } from 'cloudflare:workers'
import { emailWriter } from '../../src/delivery/emails/write-email.ts'
import { sendEmail } from '../../src/outbox/mail/send-email.ts'
import type { Email } from '../../src/platform/email/email-sender.ts'
import type { RealMs } from '../../src/platform/limits/clock.ts'
import { lastCodeOf } from './console.ts'

/** The letter with the last code, as it is sent; null where none is. */
export async function emailTo(email: string): Promise<Email | null> {
  const id = crypto.randomUUID()
  const insert = env.DB.prepare(
    `INSERT INTO emails (id, organization_id, kind, subject_id, recipient, status, next_attempt_at, created_at)
      VALUES (?, '', 'sign_in', ?, ?, 'pending', 0, 0)`,
  )
  await insert.bind(id, await lastCodeOf(email), email).run()
  const sent: Email[] = []
  const sender = { send: async (letter: Email) => void sent.push(letter) }
  await sendEmail(env, id, emailWriter, Date.now() as RealMs, sender)
  return sent[0] ?? null
}
