import type { InviteeBooking } from '../../resources/bookings/get-for-invitee.ts'
import type { Page } from '../page.ts'

type Props = { readonly page: Page; readonly found: InviteeBooking; readonly token: string }

/** Whether it stands: one that is not paid yet may never be. */
export function isAgreed({ status }: InviteeBooking['booking']): boolean {
  return status !== 'pending_payment' && status !== 'cancelled'
}

/** Into the invitee's own calendar: as a file, or by a link that opens Google's with everything filled in. */
export function CalendarLinks({ page, found, token }: Props) {
  const { texts } = page.locale
  const { id } = found.booking
  return (
    <section class="links" aria-labelledby="add">
      <h2 id="add">{texts.addToCalendar}</h2>
      <a
        class="button soft-button"
        href={`/bookings/${id}/invite.ics?token=${encodeURIComponent(token)}`}
        download
      >
        {texts.downloadIcs}
      </a>
      <a class="button soft-button" href={googleLink(found)} target="_blank" rel="noreferrer noopener">
        {texts.googleCalendar}
      </a>
    </section>
  )
}

function googleLink({ booking, eventType, organization }: InviteeBooking): string {
  const compact = (time: string) => time.replace(/[-:]|\.\d{3}/g, '')
  const query = new URLSearchParams({
    action: 'TEMPLATE',
    text: `${eventType.title} · ${organization.name}`,
    dates: `${compact(booking.start_time)}/${compact(booking.end_time)}`,
    details: [booking.conferencing_url, booking.notes].filter(Boolean).join('\n'),
    location: booking.location ?? '',
  })
  return `https://calendar.google.com/calendar/render?${query}`
}
