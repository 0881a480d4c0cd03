import { sql } from 'drizzle-orm'
import type { Db, Statement } from './client.ts'
import { refuseWhen } from './refusals.ts'

/** Refuses the batch when the member has left in the meantime. */
export function guardMember(db: Db, memberId: string): Statement {
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM members WHERE id = ${memberId})`)
}

/** Refuses the batch when the room or equipment was deleted in the meantime. */
export function guardResource(db: Db, resourceId: string): Statement {
  return refuseWhen(db, 'STALE', sql`NOT EXISTS (SELECT 1 FROM resources WHERE id = ${resourceId})`)
}
