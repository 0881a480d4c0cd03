import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { AssignedHost } from './assigned-host.ts'
import type { HeldUnit, ShownPrice } from './bookings.ts'

/**
 * Time, a seat and a place in the cap that are taken until a deadline. A requested hold ends as a booking, is released, or
 * expires at its deadline by the clock alone. Triggers keep its rows in `holds` and its seats up to date. A pending booking has
 * one too, until whose deadline its time, seats and place are its own: under the booking's id while it waits for an approval,
 * and under its payment's id while it waits for a payment.
 */
export const slotHolds = sqliteTable(
  'slot_holds',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    eventTypeId: text('event_type_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    /** What it waits for: to be confirmed, or for the payment or the approval of its booking. */
    purpose: text({ enum: ['hold', 'payment', 'approval'] }).notNull(),
    /** `held` is `expired` once its deadline has passed, also while nobody has written that down. */
    status: text({ enum: ['held', 'confirmed', 'released', 'expired'] }).notNull(),
    startTime: integer('start_time').notNull(),
    endTime: integer('end_time').notNull(),
    seats: integer().notNull(),
    assignedHostId: text('assigned_host_id'),
    /** Whether the host was chosen by name. */
    hostChosen: integer('host_chosen', { mode: 'boolean' }).notNull().default(false),
    assignedHost: text('assigned_host', { mode: 'json' }).$type<AssignedHost>(),
    /** As those of a booking. */
    coHosts: text('co_hosts', { mode: 'json' }).$type<readonly AssignedHost[]>(),
    sessionId: text('session_id'),
    calendarConnectionId: text('calendar_connection_id'),
    busyAsOf: integer('busy_as_of'),
    /** The units that it holds; null without any. */
    resources: text({ mode: 'json' }).$type<readonly HeldUnit[]>(),
    /** The members whose figures will count the booking, and whether it is their turn in the order of assignments. */
    creditedIds: text('credited_ids', { mode: 'json' }).$type<readonly string[]>().notNull(),
    isAssignment: integer('is_assignment', { mode: 'boolean' }).notNull(),
    metadata: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** What was shown when it was made: per seat, an amount of 0 is free. Null before prices were kept. */
    price: text({ mode: 'json' }).$type<ShownPrice>(),
    bookingId: text('booking_id'),
    /** By what its token is found. */
    tokenHash: text('token_hash'),
    /** The anonymous caller, as limits count them: a keyed hash of the network. */
    networkMark: text('network_mark'),
    expiresAt: integer('expires_at').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('slot_holds_organization').on(t.organizationId, t.isTest, t.id),
    index('slot_holds_event_type')
      .on(t.eventTypeId, t.expiresAt)
      .where(sql`status = 'held' OR (status = 'expired' AND purpose <> 'hold')`),
    index('slot_holds_test').on(t.eventTypeId).where(sql`is_test = 1`),
    index('slot_holds_session').on(t.sessionId).where(sql`session_id IS NOT NULL AND status = 'held'`),
    index('slot_holds_network')
      .on(t.organizationId, t.isTest, t.networkMark)
      .where(sql`status = 'held' AND network_mark IS NOT NULL`),
    index('slot_holds_due').on(t.isTest, t.expiresAt, t.id).where(sql`status = 'held'`),
    index('slot_holds_undecided')
      .on(t.isTest, t.expiresAt, t.id)
      .where(sql`purpose = 'approval' AND status IN ('held', 'expired')`),
    index('slot_holds_due_sandbox')
      .on(t.organizationId, t.isTest, t.expiresAt)
      .where(sql`is_test = 1 AND purpose = 'hold' AND status = 'held'`),
    index('slot_holds_undecided_sandbox')
      .on(t.organizationId, t.isTest, t.expiresAt, t.id)
      .where(sql`is_test = 1 AND purpose = 'approval' AND status IN ('held', 'expired')`),
    index('slot_holds_over').on(t.expiresAt).where(sql`status <> 'held'`),
    index('slot_holds_booking').on(t.bookingId).where(sql`booking_id IS NOT NULL`),
    uniqueIndex('slot_holds_token').on(t.tokenHash).where(sql`status = 'held' AND token_hash IS NOT NULL`),
  ],
)

export type SlotHoldRow = typeof slotHolds.$inferSelect
