import type { Origin, Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import type { BookedPayment } from '../../db/schema/bookings.ts'
import type { AskedMs } from '../../limits/clock.ts'
import { recordActivity } from '../activity/statements.ts'
import { cancelUnpaid, guardNotProcessing } from './queries.ts'

/** For the batch that cancels an unpaid booking. The provider is told after it. */
export function giveUpPayment(
  db: Db,
  tenant: Tenant,
  { id, status }: BookedPayment,
  { origin, now }: { readonly origin: Origin; readonly now: AskedMs },
): Statement[] {
  return [
    // Whether it is given up at all depends on that.
    ...(status === 'processing' ? [] : [guardNotProcessing(db, id)]),
    ...cancelUnpaid(db, id, tenant.isTest ? null : Date.now(), now),
    recordActivity(db, tenant, origin, {
      action: 'payment.cancelled',
      resourceType: 'payment',
      resourceId: id,
      changes: { status: [status, 'cancelled'] },
    }),
  ]
}
