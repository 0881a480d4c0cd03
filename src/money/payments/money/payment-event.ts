import { type RecordedEvent, recordEvent } from '../../../outbox/events/statements.ts'
import type { Db } from '../../../platform/db/client.ts'
import type { EventKind } from '../../../platform/db/schema/records.ts'
import { presentPayment } from '../present.ts'
import type { PaymentWithDispute } from '../statements.ts'

/** For the batch that changes a payment: the event shows the payment as it is afterwards. */
export function paymentEvent(
  db: Db,
  kind: Extract<EventKind, `payment.${string}`>,
  after: PaymentWithDispute,
): RecordedEvent {
  return recordEvent(db, after, { kind, data: presentPayment(after), revision: 1 })
}
