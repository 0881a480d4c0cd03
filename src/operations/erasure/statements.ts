import { and, eq, inArray, sql } from 'drizzle-orm'
import { dayOf } from '../../outbox/mail/daily-limit.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { preparedQuery, preparedStatement } from '../../platform/db/prepared.ts'
import { emailCodes } from '../../platform/db/schema/email-codes.ts'
import { emails, letterCounts, sandboxFiles, sandboxOutbox } from '../../platform/db/schema/mail.ts'

/*
 * Each takes a list of rows as JSON with their new columns, and returns the rows it changed. A list is as long as a parameter
 * may be.
 */

type Changed = { readonly id: string }
const ONES = 'FROM (SELECT value AS one FROM json_each(?1))'
const IDS = '(SELECT value FROM json_each(?1))'

/** Bookings that are as they were read. */
export const clearBookings = preparedQuery<Changed, readonly [rows: string, now: number]>(
  `UPDATE bookings SET invitee_name = one ->> 'inviteeName', invitee_email = one ->> 'inviteeEmail',
    invitee_timezone = one ->> 'inviteeTimezone', invitee_locale = one ->> 'inviteeLocale', notes = one ->> 'notes',
    answers = one ->> 'answers', metadata = one ->> 'metadata', attendees = one ->> 'attendees',
    guests = one ->> 'guests', invitee_phone = one ->> 'inviteePhone',
    cancel_reason = one ->> 'cancelReason', network_mark = one ->> 'networkMark',
    reminder_minutes = CASE WHEN NOT one ->> 'isAlone' THEN reminder_minutes END,
    next_reminder_at = CASE WHEN NOT one ->> 'isAlone' THEN next_reminder_at END,
    follow_up_minutes = CASE WHEN NOT one ->> 'isAlone' THEN follow_up_minutes END,
    address_mark = one ->> 'addressMark', revision = revision + 1, updated_at = max(updated_at + 1, ?2)
  ${ONES} WHERE id = one ->> 'id' AND revision = one ->> 'revision' RETURNING id`,
)

/** A decision based on the old row is made again. */
export const renewSchedules = preparedStatement<readonly [bookingIds: string]>(
  `UPDATE event_types SET version = version + 1
   WHERE id IN (SELECT event_type_id FROM bookings WHERE id IN ${IDS})`,
)

/** The reasons that were typed, and from where an invitee called. */
export const clearLog = preparedQuery<Changed, readonly [bookingIds: string, ours: string]>(
  `UPDATE activity SET ip_address = CASE WHEN actor_type = 'invitee' THEN NULL ELSE ip_address END,
    changes = CASE WHEN changes ->> 'reason' IN (SELECT value FROM json_each(?2)) THEN changes
      ELSE json_replace(changes, '$.reason', NULL) END
  WHERE resource_id IN (SELECT value FROM json_each(?1) UNION ALL
      SELECT id FROM payments WHERE booking_id IN (SELECT value FROM json_each(?1)))
    AND ((actor_type = 'invitee' AND ip_address IS NOT NULL)
      OR changes ->> 'reason' NOT IN (SELECT value FROM json_each(?2)))
  RETURNING id`,
)

/** The same in bookings that are their own entries: what they log has no reason. */
export const clearBookedLog = preparedQuery<Changed, readonly [bookingIds: string]>(
  `UPDATE bookings SET log_entry = json_set(log_entry, '$.ip_address', NULL) WHERE id IN ${IDS}
    AND log_entry ->> 'actor_type' = 'invitee' AND log_entry ->> 'ip_address' IS NOT NULL RETURNING id`,
)

export const clearRefunds = preparedQuery<Changed, readonly [bookingIds: string]>(
  `UPDATE refunds SET reason = NULL WHERE cause = 'request' AND reason IS NOT NULL
    AND payment_id IN (SELECT id FROM payments WHERE booking_id IN ${IDS}) RETURNING id`,
)

/** Also the hold that became the booking. */
export const clearHoldsOf = preparedQuery<Changed, readonly [bookingIds: string]>(
  `UPDATE slot_holds SET metadata = '{}', network_mark = NULL
  WHERE rowid IN (SELECT rowid FROM slot_holds WHERE id IN ${IDS}
      UNION SELECT rowid FROM slot_holds WHERE booking_id IS NOT NULL AND booking_id IN ${IDS})
    AND (metadata <> '{}' OR network_mark IS NOT NULL) RETURNING id`,
)

