import type { SQL } from 'drizzle-orm'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Db } from './client.ts'

/** What the database itself refuses: each is raised by a trigger or a named constraint in `migrations`. */
const FENCES = {
  SLOT_TAKEN: 'SLOT_TAKEN',
  HOLD_LENGTH: 'HOLD_LENGTH',
  CAP_REACHED: 'CAP_REACHED',
  PUBLIC_LIMIT: 'PUBLIC_LIMIT',
  PLAN_LIMIT: 'PLAN_LIMIT',
  SEATS_TAKEN: 'SEATS_TAKEN',
  STALE: 'STALE',
  BEING_DELETED: 'ORGANIZATION_DELETED',
  ENDPOINTS_FULL: 'ENDPOINTS_FULL',
  QUOTA_REACHED: 'CHECK constraint failed: booking_quota',
  KEY_IN_USE: 'UNIQUE constraint failed: idempotency_keys.',
  SLUG_TAKEN: 'UNIQUE constraint failed: event_types.',
  ORGANIZATION_SLUG_TAKEN: 'UNIQUE constraint failed: organizations.slug',
  OWNER_TAKEN: 'UNIQUE constraint failed: organizations.owner_user_id',
  SESSION_TAKEN: 'UNIQUE constraint failed: sessions.',
  HOST_TAKEN: 'UNIQUE constraint failed: event_type_hosts.',
  ALREADY_WAITING: "UNIQUE constraint failed: index 'waitlist_entries_waiting'",
  ACCOUNT_TAKEN: 'UNIQUE constraint failed: payment_accounts.',
  RECEIVING_TAKEN: 'UNIQUE constraint failed: calendar_connections.member_id',
  CALENDAR_TAKEN: 'UNIQUE constraint failed: calendar_',
  REFUND_KNOWN: 'UNIQUE constraint failed: refunds.',
  MEMBER_TAKEN: 'UNIQUE constraint failed: members.',
  INVITATION_PENDING: "UNIQUE constraint failed: index 'invitations_pending'",
} as const

export type Fence = keyof typeof FENCES

/**
 * Which fence an error came from, or null when it came from none. Drivers wrap what the database said, so the
 * whole chain of causes is read.
 */
export function fenceOf(error: unknown): Fence | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    for (const [fence, text] of Object.entries(FENCES)) {
      if (cause.message.includes(text)) return fence as Fence
    }
  }
  return null
}

/** A view, kept out of the generated migrations: see the hand-written one that makes it. */
const guard = sqliteTable('guard', { fence: text().notNull(), refused: integer().notNull() })

/** When a row changes: its `updated_at` grows with every change, so that it tells a changed row from the one read. */
export function laterThan(updatedAt: number, now: number): number {
  return Math.max(now, updatedAt + 1)
}

/** A statement that makes its whole batch fail with `fence` when `refused` holds at the moment of the commit. */
export function refuseWhen(
  db: Db,
  fence: 'CAP_REACHED' | 'PLAN_LIMIT' | 'PUBLIC_LIMIT' | 'STALE',
  refused: SQL,
) {
  return db.insert(guard).values({ fence, refused })
}
