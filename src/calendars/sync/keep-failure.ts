import type { Env } from '../../env.ts'
import { notifyOperator } from '../../outbox/mail/operator-notices/notify-operator.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { endAccount } from '../loss/end-account.ts'
import { hasEnded, NOTHING_TOLD } from '../loss/lose-calendars.ts'
import { endSync, findForSync, type SyncRow } from './queries.ts'
import { afterFailure } from './sync-outcome.ts'
import type { Synced } from './synced.ts'

/** What is kept may be changed by others at the same moment, and is decided again then. */
const TRIES = 3

/** Stores a failed sync with its connection, and reports a permission that ended with it. */
export async function keepFailure(
  env: Env,
  db: Db,
  read: SyncRow,
  error: unknown,
  readAt: Readonly<Record<string, number>>,
): Promise<Synced> {
  let row: SyncRow | undefined = read
  for (let tries = 0; row?.connectedAt === read.connectedAt && tries < TRIES; tries++) {
    const now = realNow()
    const known = readAt[row.id] ?? null
    const failed = afterFailure(row, error, { at: now, readAt: known, random: Math.random() })
    const isEnd = hasEnded(failed) && !hasEnded(row)
    const told = isEnd ? await endAccount(env, db, row, failed, readAt, now) : NOTHING_TOLD
    try {
      await commitBatch(db, isEnd ? told.statements : endSync(db, row, failed))
      await told.announce()
      if (error instanceof CalendarError && error.failure === 'misconfigured')
        await notifyOperator(env, db, row, { subject: row.provider, fault: error.message }, now)
      return { outcome: 'failed' }
    } catch (lost) {
      if (fenceOf(lost) !== 'STALE') throw lost
      ;[row] = await findForSync(db, read.id)
    }
  }
  // It was connected again or disconnected in the meantime.
  return { outcome: 'gone' }
}
