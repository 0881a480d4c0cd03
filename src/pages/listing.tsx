import { counted, moneyText } from '../i18n/format.ts'
import { fill } from '../i18n/plural.ts'
import { getListingPage } from '../resources/booking-pages/get-page.ts'
import { type ListedEventType, ListingParams } from '../resources/booking-pages/schema.ts'
import { linkTo, manner } from './links.ts'
import type { Page, Params } from './page.ts'
import { unavailable } from './refusal-pages.tsx'
import { html } from './respond.ts'
import { Brand } from './views/brand.tsx'
import { Document, tintClass } from './views/document.tsx'
import { Icon } from './views/icon.tsx'

/** What an organization offers. One database round trip. */
export async function showListing(page: Page, params: Params): Promise<Response> {
  const { orgSlug } = ListingParams.parse({ orgSlug: params.org })
  const { orgName, page: listing } = await getListingPage(page.ctx, orgSlug)
  if (!listing.available || !listing.branding.listing_page_enabled) return unavailable(page, orgName)
  const { texts } = page.locale
  const { branding, event_types: eventTypes } = listing
  const title = fill(texts.bookWith, { org: orgName })
  return html(
    page,
    <Document
      page={page}
      title={title}
      colors={eventTypes.map(({ color }) => color)}
      showsProduct={!branding.remove_branding}
      about={{ path: `/book/${orgSlug}`, text: title }}
    >
      <div class="listing">
        <header>
          {branding.logo_url && <Brand branding={branding} orgName={orgName} href={null} />}
          <h1>{title}</h1>
          <p class="lead">{eventTypes.length > 0 ? texts.chooseMeeting : texts.nothingToBook}</p>
        </header>
        <ul class="offers">
          {eventTypes.map((eventType) => (
            <Offer key={eventType.id} page={page} orgSlug={orgSlug} eventType={eventType} />
          ))}
        </ul>
      </div>
    </Document>,
    { isFrameable: true },
  )
}

type OfferProps = { readonly page: Page; readonly orgSlug: string; readonly eventType: ListedEventType }

function Offer({ page, orgSlug, eventType }: OfferProps) {
  const { locale, url } = page
  const href = linkTo(url, manner(url), `/book/${orgSlug}/${eventType.slug}`)
  const { price_amount: price, location } = eventType
  return (
    <li class={`card offer ${tintClass(eventType.color)}`}>
      <h2>
        <a class="offer-link" href={href}>
          <bdi>{eventType.title}</bdi>
        </a>
      </h2>
      {eventType.description && (
        <p class="pre">
          <bdi>{eventType.description}</bdi>
        </p>
      )}
      <ul class="tags">
        <li>
          <Icon name="clock" />
          {counted(locale, 'minutes', eventType.duration_minutes)}
        </li>
        {price !== null && (
          <li>
            <Icon name="price" />
            {moneyText(locale, price, eventType.price_currency)}
          </li>
        )}
        {location && (
          <li>
            <Icon name="place" />
            {location}
          </li>
        )}
      </ul>
      <Icon name="next" />
    </li>
  )
}
