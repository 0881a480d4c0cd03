import type { ComponentChildren } from 'preact'
import { fullDayText, timeText } from '../../i18n/format.ts'
import { fill } from '../../i18n/plural.ts'
import type { InviteeBooking } from '../../resources/bookings/get-for-invitee.ts'
import type { Page } from '../page.ts'
import { Brand } from './brand.tsx'
import { Document, tintClass } from './document.tsx'

type Props = {
  readonly page: Page
  readonly found: InviteeBooking
  readonly zone: string
  readonly children: ComponentChildren
}

/** The booking as it is on the left, its new time on the right. */
export function MoveDocument({ page, found, zone, children }: Props) {
  const { locale, url } = page
  const { booking, eventType, organization } = found
  const start = Date.parse(booking.start_time)
  const time = `${fullDayText(locale, start, zone)}, ${timeText(locale, start, zone)}`
  const token = url.searchParams.get('token')
  return (
    <Document
      page={page}
      title={`${locale.texts.reschedule} · ${organization.name}`}
      colors={[eventType.color]}
      showsProduct={!organization.branding.remove_branding}
      isPrivate
      data={{ 'data-zone': zone, ...(page.isZoneKnown ? {} : { 'data-zone-is-guess': '' }) }}
    >
      <div class={`card split ${tintClass(eventType.color)}`}>
        <header class="summary">
          <Brand branding={organization.branding} orgName={organization.name} href={null} />
          <h1>{locale.texts.reschedule}</h1>
          <p>
            <strong>{eventType.title}</strong>
          </p>
          <p>{fill(locale.texts.previously, { time })}</p>
          {token && (
            <p>
              <a href={`/bookings/${booking.id}?token=${encodeURIComponent(token)}`}>
                {locale.texts.keepBooking}
              </a>
            </p>
          )}
        </header>
        {children}
      </div>
    </Document>
  )
}
