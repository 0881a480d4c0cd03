import type { ComponentChildren } from 'preact'
import type { Offer } from '../event-offer.ts'
import type { Slot } from '../open-times.ts'
import type { Page } from '../page.ts'
import { Document, tintClass } from './document.tsx'
import { Summary } from './summary.tsx'

type Props = {
  readonly page: Page
  readonly offer: Offer
  readonly slot: Slot | null
  readonly children: ComponentChildren
  readonly script?: 'pay'
  readonly isPrivate?: boolean
}

/** The two panes of an event type: what it is, and what to do next. */
export function EventDocument({ page, offer, slot, children, script, isPrivate = false }: Props) {
  const { event_type: eventType, branding, orgName } = offer
  return (
    <Document
      page={page}
      title={`${eventType.title} · ${orgName}`}
      colors={[eventType.color]}
      showsProduct={!branding.remove_branding}
      isPrivate={isPrivate}
      about={{
        path: `/book/${offer.org_slug}/${eventType.slug}`,
        text: eventType.description ?? eventType.title,
      }}
      data={{
        'data-zone': offer.zone,
        ...(page.isZoneKnown ? {} : { 'data-zone-is-guess': '' }),
      }}
      {...(script && { script })}
    >
      <div class={`card split ${tintClass(eventType.color)}`}>
        <Summary
          page={page}
          orgName={orgName}
          orgSlug={offer.org_slug}
          branding={branding}
          eventType={eventType}
          duration={offer.duration}
          slot={slot}
          zone={offer.zone}
        />
        {children}
        {page.url.searchParams.has('preview') && <p class="trial">{page.locale.texts.previewNote}</p>}
      </div>
    </Document>
  )
}
