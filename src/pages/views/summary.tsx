import { counted, fullDayText, moneyText, spanText, zoneText } from '../../i18n/format.ts'
import type { PageEventType } from '../../resources/booking-pages/schema.ts'
import type { Branding } from '../../resources/branding/schema.ts'
import { refundSteps } from '../../resources/payments/refunds/refund-steps.ts'
import { linkTo, manner } from '../links.ts'
import type { Slot } from '../open-times.ts'
import type { Page } from '../page.ts'
import { Brand } from './brand.tsx'
import { tintClass } from './document.tsx'
import { Facts } from './facts.tsx'
import { RefundTerms } from './refund-terms.tsx'

type Props = {
  readonly page: Page
  readonly orgName: string
  readonly orgSlug: string
  readonly branding: Branding
  readonly eventType: PageEventType
  readonly duration: number
  readonly slot: Slot | null
  readonly zone: string
}

/** The left pane: what is being booked, with whom, and for when as soon as that is chosen. */
export function Summary({ page, orgName, orgSlug, branding, eventType, duration, slot, zone }: Props) {
  const { locale, url } = page
  const { texts } = locale
  const { price_amount: price, location } = eventType
  const home = branding.listing_page_enabled ? linkTo(url, manner(url), `/book/${orgSlug}`) : null
  const place = placeOf(eventType.conferencing_provider)
  return (
    <header class={`summary ${tintClass(eventType.color)}`}>
      <Brand branding={branding} orgName={orgName} href={home} />
      <h1>
        <bdi>{eventType.title}</bdi>
      </h1>
      <Facts
        facts={[
          slot && {
            icon: 'calendar',
            label: texts.when,
            text: (
              <>
                <strong>{fullDayText(locale, slot.start, zone)}</strong>
                <br />
                {spanText(locale, slot.start, slot.end, zone)}
              </>
            ),
          },
          slot && { icon: 'globe', label: texts.timeZone, text: zoneText(locale, slot.start, zone) },
          { icon: 'clock', label: texts.duration, text: counted(locale, 'minutes', duration) },
          price === null
            ? null
            : { icon: 'price', label: texts.price, text: moneyText(locale, price, eventType.price_currency) },
          slot && price !== null
            ? {
                icon: 'price',
                label: texts.ifYouCancel,
                text: (
                  <RefundTerms
                    page={page}
                    steps={refundSteps(
                      eventType.refund_policy,
                      priceOf(eventType, price),
                      slot.start,
                      page.ctx.now,
                    )}
                    currency={eventType.price_currency}
                    zone={zone}
                  />
                ),
              }
            : null,
          location ? { icon: 'place', label: texts.where, text: location } : null,
          place === null
            ? null
            : { icon: place === 'videoCall' ? 'video' : 'person', label: texts.where, text: texts[place] },
          slot?.seatsLeft != null
            ? { icon: 'seats', label: texts.who, text: counted(locale, 'seatsLeft', slot.seatsLeft) }
            : null,
        ]}
      />
      {eventType.description && (
        <p class="pre about">
          <bdi>{eventType.description}</bdi>
        </p>
      )}
    </header>
  )
}

function priceOf({ price_currency: currency }: PageEventType, amount: number) {
  return { amount, currency }
}

function placeOf(provider: string | null): 'videoCall' | 'inPerson' | null {
  if (provider === null) return null
  return provider === 'in_person' ? 'inPerson' : 'videoCall'
}
