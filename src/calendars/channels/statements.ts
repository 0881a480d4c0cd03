import { eq, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { calendarChannels } from '../../platform/db/schema/calendars.ts'

/** The channels of an account that is connected again ended with its permission: they are replaced. */
export function replaceChannels(db: Db, accountId: string, now: number): Statement {
  return db
    .update(calendarChannels)
    .set({ expiresAt: 0, renewAt: now })
    .where(
      sql`${calendarChannels.connectionId} IN (SELECT id FROM calendar_connections WHERE account_id = ${accountId})`,
    )
}

/** The provider says that a channel must be renewed now, or that it ended. */
export async function makeDue(db: Db, id: string, isOver: boolean, now: number): Promise<void> {
  await db
    .update(calendarChannels)
    .set({ renewAt: now, ...(isOver && { expiresAt: 0 }) })
    .where(eq(calendarChannels.id, id))
}
