import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { DayInterval } from './event-types.ts'

export type WeekRule = DayInterval & { readonly day_of_week: number }
export type DateOverride = { readonly date: string; readonly intervals: readonly DayInterval[] }

/** Working hours of their own: of a member, or of the organization. One row, however many days it names. */
export const schedules = sqliteTable(
  'schedules',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    /** Null is the organization's. */
    memberId: text('member_id'),
    name: text().notNull(),
    timezone: text().notNull(),
    rules: text({ mode: 'json' }).$type<readonly WeekRule[]>().notNull(),
    overrides: text({ mode: 'json' }).$type<readonly DateOverride[]>().notNull().default([]),
    /** Whether it is what the member works wherever nothing else is said; the organization's is that of its event types. */
    isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('schedules_organization').on(t.organizationId, t.isTest, t.id),
    index('schedules_member').on(t.memberId).where(sql`member_id IS NOT NULL`),
    uniqueIndex('schedules_default').on(t.memberId, t.isTest).where(sql`is_default = 1`),
    uniqueIndex('schedules_organization_default')
      .on(t.organizationId, t.isTest)
      .where(sql`is_default = 1 AND member_id IS NULL`),
  ],
)

/** When members are off, whatever hours they have. */
export const timeOff = sqliteTable(
  'time_off',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    memberId: text('member_id').notNull(),
    /** The room or equipment that is off; null where it is a member. */
    resourceId: text('resource_id'),
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at').notNull(),
    /** The dates that the instants were made of, in the member's zone, both included; null where instants were sent. */
    startDate: text('start_date'),
    endDate: text('end_date'),
    reason: text(),
    externalId: text('external_id'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('time_off_organization').on(t.organizationId, t.isTest, t.id),
    index('time_off_member').on(t.memberId, t.isTest, t.endsAt),
    uniqueIndex('time_off_external')
      .on(t.memberId, t.isTest, t.externalId)
      .where(sql`external_id IS NOT NULL`),
  ],
)

export type ScheduleRow = typeof schedules.$inferSelect
export type TimeOffRow = typeof timeOff.$inferSelect
