import { sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { conferencingConnections, meetings } from '../../platform/db/schema/conferencing.ts'

/** For the batch that empties the sandbox of these, a JSON list. */
export function dropAccounts(db: Db, ids: string): Statement {
  return db.delete(conferencingConnections).where(sql`id IN (SELECT value FROM json_each(${ids}))`)
}

/** The same for meetings to which nothing leads any more. */
export function dropEndedMeetings(db: Db, organizationId: string): Statement {
  return db.delete(meetings).where(
    sql`organization_id = ${organizationId} AND is_test = 1
      AND NOT EXISTS (SELECT 1 FROM bookings WHERE id = holder_id) AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = holder_id)`,
  )
}
