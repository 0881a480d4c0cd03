import type { Env } from '../../../env.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import { enqueueEmail } from '../../../outbox/mail/enqueue-email.ts'
import { onceEach } from '../../../outbox/mail/once-each.ts'
import { SYSTEM } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { looseId } from '../../../platform/db/ids.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { wakeQueue } from '../../../platform/queue/messages.ts'
import { type AccountRow, findTold } from './queries.ts'

type TellingOfEnd = {
  /** For the batch that ends the account. */
  readonly statements: readonly Statement[]
  /** Call it after the commit. It never fails: the sweep finds what was not announced. */
  readonly announce: () => Promise<void>
}

/** Reports an account that makes no meetings any more: in the log, to its member and to the owner. */
export async function tellOfEnd(
  env: Env,
  db: Db,
  account: AccountRow,
  error: string,
  now: RealMs,
): Promise<TellingOfEnd> {
  const { people, sender } = await findTold(db, account)
  const told = looseId()
  const { endEmail } = await import('./end-email.ts')
  const ended = { account: account.accountEmail ?? '', error, sender }
  const letters = await Promise.all(
    onceEach(people).map((person, at) => {
      const letter = { onceKey: `${told}/conferencing-ended/${at}`, ...endEmail(env, ended, person) }
      return enqueueEmail(env, db, account, letter, { now, isCounted: false })
    }),
  )
  const { provider, accountEmail } = account
  return {
    statements: [
      recordActivity(db, account, SYSTEM, {
        action: 'conferencing.ended',
        resourceType: 'conferencing_connection',
        resourceId: account.id,
        changes: { provider, account_email: accountEmail, error },
      }),
      ...letters.flatMap(({ statements }) => statements),
    ],
    announce: () => wakeQueue(env, ...letters.flatMap(({ messages }) => messages)),
  }
}
