import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export type ProviderMetadata = {
  readonly preset:
    | 'caldav_preset_a'
    | 'caldav_preset_b'
    | 'caldav_preset_c'
    | 'caldav_preset_d'
    | 'custom'
    | 'calendar_a'
    | 'calendar_b'
    | 'ics'
  readonly server_url: string
  readonly auth_method: 'basic' | 'digest' | 'oauth2' | 'none'
  readonly calendar_url: string
  /** False where the account makes no meetings with its events; left out where it does, or does not say. */
  readonly makes_meetings?: boolean
  /** Where only free and busy times are shared: there are no notifications, and each poll reads all of them. */
  readonly reads?: 'free_busy'
  /** The address of its owner when it was connected, where that is somebody else. */
  readonly owner?: string
}

const CALENDAR_PROVIDERS = ['caldav', 'calendar_a', 'calendar_b', 'ics'] as const

/** A calendar as its account last returned it. */
export type KnownCalendar = {
  readonly external_id: string
  readonly name: string
  readonly is_primary: boolean
  readonly can_write: boolean
  /** Where only free and busy times of it are shared. */
  readonly reads?: 'free_busy'
  /** The address of its owner where that is somebody else. */
  readonly owner?: string
}

/** What a member proved to be theirs at a provider. All connections to its calendars share its credentials, sealed. */
export const calendarAccounts = sqliteTable(
  'calendar_accounts',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    memberId: text('member_id').notNull(),
    provider: text({ enum: CALENDAR_PROVIDERS }).notNull(),
    /** Provider, server and account in one form, so that a member connects the same account once. */
    accountKey: text('account_key').notNull(),
    accountEmail: text('account_email').notNull(),
    /** Where it is: the base of an API, or any address of a CalDAV server that its owner named. */
    serverUrl: text('server_url').notNull(),
    credentials: text().notNull(),
    /** Its calendars when they were last listed, for when it does not answer. */
    calendars: text({ mode: 'json' }).$type<KnownCalendar[]>().notNull().default([]),
    connectedAt: integer('connected_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('calendar_accounts_key_of_member').on(t.memberId, t.isTest, t.accountKey),
    index('calendar_accounts_organization').on(t.organizationId, t.isTest, t.id),
    index('calendar_accounts_key').on(t.accountKey),
  ],
)

/** One calendar of an account: what is in it blocks time, and one of a member's receives their bookings. */
export const calendarConnections = sqliteTable(
  'calendar_connections',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    memberId: text('member_id').notNull(),
    accountId: text('account_id').notNull(),
    provider: text({ enum: CALENDAR_PROVIDERS }).notNull(),
    accountEmail: text('account_email').notNull(),
    /** Its id at the provider: an id of an API, the address of a collection, of a feed the host. */
    calendarId: text('calendar_id').notNull(),
    name: text().notNull().default(''),
    isPrimary: integer('is_primary', { mode: 'boolean' }).notNull().default(true),
    canWrite: integer('can_write', { mode: 'boolean' }).notNull().default(true),
    /** Whether its events block time. */
    checksBusy: integer('checks_busy', { mode: 'boolean' }).notNull().default(true),
    /** Which of its events block time: those marked busy, or those marked free as well. */
    blocks: text({ enum: ['busy', 'all_events'] })
      .notNull()
      .default('busy'),
    /** Whether it blocks the time of every host and event type, not of its member alone. */
    everybody: integer({ mode: 'boolean' }).notNull().default(false),
    /** The room or equipment whose time it blocks; null is its member's. */
    resourceId: text('resource_id'),
    /** Whether bookings of its member are written to it: one at most of a member's. */
    receivesBookings: integer('receives_bookings', { mode: 'boolean' }).notNull().default(false),
    /** The calendar's own zone, for its all-day and floating events; null where it names none. */
    timezone: text(),
    providerMetadata: text('provider_metadata', { mode: 'json' }).$type<ProviderMetadata>().notNull(),
    status: text({ enum: ['active', 'expired', 'revoked', 'error'] }).notNull(),
    syncStatus: text('sync_status', { enum: ['connected', 'syncing', 'error'] }).notNull(),
    syncError: text('sync_error'),
    syncCursor: text('sync_cursor'),
    /** Until when events are known; the window moves on with time. */
    syncedUntil: integer('synced_until').notNull().default(0),
    lastSyncAt: integer('last_sync_at'),
    /** When the sweep has it asked: after a failure, and some hours after all went well, in case its object forgot. */
    nextSyncAt: integer('next_sync_at').notNull(),
    /** Syncs that failed since the last success. */
    syncFailures: integer('sync_failures').notNull().default(0),
    /** Since when it cannot be read; null while it can. */
    failingAt: integer('failing_at'),
    /** When its members are notified that it is lost, unless it is synced before. */
    tellAt: integer('tell_at'),
    /** When refusals end it, unless it is read until then. */
    endsAt: integer('ends_at'),
    /** When the loss was reported; null while it is not lost. */
    lostAt: integer('lost_at'),
    /** When the next upcoming bookings are brought into it; null once all are. */
    bringAt: integer('bring_at'),
    connectedAt: integer('connected_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('calendar_connections_calendar').on(t.accountId, t.calendarId),
    index('calendar_connections_everybody').on(t.organizationId, t.isTest).where(sql`everybody`),
    index('calendar_connections_closing').on(t.id).where(sql`everybody`),
    uniqueIndex('calendar_connections_receiving').on(t.memberId, t.isTest).where(sql`receives_bookings`),
    index('calendar_connections_organization').on(t.organizationId, t.isTest, t.id),
    index('calendar_connections_member').on(t.memberId, t.isTest),
    index('calendar_connections_resource').on(t.resourceId).where(sql`resource_id IS NOT NULL`),
    index('calendar_connections_due').on(t.nextSyncAt).where(sql`status IN ('active', 'error')`),
    index('calendar_connections_tell').on(t.tellAt).where(sql`tell_at IS NOT NULL`),
    index('calendar_connections_end').on(t.endsAt).where(sql`ends_at IS NOT NULL`),
    index('calendar_connections_bring').on(t.bringAt).where(sql`bring_at IS NOT NULL`),
  ],
)

