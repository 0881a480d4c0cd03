import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A start of a series that was not booked, and why. */
export type SkippedStart = { readonly start_time: string; readonly code: string }

/** Bookings of one event type that were made together. Each of them names it, and changes alone. */
export const series = sqliteTable(
  'series',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    eventTypeId: text('event_type_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    skipped: text({ mode: 'json' }).$type<readonly SkippedStart[]>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    index('series_organization').on(t.organizationId, t.isTest, t.id),
    index('series_event_type').on(t.eventTypeId),
  ],
)

export type SeriesRow = typeof series.$inferSelect
