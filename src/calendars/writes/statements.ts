import { sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { calendarWrites } from '../../platform/db/schema/calendars.ts'

/** What is pending or was given up in a calendar is tried again, for its owner has just connected it again. */
export function retryWrites(db: Db, connectionId: string, now: number): Statement {
  return db
    .update(calendarWrites)
    .set({ nextAttemptAt: now, attempts: 0, status: 'pending', updatedAt: now })
    .where(
      sql`rowid IN (
        SELECT rowid FROM calendar_writes WHERE connection_id = ${connectionId} AND status = 'failed'
        UNION ALL SELECT rowid FROM calendar_writes
        WHERE next_attempt_at >= 0 AND status = 'pending' AND +connection_id = ${connectionId}
          AND +organization_id = (SELECT organization_id FROM calendar_connections WHERE id = ${connectionId}))`,
    )
}
