import type { Booking } from '../../booking/bookings/schema.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import type { MemberRequest } from '../request.ts'

const TONES: Readonly<Record<string, string>> = {
  confirmed: 'good',
  rescheduled: 'good',
  pending_payment: 'warn',
  pending_approval: 'warn',
  cancelled: 'bad',
}

type Props = { readonly request: MemberRequest; readonly booking: Pick<Booking, 'status' | 'end_time'> }

/** How a booking stands. What is over is over, however it came to be. */
export function StatusBadge({ request, booking: { status, end_time } }: Props) {
  const texts = textsOf(request.page.locale, bookingsTexts)
  if (status === 'cancelled') return <span class="badge bad">{texts.cancelledStatus}</span>
  if (Date.parse(end_time) <= request.now) return <span class="badge">{texts.over}</span>
  return <span class={`badge ${TONES[status]}`}>{texts[status]}</span>
}
