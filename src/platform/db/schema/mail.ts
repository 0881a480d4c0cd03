import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Letters on their way out, of live mode alone. A row says what its letter is about; it is written when it is sent,
 * and then the row goes. One that nobody took after all its tries stays for a while as `failed`.
 */
export const emails = sqliteTable(
  'emails',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    kind: text({ enum: ['event', 'link', 'reminder', 'payable', 'waiting', 'sign_in', 'ready'] }).notNull(),
    /** The event, the booking, the waitlist entry or the sign-in that it tells of; null when it is `ready`. */
    subjectId: text('subject_id'),
    /** Which of those who are told of it. */
    recipientId: text('recipient_id'),
    /** The start that a reminder is of; the place in the line that somebody joined. */
    occasion: integer(),
    recipient: text().notNull(),
    /** A `ready` letter, sealed, for it may carry a token. */
    message: text(),
    status: text({ enum: ['pending', 'failed'] }).notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer('next_attempt_at').notNull(),
    lastError: text('last_error'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('emails_pending').on(t.nextAttemptAt).where(sql`status = 'pending'`),
    index('emails_failed').on(t.createdAt).where(sql`status = 'failed'`),
  ],
)

/**
 * What was told by letter already, so that nothing is told twice. A key begins with the id of what it is about, and
 * so with when that was: old ones are found by their keys.
 */
export const letterKeys = sqliteTable('letter_keys', { onceKey: text('once_key').primaryKey() })

/** How many letters an organization wrote to an address on a day (since 1970, UTC), also those that were held back. */
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
    channel: text({ enum: ['email', 'calendar', 'webhook', 'payment'] }).notNull(),
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

/** What several letters of a sandbox have attached, once. `content` is sealed. */
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
