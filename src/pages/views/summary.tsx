import { lastMoment } from '../../booking/bookings/allowed-actions.ts'
import type { PageEventType } from '../../booking/listing/schema.ts'
import { refundSteps } from '../../money/payments/refunds/refund-steps.ts'
import {
  counted,
  fullDayText,
  lengthText,
  moneyText,
  spanText,
  zoneText,
} from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { momentOn } from '../booking-times.ts'
import type { Offer } from '../event-offer.ts'
import { fresh, linkTo } from '../links.ts'
import type { Slot } from '../open-times.ts'
import type { Page } from '../page.ts'
import { mapLink } from '../place.ts'
import { placeName } from '../place-name.ts'
import { Brand } from './brand.tsx'
import { Facts } from './facts.tsx'
import { Hosts } from './hosts.tsx'
import { Linked } from './linked.tsx'
import { OtherClock } from './other-clock.tsx'
import { Place } from './place.tsx'
import { RefundTerms } from './refund-terms.tsx'

type Props = { readonly page: Page; readonly offer: Offer; readonly slot: Slot | null }

/** The left pane: what is being booked, with whom, and for when as soon as that is chosen. */
export function Summary({ page, offer, slot }: Props) {
  const { locale, url } = page
  const { texts } = locale
  const { event_type: eventType, branding, zone } = offer
  const { price_amount: price, location } = eventType
  const listing = linkTo(url, fresh(), `/book/${offer.org_slug}`)
  const home = branding.listing_page_enabled && !url.searchParams.has('preview') ? listing : null
  const place = placeOf(eventType.conferencing_provider)
  const chosen = slot?.isFull ? null : offer.choice?.chosen
  const hosts = chosen ? [chosen] : offer.hosts
  return (
    <header class={slot ? 'summary chosen-one' : 'summary'}>
      <Brand page={page} branding={branding} orgName={offer.orgName} href={home} />
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
                <OtherClock page={page} offer={offer} slot={slot} />
              </>
            ),
          },
          slot && { icon: 'globe', label: texts.timeZone, text: zoneText(locale, slot.start, zone) },
          hosts.length > 0
            ? {
                icon: 'person',
                label: locale.emails.with,
                text: <Hosts page={page} hosts={hosts} />,
              }
            : null,
          { icon: 'clock', label: texts.duration, text: lengthText(locale, offer.duration) },
          price === null
            ? null
            : { icon: 'price', label: texts.price, text: moneyText(locale, price, eventType.price_currency) },
          eventType.requires_approval
            ? {
                icon: 'wait',
                label: texts.onRequest,
                text: fill(texts.approvalNeeded, { org: offer.orgName }),
              }
            : null,
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
                      offer.now,
                    )}
                    currency={eventType.price_currency}
                    zone={zone}
                  />
                ),
              }
            : null,
          slot && noticesOf(page, offer, slot),
          location
            ? {
                icon: 'place',
                label: texts.where,
                text: <Place page={page} location={location} map={mapLink(eventType)} />,
              }
            : null,
          placesOf(page, eventType.places),
          place === null || (place === 'inPerson' && location)
            ? null
            : { icon: place === 'videoCall' ? 'video' : 'person', label: texts.where, text: texts[place] },
          slot?.seatsLeft != null
            ? { icon: 'seats', label: texts.who, text: counted(locale, 'seatsLeft', slot.seatsLeft) }
            : null,
        ]}
      />
    </header>
  )
}

/** The deadline for changes, shown before booking; null when there is no deadline. */
function noticesOf(page: Page, { event_type: eventType, zone }: Offer, { start }: Slot) {
  const { texts } = page.locale
  const lines = (
    [
      [texts.moveUntil, eventType.reschedule_notice_minutes],
      [texts.cancelUntil, eventType.cancel_notice_minutes],
    ] as const
  ).flatMap(([text, minutes]) => {
    const last = lastMoment(start, minutes)
    return last === null ? [] : [fill(text, { time: momentOn(page, last, zone) })]
  })
  if (lines.length === 0) return null
  const text = lines.map((line) => (
    <span key={line} class="term">
      {line}
    </span>
  ))
  return { icon: 'note' as const, label: texts.manageBooking, text: <>{text}</> }
}

function priceOf({ price_currency: currency }: PageEventType, amount: number) {
  return { amount, currency }
}

/** What it is in the organization's words; on a small screen it stands below the choice. */
export function About({ page, text }: { readonly page: Page; readonly text: string | null }) {
  if (!text) return null
  return (
    <p class="pre about">
      <bdi>
        <Linked page={page} text={text} />
      </bdi>
    </p>
  )
}

/** Where it may take place; of the only place, its address too. */
function placesOf(page: Page, places: PageEventType['places']) {
  const { texts } = page.locale
  const [place, ...others] = places
  if (!place) return null
  const names = places.map((one) => placeName(texts, one))
  const isSite = others.length === 0 && place.kind === 'in_person'
  const map = isSite ? mapLink({ conferencing_provider: 'in_person', location: place.value }) : null
  const text =
    isSite && place.value ? (
      <>
        {place.label && <bdi>{place.label}</bdi>} <Place page={page} location={place.value} map={map} />
      </>
    ) : (
      <bdi>{new Intl.ListFormat(page.locale.tag, { type: 'disjunction' }).format(names)}</bdi>
    )
  return { icon: 'place' as const, label: texts.where, text }
}

function placeOf(provider: string | null): 'videoCall' | 'inPerson' | null {
  if (provider === null) return null
  return provider === 'in_person' ? 'inPerson' : 'videoCall'
}
