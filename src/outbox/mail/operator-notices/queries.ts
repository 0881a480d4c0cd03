import { and, eq, gt, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { operatorNotices } from '../../../platform/db/schema/records.ts'

/** Whether the operator was notified since then. */
export async function isNotifiedSince(db: Db, subject: string, since: number): Promise<boolean> {
  const isTold = and(eq(operatorNotices.subject, subject), gt(operatorNotices.toldAt, since))
  return (await db.$count(operatorNotices, isTold)) > 0
}

/** For the batch with the email, which is refused when another process has sent it since then. */
export function noteNotified(db: Db, subject: string, since: number, now: number): Statement[] {
  const isTold = sql`EXISTS (SELECT 1 FROM operator_notices WHERE subject = ${subject} AND told_at > ${since})`
  return [
    refuseWhen(db, 'STALE', isTold),
    db
      .insert(operatorNotices)
      .values({ subject, toldAt: now })
      .onConflictDoUpdate({ target: operatorNotices.subject, set: { toldAt: now } }),
  ]
}
