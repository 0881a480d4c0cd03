import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Text messages to invitees. A row says what its message is about; number and words are read from the booking when it is
 * sent. What was sent stays for a while, so that the provider can report on it.
 */
export const textMessages = sqliteTable(
  'text_messages',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    bookingId: text('booking_id').notNull(),
    kind: text({ enum: ['reminder', 'cancelled'] }).notNull(),
    /** The start of the booking that it is about: after a move it is outdated. */
    occasion: integer().notNull(),
    onceKey: text('once_key').notNull().unique('text_messages_once'),
    /** `dropped`: outdated, opted out or over a limit. */
    status: text({ enum: ['pending', 'sent', 'delivered', 'failed', 'dropped'] }).notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer('next_attempt_at').notNull(),
    /** The id of the message at the provider. */
    providerId: text('provider_id'),
    segments: integer(),
    /** The code of the provider's error, or why it was dropped; never a number. */
    lastError: text('last_error'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('text_messages_organization').on(t.organizationId, t.id),
    index('text_messages_pending').on(t.isTest, t.nextAttemptAt, t.id).where(sql`status = 'pending'`),
    index('text_messages_pending_sandbox')
      .on(t.organizationId, t.isTest, t.nextAttemptAt)
      .where(sql`is_test = 1 AND status = 'pending'`),
    index('text_messages_age').on(t.createdAt),
  ],
)

/** Numbers that opted out of a sender, for all organizations: keyed hashes. */
export const textOptOuts = sqliteTable(
  'text_opt_outs',
  {
    /** The number or the messaging service that texts come from. */
    sender: text().notNull(),
    numberHash: text('number_hash').notNull(),
    optedOutAt: integer('opted_out_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.sender, t.numberHash] })],
)
