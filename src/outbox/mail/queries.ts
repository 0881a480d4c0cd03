import { and, asc, eq, lt, lte, sql } from 'drizzle-orm'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { deleteOld } from '../../platform/db/delete-old.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../platform/db/due-page.ts'
import { firstIdOf } from '../../platform/db/ids.ts'
import { leaseAt, takeLease } from '../../platform/db/leases.ts'
import { type At, builtOnce } from '../../platform/db/prepared.ts'
import {
  emails,
  letterCounts,
  letterKeys,
  sandboxFiles,
  sandboxOutbox,
} from '../../platform/db/schema/mail.ts'
import { OTHERS_WAIT } from '../../platform/db/waiting-emails.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { type Addressed, DAILY_LIMIT, dayOf } from './daily-limit.ts'
import { mailboxOf } from './mailbox.ts'

export type EmailRow = typeof emails.$inferSelect
export type SandboxItemRow = typeof sandboxOutbox.$inferSelect
export type SandboxFileRow = typeof sandboxFiles.$inferSelect

function isWithinDay(
  { organizationId, isTest }: Tenant,
  address: string | ReturnType<typeof sql>,
  now: RealMs,
) {
  return sql`(SELECT letters FROM letter_counts WHERE day = ${dayOf(now)} AND organization_id = ${organizationId}
    AND is_test = ${isTest ? 1 : 0} AND address = ${address}) <= ${DAILY_LIMIT}`
}

/** Counts one email to each address, unless `onceKey` was enqueued before. Comes before the emails in the batch. */
function countEmailsTo(
  db: Db,
  { organizationId, isTest }: Tenant,
  addressed: readonly Addressed[],
  isTold: ReturnType<typeof sql>,
  now: RealMs,
): Statement {
  const rows = sql`SELECT ${dayOf(now)}, ${organizationId}, ${isTest ? 1 : 0}, value ->> 'address', 1
    FROM json_each(${JSON.stringify(addressed.map(({ address }) => ({ address })))}) WHERE NOT ${isTold}`
  return db
    .insert(letterCounts)
    .select(rows)
    .onConflictDoUpdate({
      target: [letterCounts.day, letterCounts.organizationId, letterCounts.isTest, letterCounts.address],
      set: { letters: sql`${letterCounts.letters} + 1` },
    })
}

type NewSandboxItem = typeof sandboxOutbox.$inferInsert

export function insertSandboxItem(db: Db, row: NewSandboxItem): Statement {
  return db.insert(sandboxOutbox).values(row).onConflictDoNothing()
}

/** The same for emails of a sandbox, which count like live ones. */
export function insertSandboxEmails(
  db: Db,
  tenant: Tenant,
  letters: readonly { readonly item: NewSandboxItem; readonly isCounted: boolean }[],
  files: readonly SandboxFileRow[],
  now: RealMs,
): Statement[] {
  const kept = letters.flatMap(({ item, isCounted }) => {
    if (!isCounted) return [insertSandboxItem(db, item)]
    const address = mailboxOf(item.recipient)
    const isTold = sql`EXISTS (SELECT 1 FROM sandbox_outbox WHERE once_key = ${item.onceKey})`
    const { id, organizationId, onceKey, channel, recipient, subject, body, createdAt } = item
    const row = sql`SELECT ${id}, ${organizationId}, ${onceKey}, ${channel}, ${recipient}, ${subject}, ${body},
      ${createdAt} WHERE ${isWithinDay(tenant, address, now)}`
    return [
      countEmailsTo(db, tenant, [{ address }], isTold, now),
      db.insert(sandboxOutbox).select(row).onConflictDoNothing(),
    ]
  })
  const ids = JSON.stringify(letters.map(({ item: { id } }) => id))
  const isKept = sql`EXISTS (SELECT 1 FROM sandbox_outbox WHERE id IN (SELECT value FROM json_each(${ids})))`
  const shared = files.map(({ id, organizationId, content, createdAt }) =>
    db
      .insert(sandboxFiles)
      .select(sql`SELECT ${id}, ${organizationId}, ${content}, ${createdAt} WHERE ${isKept}`),
  )
  return [...kept, ...shared]
}

