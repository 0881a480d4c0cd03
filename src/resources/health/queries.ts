import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db, Statement } from '../../db/client.ts'
import { calendarConnections } from '../../db/schema/calendars.ts'
import { emails } from '../../db/schema/mail.ts'
import { events, sweeps } from '../../db/schema/records.ts'
import { webhookDeliveries } from '../../db/schema/webhooks.ts'

/** More than this is not counted on: it is an alarm either way. */
export const MOST_COUNTED = 10_000

/** How much is due, up to `MOST_COUNTED`, and since when, in epoch milliseconds. */
export type Due = { readonly count: number; readonly since: number | null }

/** What is due by `now` and not done, by what it is, and when the last sweep ended. One trip, by indexes alone. */
export async function findBacklog(db: Db, now: number) {
  const [outbox, letters, deliveries, syncs, swept, size] = await db.batch([
    selectDue(db, events, sql`coalesce(retry_at, created_at)`, sql`handled_at IS NULL`, now),
    selectDue(db, emails, sql`next_attempt_at`, sql`status = 'pending'`, now),
    selectDue(db, webhookDeliveries, sql`next_retry_at`, sql`status = 'pending'`, now),
    selectDue(db, calendarConnections, sql`next_sync_at`, sql`status IN ('active', 'error')`, now),
    db.select({ endedAt: sweeps.endedAt }).from(sweeps).where(eq(sweeps.name, 'sweep')),
    db.run(sql`SELECT 1`),
  ])
  return {
    outbox: outbox[0]!,
    letters: letters[0]!,
    deliveries: deliveries[0]!,
    syncs: syncs[0]!,
    sweptAt: swept[0]?.endedAt ?? null,
    bytes: size.meta.size_after,
  }
}

function selectDue(db: Db, table: SQLiteTable, dueAt: SQL, isOpen: SQL, now: number) {
  const due = db
    .select({ at: sql<number>`${dueAt}`.as('at') })
    .from(table)
    .where(and(isOpen, lte(dueAt, now)))
    .orderBy(dueAt)
    .limit(MOST_COUNTED)
    .as('due')
  return db
    .select({ count: sql<number>`count(*)`.as('count'), since: sql<number | null>`min(at)`.as('since') })
    .from(due)
}

/** That a sweep ran to its end. */
export function noteSweep(db: Db, endedAt: number): Statement {
  return db
    .insert(sweeps)
    .values({ name: 'sweep', endedAt })
    .onConflictDoUpdate({ target: sweeps.name, set: { endedAt } })
}
