import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const RESOURCE_KINDS = ['room', 'equipment', 'other'] as const

/** Rooms, equipment and whatever else a booking needs units of, numbered from 1. */
export const resources = sqliteTable(
  'resources',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    name: text().notNull(),
    kind: text({ enum: RESOURCE_KINDS }).notNull(),
    quantity: integer().notNull(),
    /** The hours in which its units can be used; null is always. */
    scheduleId: text('schedule_id'),
    notes: text(),
    active: integer({ mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('resources_organization').on(t.organizationId, t.isTest, t.id),
    index('resources_schedule').on(t.scheduleId).where(sql`schedule_id IS NOT NULL`),
  ],
)

export type ResourceRow = typeof resources.$inferSelect

/** Which event types require a resource: triggers on `event_types` keep it. */
export const eventTypeRooms = sqliteTable(
  'event_type_rooms',
  {
    eventTypeId: text('event_type_id').notNull(),
    resourceId: text('resource_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.eventTypeId, t.resourceId] }),
    index('event_type_rooms_resource').on(t.resourceId),
  ],
)