export type ConnectionRow = typeof calendarConnections.$inferSelect

/** A provider's notifications of changes: a channel at Google, a subscription at Microsoft. */
export const calendarChannels = sqliteTable(
  'calendar_channels',
  {
    /** What the provider names it in its notifications. */
    id: text().primaryKey(),
    connectionId: text('connection_id').notNull(),
    provider: text({ enum: ['calendar_a', 'calendar_b'] }).notNull(),
    /** What Google wants beside the id to stop it. */
    resourceId: text('resource_id'),
    /** What a notification must bring to be believed, hashed. */
    secretHash: text('secret_hash').notNull(),
    expiresAt: integer('expires_at').notNull(),
    renewAt: integer('renew_at').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('calendar_channels_connection').on(t.connectionId),
    index('calendar_channels_renewal').on(t.renewAt),
  ],
)

/** An `.ics` of bookings that anybody reads who knows its address, which is kept as a hash. */
export const calendarFeeds = sqliteTable(
  'calendar_feeds',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    /** The member whose bookings it lists; null for all of the organization. */
    memberId: text('member_id'),
    tokenHash: text('token_hash').notNull(),
    /** Its creator: a member, a key of the organization or the service key. */
    createdByType: text('created_by_type', { enum: ['member', 'api_key', 'service'] }).notNull(),
    createdById: text('created_by_id'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('calendar_feeds_token').on(t.tokenHash),
    index('calendar_feeds_organization').on(t.organizationId, t.id),
    index('calendar_feeds_member').on(t.memberId),
    index('calendar_feeds_created_by').on(t.createdById).where(sql`created_by_type = 'member'`),
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
 * The same, packed by fortnight since 1970, so that a question reads a few rows. A change of a fortnight makes `times`
 * null, and the end of the sync packs it again; in between it is read from the times themselves.
 */
export const packedBusyTimes = sqliteTable(
  'packed_busy_times',
  {
    connectionId: text('connection_id').notNull(),
    fortnight: integer().notNull(),
    times: text(),
  },
  (t) => [primaryKey({ columns: [t.connectionId, t.fortnight] })],
)

/**
 * A booking's event (or a session's) in one calendar. The batch that changes a booking creates the row and requests the write
 * (`wanted_revision`, `next_attempt_at`): see `bookings/follow-ups/statements.ts`.
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
    /** The calendar of the same account that its owner dragged it to; null while it is where it was written. */
    calendarId: text('calendar_id'),
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
    /** When its bookings are cancelled, because it was nowhere in the account; null once it is found. */
    cancelAt: integer('cancel_at'),
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
    index('calendar_writes_dragged').on(t.connectionId).where(sql`calendar_id IS NOT NULL`),
    // With the organization, so that `newestDueOf` reads no row of another one.
    index('calendar_writes_due')
      .on(t.nextAttemptAt, t.organizationId)
      .where(sql`next_attempt_at IS NOT NULL`),
  ],
)
