import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { OfSeries } from '../../platform/db/schema/records.ts'

/** The marks of the events of bookings that change together: the first event has the emails about all of them. */
export function marksOf(changed: readonly Pick<BookingRow, 'id'>[]): OfSeries[] {
  const ids = changed.map(({ id }) => id)
  return ids.map((_, at) => (at === 0 ? { series_bookings: ids } : { is_of_series: true }))
}
