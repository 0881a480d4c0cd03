import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { EVENT_KINDS, type EventKind } from './records.ts'

/** Where an organization wants its events sent. Both secrets are sealed. */
export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    url: text().notNull(),
    events: text({ mode: 'json' }).$type<readonly (EventKind | '*')[]>().notNull(),
    /** The owner's own words. */
    description: text(),
    secret: text().notNull(),
    /** Signs beside the new one until it expires. */
    previousSecret: text('previous_secret'),
    previousSecretExpiresAt: integer('previous_secret_expires_at'),
    active: integer({ mode: 'boolean' }).notNull(),
    verificationStatus: text('verification_status', { enum: ['pending', 'verified', 'failed'] }).notNull(),
    verifiedAt: integer('verified_at'),
    verificationLastError: text('verification_last_error'),
    /** Failed deliveries since the last one that arrived. */
    consecutiveFailures: integer('consecutive_failures').notNull().default(0),
    suspendedAt: integer('suspended_at'),
    /** The challenges that count towards the hourly limit. */
    challengedAt: text('challenged_at', { mode: 'json' }).$type<number[]>().notNull().default([]),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [index('webhook_endpoints_organization').on(t.organizationId, t.isTest, t.id)],
)

/**
 * A delivery of one event to one endpoint. The id of the first one is made of both, so that there is one only. The payload is
 * stored as it is sent: what is signed never changes.
 */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    endpointId: text('endpoint_id').notNull(),
    eventId: text('event_id').notNull(),
    eventKind: text('event_kind', { enum: EVENT_KINDS }).notNull(),
    payload: text().notNull(),
    status: text({ enum: ['pending', 'success', 'failed', 'retried'] }).notNull(),
    attempts: integer().notNull().default(0),
    lastAttemptAt: integer('last_attempt_at'),
    responseStatusCode: integer('response_status_code'),
    responseBody: text('response_body'),
    /** When it is due; it stays while an attempt runs, so that a claim changes no index. Null when it is over. */
    nextRetryAt: integer('next_retry_at'),
    /** When the sweep enqueues this attempt once more; null until it was enqueued. */
    tellAgainAt: integer('tell_again_at'),
    /** The failed delivery that this one repeats. */
    retryOf: text('retry_of'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    // Pending deliveries are in one of two indexes, so that each sweep reads only those that are due to be enqueued.
    index('webhook_deliveries_pending')
      .on(t.nextRetryAt)
      .where(sql`status = 'pending' AND tell_again_at IS NULL`),
    index('webhook_deliveries_told')
      .on(t.tellAgainAt, t.id)
      .where(sql`status = 'pending' AND tell_again_at IS NOT NULL`),
    index('webhook_deliveries_status').on(t.endpointId, t.status, t.id),
    index('webhook_deliveries_sandbox').on(t.organizationId).where(sql`is_test = 1`),
  ],
)
