import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { seal } from '../../platform/auth/secret.ts'
import type { Db } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import type { Email } from '../../platform/email/email-sender.ts'
import { type RealMs, realNow } from '../../platform/limits/clock.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import type { Mailing, Posting } from './enqueued.ts'
import { mailboxOf } from './mailbox.ts'
import { insertLetters, type NewLetters } from './statements.ts'
import { keepLetters } from './store-sandbox-emails.ts'

export type { EmailRow as LetterRow } from './queries.ts'

/** A complete letter. It is stored sealed until it is sent. */
export type Letter = Email & {
  /** The instant from which on it says nothing any more: a letter that waited so long is not sent. */
  readonly until?: number
  /** Its unique name, beginning with the id of its subject: posting it again does nothing. */
  readonly onceKey: string
}

/**
 * Posts a letter, unless its address has reached today's limit of the organization. In test mode it
 * never leaves: the sandbox's outbox keeps it. `now` is of the real clock, also in a sandbox.
 */
export async function postLetter(
  env: Env,
  db: Db,
  tenant: Tenant,
  { onceKey, until, ...email }: Letter,
  { now = realNow(), isCounted = true }: { readonly now?: RealMs; readonly isCounted?: boolean } = {},
): Promise<Posting> {
  if (tenant.isTest) return keepLetters(env, db, tenant, [{ onceKey, email, isCounted }], now)
  const letter = {
    id: newId(tenant.organizationId),
    recipientId: null,
    recipient: email.to,
    address: mailboxOf(email.to),
    message: await seal(env.ENCRYPTION_KEY, JSON.stringify({ ...email, until })),
    isCounted,
  }
  const about = { kind: 'ready', subjectId: null, occasion: null } as const
  return onItsWay(env, db, tenant, { ...about, onceKey, letters: [letter] }, now)
}

/** The same for letters to several people about one thing. */
export async function postMailing(
  env: Env,
  db: Db,
  tenant: Tenant,
  { onceKey, isOnce, kind, subjectId, occasion, to, write }: Mailing,
  now: RealMs = realNow(),
): Promise<Posting> {
  if (tenant.isTest) {
    const written = to.map(async ({ id, isMember }) => ({
      onceKey: `${onceKey}/${id}`,
      email: await write(id),
      isCounted: !isMember,
    }))
    return keepLetters(env, db, tenant, await Promise.all(written), now)
  }
  const about = { kind, subjectId, occasion: occasion ?? null }
  const letters = to.map(({ id, email, isMember }) => ({
    id: newId(tenant.organizationId),
    recipientId: id,
    recipient: email,
    address: mailboxOf(email),
    isCounted: !isMember,
  }))
  return onItsWay(env, db, tenant, { ...about, onceKey: isOnce ? null : onceKey, letters }, now)
}

function onItsWay(env: Env, db: Db, tenant: Tenant, posted: NewLetters, now: RealMs): Posting {
  if (posted.letters.length === 0) return { statements: [], messages: [], announce: async () => {} }
  const messages = posted.letters.map(({ id }) => ({ type: 'letter', letterId: id }) as const)
  return {
    statements: insertLetters(db, tenant, posted, now),
    messages,
    announce: () => wakeQueue(env, ...messages),
  }
}
