import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The words by which bookings are found: names and addresses of their people, by the first two characters of a word. A row has
 * the lines of many bookings, so that a search reads few rows. A line may be outdated; the booking decides.
 */
export const bookingWords = sqliteTable(
  'booking_words',
  {
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    bucket: text().notNull(),
    part: integer().notNull(),
    lines: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.isTest, t.bucket, t.part] })],
)

/** Up to which event the words are complete. Without a row: no event yet. */
export const bookingSearches = sqliteTable(
  'booking_searches',
  {
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    sequence: integer().notNull(),
    /** The last booking whose words were added while existing ones are read, with its status; empty before the first. */
    filledTo: text('filled_to'),
    /** How texts are divided into the words that are stored. */
    version: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.isTest] }),
    index('booking_searches_filling').on(t.organizationId, t.isTest).where(sql`filled_to IS NOT NULL`),
  ],
)
