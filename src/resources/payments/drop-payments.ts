import type { Db, Statement } from '../../db/client.ts'
import { deleteTestPaymentsOf } from './queries.ts'

/** For the batch that deletes the test bookings of an event type. */
export function dropTestPaymentsOf(db: Db, eventTypeId: string): Statement[] {
  return deleteTestPaymentsOf(db, eventTypeId)
}
