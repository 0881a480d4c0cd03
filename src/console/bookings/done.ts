import type { Booking } from '../../booking/bookings/schema.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { MemberRequest } from '../request.ts'

const DONE = ['moved', 'wasCancelled', 'refunded', 'left', 'booked'] as const
const FORMS_DONE = ['approved', 'declined', 'attended', 'joined', 'released'] as const

const CHANGES_DONE = [
  'movedQuietly',
  'wasCancelledQuietly',
  'edited',
  'resent',
  'handedOver',
  'handedOverQuietly',
  'eventRestored',
] as const

type Status = Booking['status']

/** What a booking that was just made still waits for. */
const NOT_YET: Readonly<Partial<Record<Status, 'bookedUnpaid' | 'bookedRequest'>>> = {
  pending_payment: 'bookedUnpaid',
  pending_approval: 'bookedRequest',
}

/** What was just done, as the address says after a form was sent; `status` is that of the booking it was done to. */
export function doneIn({ page }: MemberRequest, status?: Status): string | undefined {
  const said = page.url.searchParams.get('done')
  const notYet = said === 'booked' && status ? NOT_YET[status] : undefined
  if (notYet) return textsOf(page.locale, bookingsTexts)[notYet]
  const done = DONE.find((one) => one === said)
  if (done) return textsOf(page.locale, bookingsTexts)[done]
  const other = FORMS_DONE.find((one) => one === said)
  if (other) return textsOf(page.locale, bookingFormTexts)[other]
  const change = CHANGES_DONE.find((one) => one === said)
  return change && textsOf(page.locale, bookingChangeTexts)[change]
}
