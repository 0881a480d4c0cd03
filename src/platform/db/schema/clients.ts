import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** The `next_at` of a client without an upcoming booking: no instant is later. */
export const NEVER = 8_640_000_000_000_000

/**
 * The people who book, by address or, without one, by a keyed hash of their phone number. Their numbers are counted behind the
 * bookings, as words of a search are; `last_at` and `next_at` are as of some moment and corrected when they are read.
 */
export const clients = sqliteTable(
  'clients',
  {
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    /** The address in lower case, or the hash of the number, which has no `@`. */
    contact: text().notNull(),
    id: text().notNull(),
    name: text().notNull(),
    /** What the list is sorted by. */
    sortName: text('sort_name').notNull(),
    /** The words of the name and the address, each after a space. */
    words: text().notNull(),
    /** E.164, sealed as answers are. */
    phone: text(),
    /** A keyed hash of the number, by which it is found. */
    phoneMark: text('phone_mark'),
    /** The newest booking, from which the name is. */
    namedBy: text('named_by').notNull().default(''),
    bookings: integer().notNull().default(0),
    cancelled: integer().notNull().default(0),
    noShows: integer('no_shows').notNull().default(0),
    /** The start of the last booking that began; 0 without one. */
    lastAt: integer('last_at').notNull().default(0),
    nextAt: integer('next_at').notNull().default(NEVER),
    /** What members noted, sealed as answers are. */
    notes: text(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.isTest, t.contact] }),
    uniqueIndex('clients_id').on(t.id),
    index('clients_name').on(t.organizationId, t.isTest, t.sortName, t.id),
    index('clients_last').on(t.organizationId, t.isTest, t.lastAt, t.id),
    index('clients_next').on(t.organizationId, t.isTest, t.nextAt, t.id),
    index('clients_bookings').on(t.organizationId, t.isTest, t.bookings, t.id),
    // Kept for what was noted about them: no booking leads to them.
    index('clients_unbooked').on(t.organizationId, t.isTest).where(sql`bookings + cancelled <= 0`),
    index('clients_phone').on(t.phoneMark, t.organizationId, t.isTest).where(sql`phone_mark IS NOT NULL`),
  ],
)

/** What was counted of a booking, and for which client. */
export const clientBookings = sqliteTable(
  'client_bookings',
  {
    bookingId: text('booking_id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    contact: text().notNull(),
    isCancelled: integer('is_cancelled', { mode: 'boolean' }).notNull(),
    startTime: integer('start_time').notNull(),
    noShow: integer('no_show', { mode: 'boolean' }).notNull(),
  },
  (t) => [
    index('client_bookings_start').on(t.organizationId, t.isTest, t.contact, t.isCancelled, t.startTime),
  ],
)

/**
 * Clients by each of their words, which only the Worker before writes and reads: the words of their bookings find them. It goes
 * with the next release.
 */
export const clientWords = sqliteTable(
  'client_words',
  {
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    word: text().notNull(),
    contact: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.isTest, t.word, t.contact] })],
)

export type ClientRow = typeof clients.$inferSelect
export type ClientBookingRow = typeof clientBookings.$inferSelect
