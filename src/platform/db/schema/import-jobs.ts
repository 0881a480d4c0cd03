import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const IMPORT_SOURCES = ['calendly', 'calcom'] as const
export type ImportSource = (typeof IMPORT_SOURCES)[number]

export const IMPORT_STATUSES = ['running', 'done', 'failed', 'interrupted'] as const

export type Made = { readonly schedules: number; readonly event_types: number; readonly bookings: number }

/** Why something of another service was not made, with what the sentences need in any language. */
export type LeftOut = {
  readonly what: string
  /** What of it, and which one. */
  readonly part?: string
  readonly detail?: string
  readonly why: string
  readonly refusal?: {
    readonly code: string
    readonly reason: string
    readonly numbers?: unknown
    /** The first field with its problem. */
    readonly field?: readonly [name: string, problem: string]
  }
}

/** Imports from other services. The secret that one reads with is in the memory of its object only. */
export const importJobs = sqliteTable(
  'import_jobs',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    source: text({ enum: IMPORT_SOURCES }).notNull(),
    status: text({ enum: IMPORT_STATUSES }).notNull(),
    made: text({ mode: 'json' }).$type<Made>().notNull(),
    leftOut: text('left_out', { mode: 'json' }).$type<readonly LeftOut[]>().notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    finishedAt: integer('finished_at'),
  },
  (t) => [
    index('import_jobs_source').on(t.organizationId, t.source, t.createdAt),
    index('import_jobs_updated').on(t.updatedAt),
  ],
)

/** What was made from something of another service. It stays when that is changed or deleted here, so that it is made once. */
export const importedFrom = sqliteTable(
  'imported_from',
  {
    organizationId: text('organization_id').notNull(),
    /** The service, the kind and the id there, with slashes in between. */
    source: text().notNull(),
    /** The id here. */
    madeId: text('made_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.source] })],
)
