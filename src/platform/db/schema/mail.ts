import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Queued emails, of live mode alone. A row says what its email is about; the email is written when it is sent, and then the row
 * is deleted. An email that failed all its tries stays for a while as `failed`.
 */
export const emails = sqliteTable(
  'emails',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    kind: text({
      enum: ['event', 'link', 'reminder', 'follow_up', 'payable', 'resent', 'waiting', 'sign_in', 'ready'],
    }).notNull(),
    /** The event, the booking, the waitlist entry or the sign-in that it is about; null when it is `ready`. */
    subjectId: text('subject_id'),
    /** Which of its recipients. */
    recipientId: text('recipient_id'),
    /** The start that a reminder is for; the end that a follow-up is for; the waitlist slot that somebody joined. */
    occasion: integer(),
    recipient: text().notNull(),
    /** A `ready` email, sealed because it may contain a token. */
    message: text(),
    status: text({ enum: ['pending', 'failed'] }).notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer('next_attempt_at').notNull(),
    lastError: text('last_error'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('emails_pending').on(t.nextAttemptAt).where(sql`status = 'pending'`),
    // Few: those that were refused and are tried again, before all reminders.
    index('emails_refused')
      .on(t.nextAttemptAt)
      .where(sql`status = 'pending' AND kind <> 'reminder' AND last_error IS NOT NULL`),
    index('emails_failed').on(t.createdAt).where(sql`status = 'failed'`),
  ],
)

/**
 * Emails that were enqueued already, so that none is sent twice. A key begins with the id of its subject, and ids sort by time:
 * old keys are found without another column.
 */
export const letterKeys = sqliteTable('letter_keys', { onceKey: text('once_key').primaryKey() })

/** Which emails about a booking were sent and to whom: of people the ids alone, which are nobody's once they are erased. */
export const bookingEmails = sqliteTable(
  'booking_emails',
  {
    bookingId: text('booking_id').notNull(),
    onceKey: text('once_key').notNull(),
    /** The kind of its event, or what the email is besides. */
    about: text().notNull(),
    recipientIds: text('recipient_ids', { mode: 'json' }).$type<readonly string[]>().notNull(),
    sentAt: integer('sent_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.bookingId, t.onceKey] })],
)

/** How many emails an organization wrote to an address on a day (since 1970, UTC), rate limited ones included. */
export const letterCounts = sqliteTable(
  'letter_counts',
  {
    day: integer().notNull(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    /** In lower case. */
    address: text().notNull(),
    letters: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.organizationId, t.isTest, t.address] })],
)

/** What would have left the sandbox. `body` is sealed. */
export const sandboxOutbox = sqliteTable(
  'sandbox_outbox',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    onceKey: text('once_key').notNull().unique('sandbox_outbox_once'),
    channel: text({ enum: ['email', 'calendar', 'webhook', 'payment', 'sms'] }).notNull(),
    recipient: text().notNull(),
    subject: text(),
    body: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('sandbox_outbox_organization').on(t.organizationId, t.id),
    index('sandbox_outbox_age').on(t.createdAt),
  ],
)

/** An attachment that several emails of a sandbox share, stored once. `content` is sealed. */
export const sandboxFiles = sqliteTable(
  'sandbox_files',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    content: text().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('sandbox_files_organization').on(t.organizationId),
    index('sandbox_files_age').on(t.createdAt),
  ],
)

export const supportRequests = sqliteTable(
  'support_requests',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    subject: text().notNull(),
    message: text().notNull(),
    category: text({ enum: ['bug', 'billing', 'question', 'feature'] }).notNull(),
    status: text({ enum: ['open'] }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('support_requests_organization').on(t.organizationId, t.isTest, t.id)],
)
