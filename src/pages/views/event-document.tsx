import type { ComponentChildren } from 'preact'
import { spanOn } from '../booking-times.ts'
import type { Offer } from '../event-offer.ts'
import type { Slot } from '../open-times.ts'
import type { Page } from '../page.ts'
import { Document, tintClass } from './document.tsx'
import { About, Summary } from './summary.tsx'

type Props = {
  readonly page: Page
  readonly offer: Offer
  readonly slot: Slot | null
  readonly children: ComponentChildren
  /** What there is to do now: it begins the title. */
  readonly step?: string
  readonly hasTrouble?: boolean
  readonly script?: 'pay'
  readonly isPrivate?: boolean
}

/** The two panes of an event type: what it is, and what to do next. */
export function EventDocument({ page, offer, slot, children, step, script, ...props }: Props) {
  const { event_type: eventType, branding, orgName } = offer
  const { texts } = page.locale
  // Nothing may take the place of what was answered to a form: its address may show something else, or nothing.
  const isAnswer = page.ctx.request.method === 'POST'
  const isPreview = page.url.searchParams.has('preview')
  const name = `${eventType.title} · ${orgName}`
  const when = slot && spanOn(page, slot.start, slot.end, offer.zone)
  // The page itself is known by its name alone; each further step by what it is about.
  const isFirst = !page.url.searchParams.has('date') && !page.url.searchParams.has('month')
  const parts = slot || props.hasTrouble || !isFirst ? [step, when, name] : [name]
  const title = parts.filter(Boolean).join(' · ')
  return (
    <Document
      page={page}
      title={props.hasTrouble ? `${texts.errorPrefix} ${title}` : title}
      colors={[offer.color]}
      showsProduct={!branding.remove_branding}
      ownLinks={branding}
      isPrivate={(props.isPrivate ?? false) || isPreview || !offer.isListed}
      about={
        isPreview
          ? undefined
          : {
              path: `/book/${offer.org_slug}/${eventType.slug}`,
              title: name,
              text: eventType.description || name,
              siteName: orgName,
              image: branding.logo_url,
            }
      }
      data={{
        'data-zone': offer.zone,
        ...(!page.isZoneChosen &&
          !isAnswer && {
            'data-zone-is-guess': offer.isOnSite ? 'own' : 'shown',
            'data-zone-told': page.zoneTold,
          }),
      }}
      {...(script && { script })}
    >
      <div class={`card split ${tintClass(offer.color)}${page.hidesDetails ? ' alone' : ''}`}>
        <Summary page={page} offer={offer} slot={slot} />
        <About page={page} text={eventType.description} />
        {children}
        {isPreview && <p class="trial">{texts.previewNote}</p>}
      </div>
    </Document>
  )
}
