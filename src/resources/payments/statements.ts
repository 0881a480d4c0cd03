import { and, eq, inArray } from 'drizzle-orm'
import type { Db, Statement } from '../../db/client.ts'
import { preparedStatement } from '../../db/prepared.ts'
import { payments, refunds } from '../../db/schema/payments.ts'

export function selectPayment(db: Db, id: string) {
  return db.select().from(payments).where(eq(payments.id, id))
}

/** For the batch that deletes the test bookings of an event type. */
export function dropTestPaymentsOf(db: Db, eventTypeId: string): Statement[] {
  const isTheirs = and(eq(payments.eventTypeId, eventTypeId), eq(payments.isTest, true))
  const theirs = db.select({ id: payments.id }).from(payments).where(isTheirs)
  return [db.delete(refunds).where(inArray(refunds.paymentId, theirs)), db.delete(payments).where(isTheirs)]
}

const tell = preparedStatement<readonly [paymentId: string]>(
  `UPDATE bookings SET payment = json_set(payment, '$.status', (SELECT status FROM payments WHERE id = ?1))
   WHERE id = (SELECT booking_id FROM payments WHERE id = ?1)`,
)

/** After the status of a payment changed: its booking shows it. */
export function tellBooking(db: Db, paymentId: string): Statement {
  return tell(db, paymentId)
}

const tellAll = preparedStatement<readonly []>(
  `UPDATE bookings SET payment = json_set(payment, '$.status', p.status)
   FROM payments p WHERE p.booking_id = bookings.id AND p.status <> json_extract(bookings.payment, '$.status')`,
)

/** After the status of payments may have changed without a word to their bookings. */
export function tellAllBookings(db: Db): Statement {
  return tellAll(db)
}
