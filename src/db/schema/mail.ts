import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Letters on their way out. `message` is sealed, for it may carry a token. Test mode's stay in the sandbox. */
export const emails = sqliteTable(
  'emails',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    /** What makes this letter one of a kind: whoever puts it in twice finds it there. */
    onceKey: text('once_key').notNull().unique('emails_once'),
    recipient: text().notNull(),
    message: text().notNull(),
    status: text({ enum: ['pending', 'sent', 'failed'] }).notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer('next_attempt_at').notNull(),
    lastError: text('last_error'),
    createdAt: integer('created_at').notNull(),
    sentAt: integer('sent_at'),
  },
  (t) => [index('emails_pending').on(t.nextAttemptAt).where(sql`status = 'pending'`)],
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
  (t) => [index('sandbox_outbox_organization').on(t.organizationId, t.id)],
)

/** What is due before a booking starts. A row is there until it was sent, moved or dropped. */
export const reminders = sqliteTable(
  'reminders',
  {
    bookingId: text('booking_id').notNull(),
    minutesBefore: integer('minutes_before').notNull(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    dueAt: integer('due_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.bookingId, t.minutesBefore] }),
    index('reminders_due').on(t.dueAt),
    index('reminders_sandbox').on(t.organizationId, t.dueAt).where(sql`is_test = 1`),
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
