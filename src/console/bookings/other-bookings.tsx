import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownSpanText } from '../../platform/i18n/format.ts'
import type { MemberRequest } from '../request.ts'
import type { Shown } from './shown-booking.ts'
import { StatusBadge } from './status-badge.tsx'

type Props = { readonly request: MemberRequest; readonly booking: Pick<Shown, 'invitee_email' | 'history'> }

/** Other bookings of the same person. */
export function OtherBookings({ request, booking }: Props) {
  const { page, zone } = request
  const { invitee_email, history } = booking
  const { others } = history
  const texts = textsOf(page.locale, bookingChangeTexts)
  if (others.length === 0) return null
  return (
    <section class="panel">
      <h2>{texts.others}</h2>
      <ul class="rows">
        {others.map(({ id, startTime, endTime, status }) => (
          <li key={id}>
            <a class="row-link" href={`/console/bookings/${id}`}>
              {ownSpanText(page.locale, startTime, endTime, zone)}
            </a>
            <div class="row-end">
              <StatusBadge
                request={request}
                booking={{ status, end_time: new Date(endTime).toISOString() }}
              />
            </div>
          </li>
        ))}
      </ul>
      <p>
        <a href={`/console/bookings?q=${encodeURIComponent(invitee_email ?? '')}`}>{texts.allOthers}</a>
      </p>
    </section>
  )
}
