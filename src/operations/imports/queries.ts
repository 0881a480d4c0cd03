import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { deleteOld } from '../../platform/db/delete-old.ts'
import { type ImportSource, importedFrom, importJobs } from '../../platform/db/schema/import-jobs.ts'
import { members } from '../../platform/db/schema/organizations.ts'

export type JobRow = typeof importJobs.$inferSelect

export function selectJob(db: Db, organizationId: string, id: string) {
  return db
    .select()
    .from(importJobs)
    .where(and(eq(importJobs.id, id), eq(importJobs.organizationId, organizationId)))
}

/** The latest one from there. */
export function selectLatestJob(db: Db, organizationId: string, source: ImportSource) {
  return db
    .select()
    .from(importJobs)
    .where(and(eq(importJobs.organizationId, organizationId), eq(importJobs.source, source)))
    .orderBy(desc(importJobs.createdAt))
    .limit(1)
}

export function insertJob(db: Db, row: JobRow): Statement {
  return db.insert(importJobs).values(row)
}

export function updateJob(
  db: Db,
  id: string,
  changes: Partial<Pick<JobRow, 'status' | 'made' | 'leftOut' | 'updatedAt' | 'finishedAt'>>,
): Statement {
  return db.update(importJobs).set(changes).where(eq(importJobs.id, id))
}

/** A job whose object no longer has it. */
export function interruptJob(db: Db, id: string, now: number): Statement {
  return db
    .update(importJobs)
    .set({ status: 'interrupted', updatedAt: now })
    .where(and(eq(importJobs.id, id), eq(importJobs.status, 'running')))
}

/** What was made from that service, by what it was there. */
export function selectMadeFrom(db: Db, organizationId: string, source: ImportSource) {
  // Behind the slash comes the zero.
  const isOfIt = sql`${importedFrom.source} >= ${`${source}/`} AND ${importedFrom.source} < ${`${source}0`}`
  return db
    .select({ source: importedFrom.source, madeId: importedFrom.madeId, createdAt: importedFrom.createdAt })
    .from(importedFrom)
    .where(and(eq(importedFrom.organizationId, organizationId), isOfIt))
}

export function selectMembersOf(db: Db, organizationId: string) {
  return db
    .select({ id: members.id, userEmail: members.userEmail })
    .from(members)
    .where(eq(members.organizationId, organizationId))
}

/** Jobs that nothing happened to since `before`. */
export function pruneJobs(db: Db, before: number, limit: number) {
  const old = db
    .select({ id: importJobs.id })
    .from(importJobs)
    .where(sql`${importJobs.updatedAt} < ${before}`)
    .limit(limit)
  return deleteOld(db, importJobs, [importJobs.id], old)
}
