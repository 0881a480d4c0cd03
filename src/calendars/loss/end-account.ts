import type { Env } from '../../env.ts'
import type { Db } from '../../platform/db/client.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import type { FailedSync } from '../sync/sync-outcome.ts'
import { hasEnded, loseCalendars, type Telling } from './lose-calendars.ts'
import { findAffectedOf } from './queries.ts'

/**
 * What a permission that ended means, for the batch that keeps the failed sync of `row` as `failed`: all that is connected
 * of its account ended with it. `readAt` is when each was last read, as the account's object knows.
 */
export async function endAccount(
  env: Env,
  db: Db,
  row: ConnectionRow,
  failed: FailedSync,
  readAt: Readonly<Record<string, number>>,
  now: RealMs,
): Promise<Telling> {
  const affected = await findAffectedOf(db, row.accountId, now)
  const { status, syncStatus, syncError } = failed
  const losses = affected
    .filter(({ connection }) => connection.id === row.id || !hasEnded(connection))
    .map((each) => {
      const { id, failingAt, lastSyncAt } = each.connection
      const ended = {
        ...{ status, syncStatus, syncError },
        failingAt: failingAt ?? now,
        lastSyncAt: lastSyncAt === null ? null : Math.max(lastSyncAt, readAt[id] ?? 0),
        endsAt: null,
      }
      return { affected: each, changes: id === row.id ? { ...failed, ...ended } : ended }
    })
  return loseCalendars(env, db, losses, now)
}
