import { realNow } from '../../limits/clock.ts'
import type { Verb } from '../../turn/verb.ts'
import { dropTestPaymentsOf } from '../payments/statements.ts'
import { deleteTestBookingsOf } from './statements.ts'

export function deleteTestBookings(eventTypeId: string): Verb<readonly [], null> {
  return {
    eventTypeId,
    claim: null,
    now: realNow(),
    asks: () => [],
    decide: ({ db }) => ({
      status: 200,
      body: null,
      statements: [...dropTestPaymentsOf(db, eventTypeId), ...deleteTestBookingsOf(db, eventTypeId)],
    }),
  }
}
