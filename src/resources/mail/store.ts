import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { emails, sandboxOutbox } from '../../db/schema/mail.ts'

export type EmailRow = typeof emails.$inferSelect
export type SandboxItemRow = typeof sandboxOutbox.$inferSelect

export function insertEmail(db: Db, row: typeof emails.$inferInsert): Statement {
  return db.insert(emails).values(row).onConflictDoNothing()
}

export function insertSandboxItem(db: Db, row: typeof sandboxOutbox.$inferInsert): Statement {
  return db.insert(sandboxOutbox).values(row).onConflictDoNothing()
}

/** Takes a letter that is due, so that nobody else sends it until `until`; null when it is not to be sent now. */
export async function claimLetter(db: Db, id: string, now: number, until: number): Promise<EmailRow | null> {
  const [row] = await db
    .update(emails)
    .set({ attempts: sql`${emails.attempts} + 1`, nextAttemptAt: until })
    .where(and(eq(emails.id, id), eq(emails.status, 'pending'), lte(emails.nextAttemptAt, now)))
    .returning()
  return row ?? null
}

/** Nothing of a letter that was sent is kept but that it was. */
export async function markSent(db: Db, id: string, now: number): Promise<void> {
  await db
    .update(emails)
    .set({ status: 'sent', sentAt: now, message: '', lastError: null })
    .where(eq(emails.id, id))
}

export async function markUnsent(
  db: Db,
  id: string,
  outcome: {
    readonly status: 'pending' | 'failed'
    readonly nextAttemptAt: number
    readonly lastError: string
  },
): Promise<void> {
  await db.update(emails).set(outcome).where(eq(emails.id, id))
}

export function selectOverdueLetters(db: Db, before: number) {
  return db
    .select({ id: emails.id })
    .from(emails)
    .where(and(eq(emails.status, 'pending'), lte(emails.nextAttemptAt, before)))
    .orderBy(asc(emails.nextAttemptAt))
    .limit(100)
}
