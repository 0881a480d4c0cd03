import { type SQL, sql } from 'drizzle-orm'
import type { Db, Statement } from './client.ts'

/** What the database itself refuses, whoever asks: each is raised by a trigger or a named constraint in `migrations`. */
export const FENCES = {
  SLOT_TAKEN: 'SLOT_TAKEN',
  CAP_REACHED: 'CAP_REACHED',
  STALE: 'STALE',
  QUOTA_REACHED: 'CHECK constraint failed: booking_quota',
  KEY_IN_USE: 'UNIQUE constraint failed: idempotency_keys.',
  SLUG_TAKEN: 'UNIQUE constraint failed: event_types.',
  ORGANIZATION_SLUG_TAKEN: 'UNIQUE constraint failed: organizations.slug',
  OWNER_TAKEN: 'UNIQUE constraint failed: organizations.owner_user_id',
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

/** A statement that makes its whole batch fail with `fence` when `refused` holds at the moment of the commit. */
export function refuseWhen(db: Db, fence: 'CAP_REACHED' | 'STALE', refused: SQL): Statement {
  return db.run(sql`INSERT INTO guard (fence, refused) SELECT ${fence}, ${refused}`)
}
