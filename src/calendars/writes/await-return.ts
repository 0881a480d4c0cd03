import { MINUTE_MS } from '../../core/time-units.ts'
import { commitBatch } from '../../platform/db/client.ts'
import type { Attempt } from './attempt.ts'
import { cancelForOwner } from './cancel-for-owner.ts'
import type { Written } from './describe-event.ts'
import { endWrite } from './queries.ts'

/** Owners change their minds, and some programs move an event by deleting it before they write it elsewhere. */
const PATIENCE_MS = 10 * MINUTE_MS

/**
 * The event is in no calendar of the account. The first time only the next check is planned; if that finds nothing, the booking
 * is cancelled.
 */
export async function awaitReturn(attempt: Attempt, written: readonly Written[]): Promise<void> {
  const { db, write, now } = attempt
  if (write.cancelAt !== null && write.cancelAt <= now) return cancelForOwner(attempt, written)
  const cancelAt = write.cancelAt ?? now + PATIENCE_MS
  const suspectedAt = write.suspectedAt ?? now
  const waiting = { cancelAt, nextAttemptAt: cancelAt, suspectedAt, attempts: 0, lastError: null }
  await commitBatch(db, [endWrite(db, write, { ...waiting, status: 'pending' }, now)])
}
