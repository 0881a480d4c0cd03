import type { Db } from '../../../db/client.ts'
import type { EventKind } from '../../../db/schema/records.ts'
import { type RecordedEvent, recordEvent } from '../../events/statements.ts'
import { presentPayment } from '../present.ts'
import type { ToldPayment } from '../statements.ts'

/** For the batch that changes a payment: tells of it as it is after that. */
export function paymentEvent(
  db: Db,
  kind: Extract<EventKind, `payment.${string}`>,
  after: ToldPayment,
): RecordedEvent {
  return recordEvent(db, after, { kind, data: presentPayment(after), revision: 1 })
}
