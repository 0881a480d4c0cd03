import type { Origin } from '../../platform/auth/caller.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { SeriesRow } from '../../platform/db/schema/series.ts'
import { presentTo } from '../bookings/present.ts'
import type { Series } from './schema.ts'

type Reader = Pick<Origin, 'actorType'>

/**
 * The bookings that a reader sees. The series' token belongs to its first address: a booking that went to another one is no
 * longer part of it.
 */
export function seenBy({ actorType }: Reader, bookings: readonly BookingRow[]): readonly BookingRow[] {
  return actorType === 'invitee' ? bookings.filter(({ addressVersion }) => addressVersion === 0) : bookings
}

export function presentSeries(
  reader: Reader,
  { id, eventTypeId, skipped }: SeriesRow,
  bookings: readonly BookingRow[],
): Series {
  return {
    id,
    event_type_id: eventTypeId,
    bookings: seenBy(reader, bookings).map((row) => presentTo(reader, row)),
    skipped: [...skipped] as Series['skipped'],
  }
}
