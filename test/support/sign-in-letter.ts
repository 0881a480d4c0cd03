import { env } from 'cloudflare:workers'
import type { RealMs } from '../../src/limits/clock.ts'
import type { Email } from '../../src/providers/email/email-sender.ts'
import { letterWriter } from '../../src/resources/letters/write-letter.ts'
import { sendLetter } from '../../src/resources/mail/send-letter.ts'
import { lastCodeOf } from './console.ts'

/** The letter with the last code, as it is sent; null where none is. */
export async function letterTo(email: string): Promise<Email | null> {
  const id = crypto.randomUUID()
  const insert = env.DB.prepare(
    `INSERT INTO emails (id, organization_id, kind, subject_id, recipient, status, next_attempt_at, created_at)
      VALUES (?, '', 'sign_in', ?, ?, 'pending', 0, 0)`,
  )
  await insert.bind(id, await lastCodeOf(email), email).run()
  const sent: Email[] = []
  const sender = { send: async (letter: Email) => void sent.push(letter) }
  await sendLetter(env, id, letterWriter, Date.now() as RealMs, sender)
  return sent[0] ?? null
}
