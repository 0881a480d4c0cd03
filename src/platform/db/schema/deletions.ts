import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Organizations that will be deleted. Until `deletesAt` nothing is deleted and the deletion can be withdrawn; from `begunAt` on
 * their rows are deleted in batches. The row itself goes last.
 */
export const deletions = sqliteTable(
  'deletions',
  {
    organizationId: text('organization_id').primaryKey(),
    /** `closed` calls its bookings off before; `moved` leaves them alone, for they live on at another deployment. */
    kind: text({ enum: ['closed', 'moved'] }).notNull(),
    requestedAt: integer('requested_at').notNull(),
    deletesAt: integer('deletes_at').notNull(),
    /** Since when it was suspended before that; null where it was not, or where it moved. */
    suspendedBefore: integer('suspended_before'),
    /** When the sweep looks at it next. */
    nextAt: integer('next_at').notNull(),
    begunAt: integer('begun_at'),
    /** What the operator wants the owner cannot take back. */
    requestedBy: text('requested_by', { enum: ['owner', 'operator'] })
      .notNull()
      .default('operator'),
  },
  (t) => [index('deletions_due').on(t.nextAt, t.organizationId)],
)
