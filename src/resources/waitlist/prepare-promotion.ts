import { SYSTEM } from '../../auth/caller.ts'
import type { Db } from '../../db/client.ts'
import type { PresentMs } from '../../limits/clock.ts'
import { recordActivity } from '../activity/statements.ts'
import { prepareBooking } from '../bookings/prepare-booking.ts'
import { recordEvent } from '../events/statements.ts'
import type { Promotion } from './choose-promotions.ts'
import { presentEntry } from './present.ts'
import { endWaiting } from './queries.ts'

/** Everything that a promotion writes: the booking like any other, the entry's end, and the events of both. */
export function preparePromotion(db: Db, { entry, row, placement, schedule }: Promotion, now: PresentMs) {
  const changes = {
    status: 'promoted' as const,
    promotedBookingId: row.id,
    promotedAt: now,
    updatedAt: now,
  }
  const booking = prepareBooking(db, schedule, placement, row, SYSTEM, now)
  const data = presentEntry({ ...entry, ...changes }, 0)
  const event = recordEvent(db, entry, { kind: 'waitlist.promoted', data, revision: 1 })
  const statements = [
    ...endWaiting(db, entry.id, changes),
    ...booking.statements,
    recordActivity(db, entry, SYSTEM, {
      action: 'waitlist.promoted',
      resourceType: 'waitlist_entry',
      resourceId: entry.id,
      changes: { status: ['waiting', 'promoted'], booking_id: row.id },
    }),
    ...event.statements,
  ]
  return { statements, eventIds: [booking.eventId, event.id] }
}
