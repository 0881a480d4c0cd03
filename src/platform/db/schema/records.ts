import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AssignedHost } from './assigned-host.ts'
import type { eventTypes } from './event-types.ts'

export const EVENT_KINDS = [
  'booking.created',
  'booking.requested',
  'booking.confirmed',
  'booking.cancelled',
  'booking.rescheduled',
  'booking.reassigned',
  'booking.updated',
  'booking.out_of_sync',
  'booking.attendance',
  'series.created',
  'waitlist.promoted',
  'waitlist.expired',
  'calendar.disconnected',
  'calendar.restored',
  'payment.refunded',
  'payment.disputed',
  'member.removed',
  'import.finished',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

export type Previous = {
  readonly start_time: string
  readonly end_time: string
  /** Why it was moved, and from whom. */
  readonly reason?: string | null
  readonly host_id?: string | null
  /** Its other hosts; left out if it had none. */
  readonly co_host_ids?: readonly string[]
  /** Of a hand-over: the host with the booking now. */
  readonly taker_id?: string
}

/** What endpoints and the feed get beside `data`, by kind. */
export type Beside = {
  /** The names of the fields that changed. */
  readonly changed?: readonly string[]
  /** The host who gave a booking up. */
  readonly previous_host?: AssignedHost | null
  /** The upcoming bookings that have no host since a member left. */
  readonly unassigned?: readonly string[]
  /** The time of an event in a calendar that is not that of its booking. */
  readonly event_start?: string
  readonly event_end?: string
  /** Why a waitlist entry ended early; endpoints know it as `reason`. */
  readonly end_reason?: SessionEnd
}

/** What happened to the session that a waitlist entry waited for. */
export type SessionEnd = 'session_moved' | 'session_cancelled'

/** The member who made a booking; left out of those that others made. */
export type MadeBy = { readonly maker_id?: string }

/** A change of a whole session has an event for each booking, and one email for each member: with the first event. */
export type OfSession = {
  /** How many bookings changed; set for the first event. */
  readonly session_bookings?: number
  /** Set for the other events. */
  readonly is_of_session?: true
}

/** Bookings of a series that change together have an event each, and one email for each person: with the first event. */
export type OfSeries = {
  /** The bookings that changed, in the order of their starts; set for the event with the emails. */
  readonly series_bookings?: readonly string[]
  /** Set for the other events. */
  readonly is_of_series?: true
}

/** Set for the last of many bookings that follow their event type to another place: when it is handled, the next ones do. */
export type Follows = {
  readonly follows?: {
    readonly from: Pick<
      typeof eventTypes.$inferSelect,
      'conferencingProvider' | 'customMeetingUrl' | 'location'
    >
    readonly by: Pick<typeof activity.$inferSelect, 'actorType' | 'actorId' | 'requestId'>
  }
}

export type Left = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly timezone: string
}

/** Everything that an event says besides its `data`. */
type Surroundings = Partial<Previous> &
  Beside &
  OfSession &
  OfSeries &
  Follows &
  MadeBy & {
    /** Its caller wanted no emails to invitees, attendees and guests. */
    readonly is_quiet?: true
    /** Whether everybody in the booking gets an email about the change. */
    readonly is_emailed?: boolean
    /** The people who were in the booking before and are no more. */
    readonly left?: readonly Left[]
  }

/** The outbox: what happened, in order, written by the batch that made it happen. */
export const events = sqliteTable(
  'events',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    sequence: integer().notNull(),
    kind: text({ enum: EVENT_KINDS }).notNull(),
    data: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** How often what it happened to had changed by then; calendars call it SEQUENCE. */
    revision: integer().notNull().default(1),
    /** The values before the change and more about it; endpoints get `Beside` and the times, emails need the rest. */
    previous: text({ mode: 'json' }).$type<Surroundings>(),
    createdAt: integer('created_at').notNull(),
    /** When everything that follows from it was enqueued; null until then. */
    handledAt: integer('handled_at'),
    /** When the sweep last enqueued it again, and the earliest time of the next try; null until it does. */
    retryAt: integer('retry_at'),
    /** Until then a process has a lease to send its emails, which marks it as handled; null without a lease. */
    claimedUntil: integer('claimed_until'),
    /** Recipients whose emails were over that day's limit. */
    heldBack: text('held_back', { mode: 'json' }).$type<readonly string[]>(),
  },
  (t) => [
    uniqueIndex('events_sequence').on(t.organizationId, t.isTest, t.sequence),
    index('events_unhandled').on(sql`coalesce(retry_at, created_at)`, t.id).where(sql`handled_at IS NULL`),
  ],
)

export type EventRow = typeof events.$inferSelect

/**
 * The last sequence of an event that is there no more, live and test apart: an event takes the one after that and after
 * all that are there, so that each side reads a feed without gaps.
 */
export const eventSequences = sqliteTable(
  'event_sequences',
  {
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    last: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.isTest] })],
)

export const RESOURCE_TYPES = [
  'api_key',
  'booking',
  'branding',
  'email_text',
  'calendar_connection',
  'calendar_feed',
  'conferencing_connection',
  'event_type',
  'hold',
  'invitation',
  'member',
  'organization',
  'payment',
  'payment_account',
  'resource',
  'client',
  'schedule',
  'subscription',
  'support_request',
  'time_off',
  'waitlist_entry',
  'webhook_delivery',
  'webhook_endpoint',
] as const

export const activity = sqliteTable(
  'activity',
  {
    id: text().notNull(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    actorType: text('actor_type', { enum: ['api_key', 'service', 'user', 'invitee', 'system'] }).notNull(),
    actorId: text('actor_id'),
    action: text().notNull(),
    resourceType: text('resource_type', { enum: RESOURCE_TYPES }).notNull(),
    resourceId: text('resource_id'),
    changes: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    ipAddress: text('ip_address'),
    requestId: text('request_id'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.isTest, t.id] }),
    index('activity_action').on(t.organizationId, t.isTest, t.resourceType, t.action, t.id),
    index('activity_resource').on(t.resourceId, t.id).where(sql`resource_id IS NOT NULL`),
  ],
)

/** From which entry on the log of a tenant may hold network addresses; none where it holds no entry with one. */
export const loggedAddresses = sqliteTable(
  'logged_addresses',
  {
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    firstId: text('first_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.isTest] }),
    index('logged_addresses_first_id').on(t.firstId),
  ],
)

/** First answers of requests that carried an Idempotency-Key; the answer is sealed, for it may hold secrets. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    scope: text().notNull(),
    key: text().notNull(),
    requestHash: text('request_hash').notNull(),
    status: integer().notNull(),
    answer: text().notNull(),
    expiresAt: integer('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.key] }), index('idempotency_keys_expiry').on(t.expiresAt)],
)

/** How far sweeps are: when the last one ended, and when the last reminder that was enqueued is due, with its booking. */
export const sweeps = sqliteTable('sweeps', {
  name: text({ enum: ['sweep'] }).primaryKey(),
  endedAt: integer('ended_at').notNull(),
  lastDueAt: integer('last_due_at'),
  lastId: text('last_id'),
})

/** When the operator was last notified of a fault of the deployment itself, such as an expired client secret. */
export const operatorNotices = sqliteTable('operator_notices', {
  subject: text().primaryKey(),
  toldAt: integer('told_at').notNull(),
})
