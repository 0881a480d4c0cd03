import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/client.ts'
import { comesAfter, isDueInSandbox, staysHere } from '../../../platform/db/due-page.ts'
import { waitlistEntries as entries } from '../../../platform/db/schema/waitlist.ts'
import type { PresentMs, RealMs } from '../../../platform/limits/clock.ts'
import type { EntryRow } from '../queries.ts'

// A literal, so that the indexes of waiting entries are used.
const IS_WAITING = sql`${entries.status} = 'waiting'`

export const EXPIRED_A_PAGE = 50

/** Live entries that expired. */
export function selectExpired(db: Db, now: RealMs, last?: Pick<EntryRow, 'expiresAt' | 'id'>) {
  const isNext = comesAfter([entries.expiresAt, entries.id], last && [last.expiresAt, last.id])
  return db
    .select()
    .from(entries)
    .where(
      and(
        IS_WAITING,
        eq(entries.isTest, false),
        lte(entries.expiresAt, now),
        staysHere(entries.organizationId),
        isNext,
      ),
    )
    .orderBy(asc(entries.expiresAt), asc(entries.id))
    .limit(EXPIRED_A_PAGE)
}

/** The same for one sandbox in its present, without those that are `done`. */
export function selectExpiredInSandbox(
  db: Db,
  organizationId: string,
  now: PresentMs,
  done: readonly string[],
) {
  return db
    .select()
    .from(entries)
    .where(
      and(
        IS_WAITING,
        sql`${entries.isTest} = 1`,
        eq(entries.organizationId, organizationId),
        isDueInSandbox(entries.expiresAt, organizationId, now),
        sql`${entries.id} NOT IN (SELECT value FROM json_each(${JSON.stringify(done)}))`,
      ),
    )
    .limit(EXPIRED_A_PAGE)
}