/** Claims an email that is due; no row if it is not due or already claimed. */
export function claimEmail(db: Db, id: string, now: RealMs) {
  const isMeant = and(eq(emails.id, id), eq(emails.status, 'pending'))
  const mustWait = sql`${emails.kind} = 'reminder' AND ${OTHERS_WAIT}`.mapWith(Boolean).as('must_wait')
  return takeLease(db, emails, isMeant, leaseAt('email', now), { mustWait })
}

const deleteById = builtOnce((db, at: At<{ id: string }>) => db.delete(emails).where(eq(emails.id, at.id)))

/** Deletes an email that was sent. */
export async function deleteEmail(db: Db, id: string): Promise<void> {
  await deleteById(db, { id })
}

/** One that is never accepted: it stays as failed, like those that were tried in vain. */
export function giveUpEmail(db: Db, id: string): Statement {
  return db.update(emails).set({ status: 'failed', message: null }).where(eq(emails.id, id))
}

export async function markUnsent(
  db: Db,
  id: string,
  outcome: Partial<Pick<EmailRow, 'status' | 'attempts' | 'nextAttemptAt' | 'lastError' | 'message'>>,
): Promise<void> {
  await db.update(emails).set(outcome).where(eq(emails.id, id))
}

export function selectOverdueEmails(db: Db, before: number, last?: Pick<EmailRow, 'nextAttemptAt' | 'id'>) {
  const isNext = comesAfter([emails.nextAttemptAt, emails.id], last && [last.nextAttemptAt, last.id])
  return db
    .select({ id: emails.id, nextAttemptAt: emails.nextAttemptAt })
    .from(emails)
    .where(
      and(
        eq(emails.status, 'pending'),
        lte(emails.nextAttemptAt, before),
        staysHere(emails.organizationId),
        isNext,
      ),
    )
    .orderBy(asc(emails.nextAttemptAt), asc(emails.id))
    .limit(DUE_A_PAGE)
}

/** Failed emails are deleted after a while. */
export function pruneFailed(db: Db, before: number, limit: number) {
  const old = db
    .select({ id: emails.id })
    .from(emails)
    .where(and(sql`status = 'failed'`, lt(emails.createdAt, before)))
    .orderBy(asc(emails.createdAt))
    .limit(limit)
  return deleteOld(db, emails, [emails.id], old)
}

/** Keys begin with the id of the email's subject, and ids sort by creation time. */
export function pruneEmailKeys(db: Db, before: number, limit: number) {
  const { onceKey } = letterKeys
  const old = db
    .select({ onceKey })
    .from(letterKeys)
    .where(lt(onceKey, firstIdOf(before)))
    .orderBy(asc(onceKey))
    .limit(limit)
  return deleteOld(db, letterKeys, [onceKey], old)
}

/** Deletes the counts of past days; `before` is in the first day that still counts. */
export function pruneCounts(db: Db, before: number, limit: number) {
  const { day, organizationId, isTest, address } = letterCounts
  const old = db
    .select({ day, organizationId, isTest, address })
    .from(letterCounts)
    .where(lt(day, dayOf(before)))
    .limit(limit)
  return deleteOld(db, letterCounts, [day, organizationId, isTest, address], old)
}

export function pruneOutbox(db: Db, before: number, limit: number) {
  const { id, createdAt } = sandboxOutbox
  const old = db
    .select({ id })
    .from(sandboxOutbox)
    .where(lt(createdAt, before))
    .orderBy(asc(createdAt))
    .limit(limit)
  return deleteOld(db, sandboxOutbox, [id], old)
}

export function pruneFiles(db: Db, before: number, limit: number) {
  const { id, createdAt } = sandboxFiles
  const old = db
    .select({ id })
    .from(sandboxFiles)
    .where(lt(createdAt, before))
    .orderBy(asc(createdAt))
    .limit(limit)
  return deleteOld(db, sandboxFiles, [id], old)
}
