import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** An account of a conferencing provider, one of each provider for a member. The credentials are sealed. */
export const conferencingConnections = sqliteTable(
  'conferencing_connections',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    provider: text({ enum: ['video_a'] }).notNull(),
    /** The member it belongs to; members without an account use the owner's. */
    memberId: text('member_id').notNull().default(''),
    /** The provider's id of the account; null in the sandbox. */
    externalId: text('external_id'),
    accountEmail: text('account_email'),
    credentials: text().notNull(),
    status: text({ enum: ['active', 'expired', 'revoked', 'error'] }).notNull(),
    error: text(),
    connectedAt: integer('connected_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('conferencing_connections_member').on(t.organizationId, t.isTest, t.provider, t.memberId),
    index('conferencing_connections_email').on(t.provider, t.accountEmail),
    index('conferencing_connections_external').on(t.provider, t.externalId),
  ],
)

/** The meeting that a conferencing provider makes for a booking or a session, called for as calendar writes are. */
export const meetings = sqliteTable(
  'meetings',
  {
    holderId: text('holder_id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    provider: text({ enum: ['video_a'] }).notNull(),
    /** The account it was made with; null before. */
    connectionId: text('connection_id'),
    meetingId: text('meeting_id'),
    joinUrl: text('join_url'),
    wantedRevision: integer('wanted_revision').notNull().default(0),
    writtenStart: integer('written_start'),
    writtenEnd: integer('written_end'),
    status: text({ enum: ['pending', 'made', 'removed', 'failed'] }).notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer('next_attempt_at'),
    claimedUntil: integer('claimed_until'),
    lastError: text('last_error'),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('meetings_organization').on(t.organizationId, t.isTest),
    index('meetings_failed').on(t.organizationId).where(sql`status = 'failed'`),
    index('meetings_due').on(t.nextAttemptAt, t.organizationId).where(sql`next_attempt_at IS NOT NULL`),
  ],
)
