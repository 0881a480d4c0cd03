import { recordActivity } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import { SYSTEM } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { prepareBooking } from '../bookings/prepare-booking.ts'
import type { Promotion } from './choose-promotions.ts'
import { presentEntry } from './present.ts'
import { type EntryRow, endWaiting, selectWritten } from './queries.ts'

type Written = Pick<EntryRow, 'notes' | 'answers'>

/** The statements of promotions. The invitees' texts are read for these entries only. */
export async function preparePromotions(db: Db, promotions: readonly Promotion[], now: PresentMs) {
  if (promotions.length === 0) return []
  const rows = await selectWritten(
    db,
    promotions.map(({ entry }) => entry.id),
  )
  const written = new Map(rows.map(({ id, ...texts }) => [id, texts]))
  return promotions.map((promotion) => {
    // An entry that has ended is not booked: its guard refuses the batch.
    const texts = written.get(promotion.entry.id) ?? { notes: null, answers: null }
    return preparePromotion(db, promotion, texts, now)
  })
}

/** The booking like any other, the entry's end, and the events of both. */
function preparePromotion(
  db: Db,
  { entry, row, placement, schedule }: Promotion,
  written: Written,
  now: PresentMs,
) {
  const changes = {
    status: 'promoted' as const,
    promotedBookingId: row.id,
    promotedAt: now,
    updatedAt: now,
  }
  const booking = prepareBooking(db, schedule, placement, { ...row, ...written }, { origin: SYSTEM }, now)
  const data = presentEntry({ ...entry, ...written, ...changes }, 0)
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
