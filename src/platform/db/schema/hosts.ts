import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** The members who host an event type. */
export const eventTypeHosts = sqliteTable(
  'event_type_hosts',
  {
    id: text().primaryKey(),
    eventTypeId: text('event_type_id').notNull(),
    memberId: text('member_id').notNull(),
    /** The holder of the time: the member, in every event type; a sandbox holds none of their real time. */
    resourceId: text('resource_id').notNull(),
    priority: integer().notNull(),
    weight: integer().notNull(),
    /** Whether they always take part, or are one to choose from. */
    part: text({ enum: ['pool', 'required'] })
      .notNull()
      .default('pool'),
    /** When they work here; null is the member's default schedule. */
    scheduleId: text('schedule_id'),
    /** How many bookings the host was given here, and when the last one; cancelled ones count. */
    totalBookings: integer('total_bookings').notNull().default(0),
    lastBookingAt: integer('last_booking_at'),
    /** Grows with every assignment of the event type, so that the order of assignments needs no clock. */
    lastAssignment: integer('last_assignment').notNull().default(0),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('event_type_hosts_member').on(t.eventTypeId, t.memberId),
    index('event_type_hosts_mark').on(t.eventTypeId, sql`substr(member_id, -8)`),
    index('event_type_hosts_resource').on(t.resourceId),
    index('event_type_hosts_memberships').on(t.memberId),
    index('event_type_hosts_required').on(t.eventTypeId).where(sql`part = 'required'`),
    index('event_type_hosts_schedule').on(t.scheduleId).where(sql`schedule_id IS NOT NULL`),
  ],
)

/** Members who were taken off an event type whose bookings may have several hosts. They are found by it. */
export const formerHosts = sqliteTable(
  'former_hosts',
  {
    eventTypeId: text('event_type_id').notNull(),
    memberId: text('member_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.eventTypeId, t.memberId] }), index('former_hosts_member').on(t.memberId)],
)
