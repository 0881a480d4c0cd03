import { and, asc, eq, gt, inArray, isNotNull, lt, lte, ne, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../platform/db/client.ts'
import { deleteOld } from '../../platform/db/delete-old.ts'
import { comesAfter, DUE_A_PAGE, isDueInSandbox, staysHere } from '../../platform/db/due-page.ts'
import { leaseAt, takeLease } from '../../platform/db/leases.ts'
import { preparedQuery, preparedStatement } from '../../platform/db/prepared.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { textMessages, textOptOuts } from '../../platform/db/schema/text-messages.ts'
import type { PresentMs, RealMs } from '../../platform/limits/clock.ts'

export type TextRow = typeof textMessages.$inferSelect

const insertRows = preparedStatement<readonly [rows: string]>(
  `INSERT INTO text_messages (id, organization_id, is_test, booking_id, kind, occasion, once_key, status, attempts,
     next_attempt_at, created_at)
   SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, 'pending', 0,
     value ->> 7, value ->> 8 FROM json_each(?1) WHERE true
   ON CONFLICT (once_key) DO UPDATE SET next_attempt_at = excluded.next_attempt_at WHERE status = 'pending' AND attempts = 0`,
)

/** One that is planned already, and was not tried yet, gets the time of the new plan. */
type New = Omit<TextRow, 'status' | 'attempts' | 'providerId' | 'segments' | 'lastError'>

export function insertTexts(db: Db, rows: readonly New[]): Statement {
  const values = rows.map((row) => {
    const { id, organizationId, isTest, bookingId, kind, occasion, onceKey, nextAttemptAt, createdAt } = row
    return [id, organizationId, isTest ? 1 : 0, bookingId, kind, occasion, onceKey, nextAttemptAt, createdAt]
  })
  return insertRows(db, JSON.stringify(values))
}

/** Upcoming bookings of an event type that get texts, with the reminders that are still to be sent by email. */
export function selectToText(db: Db, eventTypeId: string, now: number) {
  const { id, startTime, inviteeTimezone, reminderMinutes, status, inviteePhone, smsConsent } = bookings
  return db
    .select({ id, startTime, inviteeTimezone, reminderMinutes })
    .from(bookings)
    .where(
      and(
        eq(bookings.eventTypeId, eventTypeId),
        gt(startTime, now),
        inArray(status, ['confirmed', 'rescheduled']),
        isNotNull(inviteePhone),
        eq(smsConsent, true),
      ),
    )
}

export function selectDueTexts(db: Db, now: RealMs, last?: Pick<TextRow, 'id' | 'nextAttemptAt'>) {
  const { id, isTest, nextAttemptAt, status, organizationId } = textMessages
  const isNext = comesAfter([nextAttemptAt, id], last && [last.nextAttemptAt, last.id])
  return db
    .select({ id, nextAttemptAt })
    .from(textMessages)
    .where(
      and(
        sql`${status} = 'pending'`,
        eq(isTest, false),
        lte(nextAttemptAt, now),
        staysHere(organizationId),
        isNext,
      ),
    )
    .orderBy(asc(nextAttemptAt), asc(id))
    .limit(DUE_A_PAGE)
}

export function claimText(db: Db, id: string, now: RealMs) {
  const isMeant = and(eq(textMessages.id, id), sql`${textMessages.status} = 'pending'`)
  return takeLease(db, textMessages, isMeant, leaseAt('text', now))
}

const FACTS = {
  status: bookings.status,
  startTime: bookings.startTime,
  inviteePhone: bookings.inviteePhone,
  smsConsent: bookings.smsConsent,
  inviteeTimezone: bookings.inviteeTimezone,
  inviteeLocale: bookings.inviteeLocale,
  title: eventTypes.title,
  reminderChannels: eventTypes.reminderChannels,
  organization: organizations.name,
  organizationLocale: organizations.locale,
  suspendedAt: organizations.suspendedAt,
  smsPerNumberDay: organizations.smsPerNumberDay,
  smsPerDay: organizations.smsPerDay,
}

/** The current state of the booking that a text is about. */
export function selectTextFacts(db: Db, id: string) {
  return db
    .select(FACTS)
    .from(textMessages)
    .innerJoin(bookings, eq(bookings.id, textMessages.bookingId))
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, textMessages.organizationId))
    .where(eq(textMessages.id, id))
}
export type TextFacts = Awaited<ReturnType<typeof selectTextFacts>>[number]

const SANDBOX_PAGE = 50

export function selectDueTextsInSandbox(db: Db, organizationId: string, now: PresentMs) {
  const { isTest, nextAttemptAt, status } = textMessages
  return db
    .select({ text: textMessages, facts: FACTS })
    .from(textMessages)
    .innerJoin(bookings, eq(bookings.id, textMessages.bookingId))
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, textMessages.organizationId))
    .where(
      and(
        eq(textMessages.organizationId, organizationId),
        sql`${isTest} = 1 AND ${status} = 'pending'`,
        isDueInSandbox(nextAttemptAt, organizationId, now),
      ),
    )
    .orderBy(asc(nextAttemptAt))
    .limit(SANDBOX_PAGE)
}

export function updateText(db: Db, id: string, changes: Partial<TextRow>): Statement {
  return db.update(textMessages).set(changes).where(eq(textMessages.id, id))
}

/** Counts a text, for its number or for the organization, and returns how many there are that day. */
export const countText = preparedQuery<
  { readonly letters: number },
  readonly [day: number, organizationId: string, address: string]
>(
  `INSERT INTO letter_counts (day, organization_id, is_test, address, letters) VALUES (?1, ?2, 0, ?3, 1)
   ON CONFLICT (day, organization_id, is_test, address) DO UPDATE SET letters = letters + 1 RETURNING letters`,
)

export function selectOptOut(db: Db, sender: string, numberHash: string) {
  return db
    .select({ optedOutAt: textOptOuts.optedOutAt })
    .from(textOptOuts)
    .where(and(eq(textOptOuts.sender, sender), eq(textOptOuts.numberHash, numberHash)))
}

export function insertOptOut(db: Db, sender: string, numberHash: string, now: number): Statement {
  return db.insert(textOptOuts).values({ sender, numberHash, optedOutAt: now }).onConflictDoNothing()
}

export function deleteOptOut(db: Db, sender: string, numberHash: string): Statement {
  return db
    .delete(textOptOuts)
    .where(and(eq(textOptOuts.sender, sender), eq(textOptOuts.numberHash, numberHash)))
}

/** What the provider reports. Reports come in any order, so one that ends the message is not replaced by an earlier one. */
export function reportText(
  db: Db,
  id: string,
  { status, providerId, lastError }: Pick<TextRow, 'status' | 'providerId' | 'lastError'>,
): Statement {
  const open = inArray(textMessages.status, status === 'sent' ? ['pending'] : ['pending', 'sent'])
  return db
    .update(textMessages)
    .set({ status, providerId, ...(lastError !== null && { lastError }) })
    .where(and(eq(textMessages.id, id), open))
}

/** Those that ended. */
export function pruneTexts(db: Db, before: number, limit: number) {
  const { id, createdAt, status } = textMessages
  const old = db
    .select({ id })
    .from(textMessages)
    .where(and(lt(createdAt, before), ne(status, 'pending')))
    .orderBy(asc(createdAt))
    .limit(limit)
  return deleteOld(db, textMessages, [id], old)
}
