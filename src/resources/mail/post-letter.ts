import type { Tenant } from '../../auth/caller.ts'
import { seal } from '../../auth/secret.ts'
import type { Db, Statement } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import type { Env } from '../../env.ts'
import type { Email } from '../../providers/email/email-sender.ts'
import { tellQueue } from '../../queue/messages.ts'
import { keepInOutbox } from './keep-in-outbox.ts'
import { insertEmail } from './store.ts'

export type Letter = Email & {
  /** What makes the letter one of a kind; posting it again does nothing. */
  readonly onceKey: string
}

export type Posting = {
  /** For the batch that makes the letter necessary. */
  readonly statement: Statement
  /** After the commit. It never fails: what was not announced is found by the sweep. */
  readonly announce: () => Promise<void>
}

/** Puts a letter on its way. In test mode it never leaves: the sandbox's outbox keeps it to be looked at. */
export async function postLetter(
  env: Env,
  db: Db,
  { organizationId, isTest }: Tenant,
  { onceKey, ...email }: Letter,
  now: number,
): Promise<Posting> {
  if (isTest) {
    const { to: recipient, subject, ...body } = email
    const item = {
      organizationId,
      onceKey,
      channel: 'email',
      recipient,
      subject,
      body,
      createdAt: now,
    } as const
    return { ...(await keepInOutbox(env, db, item)), announce: async () => {} }
  }
  const id = newId()
  const message = await seal(env.ENCRYPTION_KEY, JSON.stringify(email))
  const statement = insertEmail(db, {
    id,
    organizationId,
    onceKey,
    recipient: email.to,
    message,
    status: 'pending',
    nextAttemptAt: now,
    createdAt: now,
  })
  return { statement, announce: () => tellQueue(env, { type: 'letter', letterId: id }) }
}
