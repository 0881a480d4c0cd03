import { commitBatch, openDb } from '../../db/client.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { dropTestPaymentsOf } from '../payments/drop-payments.ts'
import { deleteTestBookingsOf } from './queries.ts'

/** Runs in the event type's object, which then remembers nothing of them. */
export async function deleteTestBookings({ env, memory }: Workplace, eventTypeId: string): Promise<void> {
  try {
    const db = openDb(env, 'decide')
    await commitBatch(db, [...dropTestPaymentsOf(db, eventTypeId), ...deleteTestBookingsOf(db, eventTypeId)])
  } finally {
    memory.forget()
  }
}
