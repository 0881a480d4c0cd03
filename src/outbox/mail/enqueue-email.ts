import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { seal } from '../../platform/auth/secret.ts'
import type { Db } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { type RealMs, realNow } from '../../platform/limits/clock.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import type { Enqueued, Mailing } from './enqueued.ts'
import { mailboxOf } from './mailbox.ts'
import { insertEmails, type NewEmails, noteEmails } from './statements.ts'
import { storeSandboxEmails } from './store-sandbox-emails.ts'

export type { EmailRow } from './queries.ts'

/** A complete email. It is stored sealed until it is sent. */
export type OutgoingEmail = Email & {
  /** When it becomes outdated: from then on it is not sent. */
  readonly until?: number
  /** Its unique key, beginning with the id of its subject. Enqueueing it again does nothing. */
  readonly onceKey: string
}

/**
 * Enqueues an email, unless its address has reached the organization's daily limit. In test mode the sandbox's outbox
 * stores it instead. `now` is of the real clock, also in a sandbox.
 */
export async function enqueueEmail(
  env: Env,
  db: Db,
  tenant: Tenant,
  { onceKey, until, ...email }: OutgoingEmail,
  { now = realNow(), isCounted = true }: { readonly now?: RealMs; readonly isCounted?: boolean } = {},
): Promise<Enqueued> {
  if (tenant.isTest) return storeSandboxEmails(env, db, tenant, [{ onceKey, email, isCounted }], now)
  const letter = {
    id: newId(tenant.organizationId),
    recipientId: null,
    recipient: email.to,
    address: mailboxOf(email.to),
    message: await seal(env.ENCRYPTION_KEY, JSON.stringify({ ...email, until })),
    isCounted,
  }
  const about = { kind: 'ready', subjectId: null, occasion: null } as const
  return enqueued(env, db, tenant, { ...about, onceKey, letters: [letter] }, now)
}

/** The same for emails to several people about one subject. */
export async function enqueueMailing(
  env: Env,
  db: Db,
  tenant: Tenant,
  mailing: Mailing,
  now: RealMs = realNow(),
): Promise<Enqueued> {
  const posted = await enqueueEach(env, db, tenant, mailing, now)
  return { ...posted, statements: [...posted.statements, ...noteEmails(db, mailing)] }
}

function enqueueEach(
  env: Env,
  db: Db,
  tenant: Tenant,
  { onceKey, isOnce, kind, subjectId, occasion, to, write }: Mailing,
  now: RealMs,
): Promise<Enqueued> | Enqueued {
  if (tenant.isTest) {
    const written = to.map(async ({ id, isMember }) => {
      const email = await write(id)
      return email ? [{ onceKey: `${onceKey}/${id}`, email, isCounted: !isMember }] : []
    })
    return Promise.all(written).then((emails) => storeSandboxEmails(env, db, tenant, emails.flat(), now))
  }
  const about = { kind, subjectId, occasion: occasion ?? null }
  const letters = to.map(({ id, email, isMember }) => ({
    id: newId(tenant.organizationId),
    recipientId: id,
    recipient: email,
    address: mailboxOf(email),
    isCounted: !isMember,
  }))
  return enqueued(env, db, tenant, { ...about, onceKey: isOnce ? null : onceKey, letters }, now)
}

function enqueued(env: Env, db: Db, tenant: Tenant, posted: NewEmails, now: RealMs): Enqueued {
  if (posted.letters.length === 0) return { statements: [], messages: [], announce: async () => {} }
  const messages = posted.letters.map(({ id }) => ({ type: 'email', emailId: id }) as const)
  return {
    statements: insertEmails(db, tenant, posted, now),
    messages,
    announce: () => wakeQueue(env, ...messages),
  }
}
