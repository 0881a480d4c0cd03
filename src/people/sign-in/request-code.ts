import { HOUR_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { mailboxOf } from '../../outbox/mail/mailbox.ts'
import { insertEmails } from '../../outbox/mail/statements.ts'
import { commitBatch, openDb } from '../../platform/db/client.ts'
import { newId, newIdIn } from '../../platform/db/ids.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { askFirst, shardOfEnv } from '../../platform/db/shards.ts'
import { Refused, tooOften } from '../../platform/http/errors.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { networkOf } from '../../platform/limits/network.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import { addressOf, CODE_LIFE_MS } from './code.ts'
import { insertCode } from './queries.ts'

type Asked = {
  readonly email: string
  readonly ipAddress: string | null
  /** The browser that requests the code, if the address signed in with it before; null for anonymous callers. */
  readonly browser: string | null
  /** A tag of a language of ours. */
  readonly locale: string
  readonly path: string
  readonly now: RealMs
}

/** An email to somebody who works in no organization yet, or in several. */
const NOBODYS = { organizationId: '', isTest: false }

/**
 * Requests a code. Whether anybody has the address is not looked up here but when the email is written, so neither the answer
 * nor its timing reveals it.
 */
export function requestCode(env: Env, asked: Asked): Promise<{ readonly id: string }> {
  return askFirst(env, (home) => requestIn(home, asked))
}

async function requestIn(env: Env, asked: Asked): Promise<{ readonly id: string }> {
  const { now, locale, path, browser } = asked
  const email = addressOf(asked.email)
  const id = newIdIn(shardOfEnv(env))
  const emailId = newId(id)
  const db = openDb(env, 'decide')
  const mailbox = mailboxOf(email)
  const network = networkOf(asked.ipAddress)
  const row = { id, email, mailbox, network, browser, locale, path, wrongTries: 0, usedAt: null }
  const letter = {
    id: emailId,
    recipientId: null,
    recipient: email,
    address: mailbox,
    isCounted: false,
  }
  const posted = { kind: 'sign_in', subjectId: id, occasion: null, onceKey: null, letters: [letter] } as const
  try {
    await commitBatch(db, [
      ...insertCode(db, { ...row, expiresAt: now + CODE_LIFE_MS, createdAt: now }),
      ...insertEmails(db, NOBODYS, posted, now),
    ])
  } catch (error) {
    if (fenceOf(error) !== 'PUBLIC_LIMIT') throw error
    throw new Refused(tooOften('sign_ins_per_hour', HOUR_MS))
  }
  await wakeQueue(env, { type: 'email', emailId })
  return { id }
}
