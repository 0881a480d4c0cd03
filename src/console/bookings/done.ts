import { bookingFormTexts } from '../../i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../i18n/console/bookings.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import type { Visit } from '../visit.ts'

const DONE = ['moved', 'wasCancelled', 'refunded', 'left', 'booked'] as const
const FORMS_DONE = ['approved', 'declined', 'attended', 'joined', 'released'] as const

/** What was just done, as the address says after a form was sent. */
export function doneIn({ page }: Visit): string | undefined {
  const said = page.url.searchParams.get('done')
  const done = DONE.find((one) => one === said)
  if (done) return textsOf(page.locale, bookingsTexts)[done]
  const other = FORMS_DONE.find((one) => one === said)
  return other && textsOf(page.locale, bookingFormTexts)[other]
}
