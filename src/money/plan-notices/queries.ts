import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { ownerColumn, senderColumn } from '../../outbox/mail/about/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { comesAfter, DUE_A_PAGE, staysHere } from '../../platform/db/due-page.ts'
import { refuseWhen } from '../../platform/db/refusals.ts'
import { bookingQuotas, organizations } from '../../platform/db/schema/organizations.ts'
import { percentUsed } from './statements.ts'

const { organizationId, month, bookings, noticed, noticeAt } = bookingQuotas

/** A UTC month of an organization. */
export type Month = Pick<typeof bookingQuotas.$inferSelect, 'organizationId' | 'month'>

const BEFORE_ALL: Month = { organizationId: '', month: '' }

/** The months whose email was due by then and was not sent. */
export function selectDueNotices(db: Db, dueBy: number, last: Month = BEFORE_ALL) {
  return db
    .select({ organizationId, month })
    .from(bookingQuotas)
    .where(
      and(
        isNotNull(noticeAt),
        lte(noticeAt, dueBy),
        staysHere(organizationId),
        comesAfter([organizationId, month], [last.organizationId, last.month]),
      ),
    )
    .orderBy(asc(organizationId), asc(month))
    .limit(DUE_A_PAGE)
}

/** What the email says and who gets it. */
export async function findNotice(db: Db, of: Month) {
  const [found] = await db
    .select({
      bookings,
      noticed,
      noticeAt,
      tier: organizations.tier,
      people: ownerColumn(),
      sender: senderColumn(),
    })
    .from(bookingQuotas)
    .innerJoin(organizations, eq(organizations.id, organizationId))
    .where(and(isMonth(of), isNotNull(noticeAt)))
  return found ?? null
}

export type Notice = NonNullable<Awaited<ReturnType<typeof findNotice>>>
type Read = Pick<Notice, 'noticed' | 'noticeAt'>

/**
 * For the batch with the email: refuses it where another message was faster. Where a booking has reached the next share since
 * then, that is still due.
 */
export function noteSent(db: Db, of: Month, read: Read, quota: number, percent: number): Statement[] {
  const isOther = sql`NOT EXISTS (SELECT 1 FROM booking_quotas WHERE ${isMonth(of)}
    AND notice_at = ${read.noticeAt} AND noticed = ${JSON.stringify(read.noticed)})`
  const sent = JSON.stringify({ ...read.noticed, [quota]: percent })
  return [
    refuseWhen(db, 'STALE', isOther),
    db
      .update(bookingQuotas)
      .set({
        noticed: sql`${sent}`,
        noticeAt: sql`CASE WHEN ${percentUsed(bookings, quota)} > ${percent} THEN ${noticeAt} END`,
      })
      .where(isMonth(of)),
  ]
}

/** Where no email is to be sent after all. */
export function dropNotice(db: Db, of: Month, read: Read, quota: number, percent: number): Statement {
  const hasRisen = sql`${percentUsed(bookings, quota)} > ${percent}`
  return db
    .update(bookingQuotas)
    .set({ noticeAt: null })
    .where(and(isMonth(of), eq(noticeAt, read.noticeAt!), sql`NOT ${hasRisen}`))
}

function isMonth(of: Month) {
  return and(eq(organizationId, of.organizationId), eq(month, of.month))
}