export const clearEntries = preparedQuery<Changed, readonly [rows: string, now: number]>(
  `UPDATE waitlist_entries SET invitee_name = one ->> 'inviteeName', invitee_email = one ->> 'inviteeEmail',
    invitee_timezone = one ->> 'inviteeTimezone', invitee_locale = one ->> 'inviteeLocale', notes = one ->> 'notes',
    answers = one ->> 'answers', invitee_phone = one ->> 'inviteePhone', address_mark = one ->> 'addressMark', updated_at = max(updated_at + 1, ?2),
    status = CASE WHEN status = 'waiting' AND one ->> 'inviteeEmail' = '' THEN 'cancelled' ELSE status END
  ${ONES} WHERE id = one ->> 'id' RETURNING id`,
)

/** Nothing follows from what happened to them any more. */
export const clearEvents = preparedQuery<Changed, readonly [rows: string, now: number]>(
  `UPDATE events SET data = one ->> 'data', previous = one ->> 'previous', handled_at = coalesce(handled_at, ?2)
  ${ONES} WHERE id = one ->> 'id' RETURNING id`,
)

/** What was still to be sent is not. */
export const clearDeliveries = preparedQuery<Changed, readonly [rows: string]>(
  `UPDATE webhook_deliveries SET payload = one ->> 'payload', response_body = NULL, next_retry_at = NULL,
    status = CASE WHEN status = 'pending' THEN 'failed' ELSE status END
  ${ONES} WHERE id = one ->> 'id' RETURNING id`,
)

export const clearActivity = preparedQuery<Changed, readonly [rows: string, org: string, isTest: number]>(
  `UPDATE activity SET changes = one ->> 'changes' ${ONES}
  WHERE organization_id = ?2 AND is_test = ?3 AND id = one ->> 'id'
    AND id IN (SELECT value ->> 'id' FROM json_each(?1)) RETURNING id`,
)

export const clearSlotHolds = preparedQuery<Changed, readonly [rows: string]>(
  `UPDATE slot_holds SET metadata = one ->> 'metadata' ${ONES} WHERE id = one ->> 'id' RETURNING id`,
)

export const clearSupport = preparedQuery<Changed, readonly [rows: string]>(
  `UPDATE support_requests SET subject = one ->> 'subject', message = one ->> 'message'
  ${ONES} WHERE id = one ->> 'id' RETURNING id`,
)

export const clearTimeOff = preparedQuery<Changed, readonly [rows: string, now: number]>(
  `UPDATE OR REPLACE time_off SET reason = one ->> 'reason', external_id = one ->> 'externalId',
    updated_at = max(updated_at + 1, ?2)
  ${ONES} WHERE id = one ->> 'id' RETURNING id`,
)

/** A key that named them finds its refund no more. */
export const clearRefundTexts = preparedQuery<Changed, readonly [rows: string]>(
  `UPDATE refunds SET reason = one ->> 'reason', claim = one ->> 'claim' ${ONES} WHERE id = one ->> 'id' RETURNING id`,
)

export const clearPaymentKeys = preparedQuery<Changed, readonly [ids: string]>(
  `UPDATE payments SET kept_scope = NULL, kept_key = NULL WHERE id IN ${IDS} RETURNING id`,
)

/** Answers that are as they were read. */
export const clearAnswers = preparedQuery<{ readonly key: string }, readonly [rows: string]>(
  `UPDATE OR REPLACE idempotency_keys SET answer = one ->> 'cleared', key = one ->> 'keyTo' ${ONES}
  WHERE scope = one ->> 'scope' AND key = one ->> 'key' AND answer = one ->> 'answer' RETURNING key`,
)

function listed(ids: readonly string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
}

export function deleteEmails(db: Db, ids: readonly string[]) {
  return db
    .delete(emails)
    .where(inArray(emails.id, listed(ids)))
    .returning({ id: emails.id })
}

export function deleteOutbox(db: Db, ids: readonly string[]) {
  return db
    .delete(sandboxOutbox)
    .where(inArray(sandboxOutbox.id, listed(ids)))
    .returning({ id: sandboxOutbox.id })
}

export function deleteFiles(db: Db, ids: readonly string[]) {
  return db.delete(sandboxFiles).where(inArray(sandboxFiles.id, listed(ids)))
}

export function deleteCodes(db: Db, subjects: readonly string[]) {
  return db
    .delete(emailCodes)
    .where(inArray(emailCodes.subject, listed(subjects)))
    .returning({ subject: emailCodes.subject })
}

/** How many emails the address got on the days that still count. */
export function deleteEmailCounts(db: Db, { organizationId, isTest }: Tenant, address: string, now: number) {
  const today = dayOf(now)
  return db
    .delete(letterCounts)
    .where(
      and(
        inArray(letterCounts.day, [today - 2, today - 1, today, today + 1]),
        eq(letterCounts.organizationId, organizationId),
        eq(letterCounts.isTest, isTest),
        eq(letterCounts.address, address),
      ),
    )
}
