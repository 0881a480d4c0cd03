import type { Verb } from '../../engine/turn/verb.ts'
import { dropTestPaymentsOf } from '../../money/payments/statements.ts'
import { realNow } from '../../platform/limits/clock.ts'
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
