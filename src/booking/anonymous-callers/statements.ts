import { lte, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { deleteOld } from '../../platform/db/delete-old.ts'
import { publicCounts } from '../../platform/db/schema/public-counts.ts'

/** Adds one to the count of a window; returns no row if `limit` was reached before. */
export function countUpTo(db: Db, subject: string, endsAt: number, limit: number) {
  return db
    .insert(publicCounts)
    .values({ endsAt, subject, made: 1 })
    .onConflictDoUpdate({
      target: [publicCounts.endsAt, publicCounts.subject],
      set: { made: sql`${publicCounts.made} + 1` },
      setWhere: sql`${publicCounts.made} < ${limit}`,
    })
    .returning({ made: publicCounts.made })
}

/** The same check without counting. */
export function selectUpTo(db: Db, subject: string, endsAt: number, limit: number) {
  const counted = sql`(SELECT coalesce((SELECT made FROM public_counts
    WHERE ends_at = ${endsAt} AND subject = ${subject}), 0) AS made) counted`
  return db
    .select({ made: sql<number>`made`.as('made') })
    .from(counted)
    .where(sql`made < ${limit}`)
}

export function prunePublicCounts(db: Db, now: number, limit: number) {
  const { endsAt, subject } = publicCounts
  const over = db.select({ endsAt, subject }).from(publicCounts).where(lte(endsAt, now)).limit(limit)
  return deleteOld(db, publicCounts, [endsAt, subject], over)
}
