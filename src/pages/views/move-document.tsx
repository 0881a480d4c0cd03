import type { ComponentChildren } from 'preact'
import type { InviteeBooking } from '../../booking/bookings/get-for-invitee.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { spanOn } from '../booking-times.ts'
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
  const end = Date.parse(booking.end_time)
  const time = spanOn(page, start, end, zone)
  const color = page.color ?? organization.branding.accent_color ?? eventType.color
  const token = url.searchParams.get('token')
  return (
    <Document
      page={page}
      title={`${locale.texts.reschedule} · ${organization.name}`}
      colors={[color]}
      showsProduct={!organization.branding.remove_branding}
      ownLinks={organization.branding}
      isPrivate
      data={{ 'data-zone': zone, ...(page.isZoneChosen ? {} : { 'data-zone-is-guess': 'own' }) }}
    >
      <div class={`card split ${tintClass(color)}`}>
        <header class="summary">
          <Brand page={page} branding={organization.branding} orgName={organization.name} href={null} />
          <h1>{locale.texts.reschedule}</h1>
          <p>
            <strong>{eventType.title}</strong>
          </p>
          <p>{fill(locale.texts.previously, { time })}</p>
          {token && booking.status !== 'cancelled' && (
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
