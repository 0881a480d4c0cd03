import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export type ProviderMetadata = {
  readonly preset:
    | 'caldav_preset_a'
    | 'caldav_preset_b'
    | 'caldav_preset_c'
    | 'custom'
    | 'calendar_a'
    | 'calendar_b'
  readonly server_url: string
  readonly auth_method: 'basic' | 'oauth2'
  readonly calendar_url: string
}

/** A calendar that an organization's member connected. The credentials are sealed. */
export const calendarConnections = sqliteTable(
  'calendar_connections',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    memberId: text('member_id').notNull(),
    provider: text({ enum: ['caldav', 'calendar_a', 'calendar_b'] }).notNull(),
    /** Server and account in one form, so that the same account is not connected twice. */
    accountKey: text('account_key').notNull(),
    accountEmail: text('account_email').notNull(),
    calendarId: text('calendar_id').notNull(),
    /** The calendar's own zone, for its all-day and floating events; null where it names none. */
    timezone: text(),
    credentials: text().notNull(),
    providerMetadata: text('provider_metadata', { mode: 'json' }).$type<ProviderMetadata>().notNull(),
    status: text({ enum: ['active', 'expired', 'revoked', 'error'] }).notNull(),
    syncStatus: text('sync_status', { enum: ['connected', 'syncing', 'error'] }).notNull(),
    syncError: text('sync_error'),
    syncCursor: text('sync_cursor'),
    /** Until when events are known; the window moves on with time. */
    syncedUntil: integer('synced_until').notNull().default(0),
    lastSyncAt: integer('last_sync_at'),
    /** When it is asked again; during a sync, when that counts as lost. */
    nextSyncAt: integer('next_sync_at').notNull(),
    /** Syncs that failed since the last success. */
    syncFailures: integer('sync_failures').notNull().default(0),
    connectedAt: integer('connected_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('calendar_connections_account').on(t.organizationId, t.isTest, t.accountKey),
    index('calendar_connections_organization').on(t.organizationId, t.isTest, t.id),
    index('calendar_connections_key').on(t.accountKey),
    index('calendar_connections_member').on(t.memberId, t.isTest),
    index('calendar_connections_due').on(t.nextSyncAt).where(sql`status IN ('active', 'error')`),
  ],
)

/** Events that a calendar has, with what is needed to see what changed. */
export const calendarEvents = sqliteTable(
  'calendar_events',
  {
    connectionId: text('connection_id').notNull(),
    eventId: text('event_id').notNull(),
    uid: text().notNull(),
    etag: text(),
    startsAt: integer('starts_at'),
    endsAt: integer('ends_at'),
  },
  (t) => [
    primaryKey({ columns: [t.connectionId, t.eventId] }),
    index('calendar_events_uid').on(t.connectionId, t.uid),
  ],
)

/**
 * The time that events of others block, in pieces of at most a week, so that a question for a range need not
 * look further back.
 */
export const calendarBusyTimes = sqliteTable(
  'calendar_busy_times',
  {
    connectionId: text('connection_id').notNull(),
    eventId: text('event_id').notNull(),
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.connectionId, t.startsAt, t.eventId] }),
    index('calendar_busy_times_event').on(t.connectionId, t.eventId),
  ],
)

/**
 * The event that stands for a booking (or for a session of them) in one calendar. The batch that changes a booking makes
 * the row and calls for it (`wanted_revision`, `next_attempt_at`): see `bookings/follow-ups/statements.ts`.
 */
export const calendarWrites = sqliteTable(
  'calendar_writes',
  {
    /** The booking's or, for seats shared, the session's id. */
    holderId: text('holder_id').notNull(),
    connectionId: text('connection_id').notNull(),
    organizationId: text('organization_id').notNull(),
    uid: text().notNull(),
    /** Whether the suite is to make a meeting link with the event. */
    wantsMeeting: integer('wants_meeting', { mode: 'boolean' }).notNull(),
    eventId: text('event_id'),
    etag: text(),
    /** Grows with every change of what is to be written; what was written last follows it. */
    wantedRevision: integer('wanted_revision').notNull().default(0),
    writtenRevision: integer('written_revision').notNull().default(0),
    /** The SEQUENCE of what was written last. */
    sequence: integer().notNull().default(0),
    /** Where it was written, or was about to be; null when nothing of ours is meant to be there. */
    writtenStart: integer('written_start'),
    writtenEnd: integer('written_end'),
    meetingUrl: text('meeting_url'),
    /** When a sync last reported it gone or moved; null once that was looked into. */
    suspectedAt: integer('suspected_at'),
    /** Whether its owner moved it, which the booking does not follow. */
    isMoved: integer('is_moved', { mode: 'boolean' }).notNull().default(false),
    status: text({ enum: ['pending', 'written', 'removed', 'failed'] }).notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer('next_attempt_at'),
    /** Until then an attempt runs, and nobody starts another. */
    claimedUntil: integer('claimed_until'),
    lastError: text('last_error'),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.holderId, t.connectionId] }),
    index('calendar_writes_connection').on(t.connectionId, t.uid),
    index('calendar_writes_event').on(t.connectionId, t.eventId).where(sql`event_id IS NOT NULL`),
    index('calendar_writes_time').on(t.connectionId, t.writtenStart).where(sql`written_start IS NOT NULL`),
    index('calendar_writes_failed').on(t.connectionId).where(sql`status = 'failed'`),
    index('calendar_writes_due').on(t.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
    index('calendar_writes_due_of')
      .on(t.organizationId, t.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL`),
  ],
)

/** An account of a conferencing provider, one of each provider for an organization. The credentials are sealed. */
export const conferencingConnections = sqliteTable(
  'conferencing_connections',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    provider: text({ enum: ['video_a'] }).notNull(),
    accountEmail: text('account_email'),
    credentials: text().notNull(),
    status: text({ enum: ['active', 'expired', 'revoked', 'error'] }).notNull(),
    error: text(),
    connectedAt: integer('connected_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('conferencing_connections_provider').on(t.organizationId, t.isTest, t.provider),
    index('conferencing_connections_email').on(t.provider, t.accountEmail),
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
    index('meetings_failed').on(t.organizationId).where(sql`status = 'failed'`),
    index('meetings_due').on(t.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
    index('meetings_due_of').on(t.organizationId, t.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
  ],
)
