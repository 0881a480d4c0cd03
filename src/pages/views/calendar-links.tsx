import type { InviteeBooking } from '../../booking/bookings/get-for-invitee.ts'
import { phonePlace } from '../../booking/bookings/meeting-facts.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import type { Page } from '../page.ts'

type Props = { readonly page: Page; readonly found: InviteeBooking; readonly token: string }

/** Whether it stands: one that is not paid yet may never be. */
export function isAgreed({ status }: InviteeBooking['booking']): boolean {
  return status !== 'pending_payment' && status !== 'pending_approval' && status !== 'cancelled'
}

/** Into the invitee's own calendar: as a file, or by a link that opens one with everything filled in. */
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
      {(
        [
          [texts.googleCalendar, googleLink(page.locale, found)],
          ['Outlook.com', outlookLink(page.locale, 'outlook.live.com', found)],
          ['Microsoft 365', outlookLink(page.locale, 'outlook.office.com', found)],
        ] as const
      ).map(([name, href]) => (
        <a key={name} class="button soft-button" href={href} target="_blank" rel="noreferrer noopener">
          {name}
          <span class="unseen"> ({texts.opensNewTab})</span>
        </a>
      ))}
    </section>
  )
}

function outlookLink(
  locale: Locale,
  host: string,
  { booking, eventType, organization }: InviteeBooking,
): string {
  const query = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: `${eventType.title} · ${organization.name}`,
    startdt: booking.start_time,
    enddt: booking.end_time,
    body: [booking.conferencing_url, booking.notes].filter(Boolean).join('\n'),
    location: placeText(locale, booking),
  })
  // Outlook takes a plus sign for itself.
  return `https://${host}/calendar/0/deeplink/compose?${query.toString().replaceAll('+', '%20')}`
}

function googleLink(locale: Locale, { booking, eventType, organization }: InviteeBooking): string {
  const compact = (time: string) => time.replace(/[-:]|\.\d{3}/g, '')
  const query = new URLSearchParams({
    action: 'TEMPLATE',
    text: `${eventType.title} · ${organization.name}`,
    dates: `${compact(booking.start_time)}/${compact(booking.end_time)}`,
    details: [booking.conferencing_url, booking.notes].filter(Boolean).join('\n'),
    location: placeText(locale, booking),
  })
  return `https://calendar.google.com/calendar/render?${query}`
}

function placeText(locale: Locale, { location, place }: InviteeBooking['booking']): string {
  return location ?? phonePlace(locale, place) ?? ''
}
