import { and, eq, gt, lt, lte, sql } from 'drizzle-orm'
import { aboutColumn, ownerColumn } from '../../../outbox/mail/about/statements.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { deleteOld } from '../../../platform/db/delete-old.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { emailCodes } from '../../../platform/db/schema/email-codes.ts'
import { eventTypes } from '../../../platform/db/schema/event-types.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import { MAX_TRIES } from './code.ts'

/** The event type, and the organization that sends the email. */
export function selectAsked(db: Db, eventTypeId: string) {
  return db
    .select({
      eventType: eventTypes,
      about: aboutColumn(),
      people: ownerColumn(),
      organization: {
        suspendedAt: organizations.suspendedAt,
        sandboxNow: organizations.sandboxNow,
        bookingsPerNetworkHour: organizations.bookingsPerNetworkHour,
        pendingPerNetwork: organizations.pendingPerNetwork,
        activePerEmail: organizations.activePerEmail,
        waitingPerEmail: organizations.waitingPerEmail,
        attendeesPerBooking: organizations.attendeesPerBooking,
      },
    })
    .from(eventTypes)
    .innerJoin(organizations, eq(organizations.id, eventTypes.organizationId))
    .where(eq(eventTypes.id, eventTypeId))
}

/** Only the latest code is valid. */
export function putCode(db: Db, row: typeof emailCodes.$inferInsert): Statement {
  const { subject, ...rest } = row
  return db
    .insert(emailCodes)
    .values({ subject, ...rest })
    .onConflictDoUpdate({ target: emailCodes.subject, set: { ...rest, wrongTries: 0 } })
}

/** Compares and counts in one statement, so that parallel guesses all count. */
export async function tryCode(db: Db, subject: string, codeMark: string, now: PresentMs): Promise<boolean> {
  const [row] = await db
    .update(emailCodes)
    .set({ wrongTries: sql`${emailCodes.wrongTries} + (${emailCodes.codeMark} <> ${codeMark})` })
    .where(
      and(
        eq(emailCodes.subject, subject),
        gt(emailCodes.expiresAt, now),
        lt(emailCodes.wrongTries, MAX_TRIES),
      ),
    )
    .returning({ codeMark: emailCodes.codeMark })
  return row?.codeMark === codeMark
}

/** Ends a code in the batch that it allows, which fails if the code was ended or replaced in the meantime. */
export function spendCode(db: Db, subject: string, codeMark: string): Statement[] {
  const isGone = sql`NOT EXISTS (SELECT 1 FROM email_codes WHERE subject = ${subject} AND code_mark = ${codeMark})`
  return [refuseWhen(db, 'STALE', isGone), db.delete(emailCodes).where(eq(emailCodes.subject, subject))]
}

export function pruneCodes(db: Db, before: number, limit: number) {
  const old = db
    .select({ subject: emailCodes.subject })
    .from(emailCodes)
    .where(lte(emailCodes.createdAt, before))
    .limit(limit)
  return deleteOld(db, emailCodes, [emailCodes.subject], old)
}
