import { callForAllSince, endHandover } from '../../booking/bookings/follow-ups/statements.ts'
import { adoptConnections } from '../../calendars/statements.ts'
import { MINUTE_MS } from '../../core/time-units.ts'
import { copyPaymentsToBookings } from '../../money/payments/statements.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'

/** A Worker of the version before runs no longer than this after the migration. */
export const HANDOVER_MS = 10 * MINUTE_MS

/**
 * Calls for what a Worker of the version before left out: its changes relied on triggers that a migration took away, for
 * calendar events and meetings, and for what bookings show of their payments. A calendar that it connected gets an account.
 */
export async function makeUpFor(db: Db, since: number): Promise<void> {
  await commitBatch(db, [
    ...callForAllSince(db, since),
    copyPaymentsToBookings(db),
    ...adoptConnections(db),
    endHandover(db, since),
  ])
}
