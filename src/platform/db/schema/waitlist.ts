import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { ShownPrice } from './bookings.ts'
import type { Place } from './event-types.ts'

export const waitlistEntries = sqliteTable(
  'waitlist_entries',
  {
    id: text().primaryKey(),
    /** The order of the event type's line: grows with each entry, independent of any clock. */
    place: integer().notNull().default(0),
    organizationId: text('organization_id').notNull(),
    eventTypeId: text('event_type_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    status: text({ enum: ['waiting', 'promoted', 'expired', 'cancelled'] }).notNull(),
    inviteeName: text('invitee_name').notNull(),
    inviteeEmail: text('invitee_email').notNull(),
    inviteeTimezone: text('invitee_timezone').notNull(),
    /** As in a booking. */
    zoneUnknown: integer('zone_unknown', { mode: 'boolean' }).notNull().default(false),
    inviteeLocale: text('invitee_locale').notNull().default('en'),
    notes: text(),
    /** As a booking has them: sealed, and null where nothing was asked. */
    answers: text(),
    /** Where they chose to meet, as the place was then, and the number to call; null without. The number is sealed. */
    meetsAt: text('meets_at', { mode: 'json' }).$type<Place>(),
    inviteePhone: text('invitee_phone'),
    smsConsent: integer('sms_consent', { mode: 'boolean' }).notNull().default(false),
    /** Null waits for any slot. */
    startTime: integer('start_time'),
    durationMinutes: integer('duration_minutes').notNull(),
    expiresAt: integer('expires_at').notNull(),
    /** The anonymous caller, as limits count them: a keyed hash of the address. */
    addressMark: text('address_mark'),
    /** What was shown when it was made: per seat, an amount of 0 is free. Null before prices were kept. */
    price: text({ mode: 'json' }).$type<ShownPrice>(),
    promotedBookingId: text('promoted_booking_id'),
    promotedAt: integer('promoted_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('waitlist_entries_status').on(t.organizationId, t.isTest, t.status, t.id),
    index('waitlist_entries_event_type').on(t.eventTypeId, t.status, t.id),
    index('waitlist_entries_line').on(t.eventTypeId, t.place).where(sql`status = 'waiting'`),
    index('waitlist_entries_slot').on(t.eventTypeId, t.startTime, t.place).where(sql`status = 'waiting'`),
    index('waitlist_entries_waiting_address')
      .on(t.eventTypeId, t.addressMark, t.expiresAt)
      .where(sql`status = 'waiting' AND address_mark IS NOT NULL`),
    index('waitlist_entries_promoted').on(t.promotedBookingId).where(sql`promoted_booking_id IS NOT NULL`),
    index('waitlist_entries_expiry').on(t.isTest, t.expiresAt, t.id).where(sql`status = 'waiting'`),
    index('waitlist_entries_expiry_sandbox')
      .on(t.organizationId, t.isTest, t.expiresAt)
      .where(sql`is_test = 1 AND status = 'waiting'`),
    // An address is on a waitlist once.
    uniqueIndex('waitlist_entries_waiting')
      .on(
        t.eventTypeId,
        sql`CASE WHEN start_time IS NULL THEN -1 ELSE start_time END`,
        sql`lower(invitee_email)`,
      )
      .where(sql`status = 'waiting'`),
  ],
)

/**
 * Time that was given up where somebody waits, until it has been offered to them. Triggers write it down with
 * whatever gives it up, so that nothing is lost when a process dies, nor while the plan, a suspension or an
 * inactive event type forbids any booking.
 */
export const freedTimes = sqliteTable(
  'freed_times',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    eventTypeId: text('event_type_id').notNull(),
    /** What gave it up: a booking, a session, or one change of what is offered. */
    source: text().notNull(),
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at').notNull(),
  },
  (t) => [index('freed_times_event_type').on(t.eventTypeId, t.id), index('freed_times_source').on(t.source)],
)

export type FreedRow = typeof freedTimes.$inferSelect
