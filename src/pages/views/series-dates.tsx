import type { Booking } from '../../booking/bookings/schema.ts'
import { fullDayText, spanText, zoneText } from '../../platform/i18n/format.ts'
import type { Page } from '../page.ts'

type Props = {
  readonly page: Page
  readonly bookings: readonly Pick<Booking, 'id' | 'status' | 'start_time' | 'end_time'>[]
  readonly zone: string
}

/** The dates of a series, where its bookings are now; cancelled ones are struck through. */
export function SeriesDates({ page: { locale }, bookings, zone }: Props) {
  return (
    <ol class="dates">
      {bookings.map(({ id, status, start_time, end_time }) => {
        const [start, end] = [Date.parse(start_time), Date.parse(end_time)]
        return (
          <li key={id}>
            <span class={status === 'cancelled' ? 'struck' : undefined}>
              <strong>{fullDayText(locale, start, zone)}</strong>
              <br />
              {spanText(locale, start, end, zone)}, {zoneText(locale, start, zone)}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
