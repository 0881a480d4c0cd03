import { recordActivity } from '../../outbox/activity/statements.ts'
import type { Origin, Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { BookedPayment } from '../../platform/db/schema/bookings.ts'
import type { AskedMs } from '../../platform/limits/clock.ts'
import { cancelUnpaid, guardNotProcessing } from './queries.ts'

/** For the batch that cancels an unpaid booking. The provider is called afterwards. */
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
