import type { Branding } from '../booking/branding/schema.ts'
import type { ListedEventType } from '../booking/listing/schema.ts'
import type { ShownHost } from '../booking/shown-hosts/statements.ts'
import { lengthText, moneyText } from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import { fresh, linkTo } from './links.ts'
import { monthFullText } from './month-full.ts'
import { listingAt, openListing } from './open-listing.ts'
import type { Page, Params } from './page.ts'
import { unavailable } from './refusal-pages.tsx'
import { html, notModified } from './respond.ts'
import { Brand } from './views/brand.tsx'
import { Document, tintClass } from './views/document.tsx'
import { HostNames } from './views/hosts.tsx'
import { Icon } from './views/icon.tsx'

/** What an organization offers. One database round trip. */
export async function showListing(page: Page, params: Params): Promise<Response> {
  const tagged = await openListing(page, params, 'html')
  if (tagged.isCurrent) return notModified(page, tagged.tag)
  const { owned, cut, tag } = tagged
  const { orgName, orgSlug, page: listing } = owned
  if (!listing.available || !listing.branding.listing_page_enabled) return unavailable(page, owned)
  const { texts } = page.locale
  const { branding, event_types: eventTypes } = listing
  const title = fill(texts.bookWith, { org: orgName })
  const groups = [...Map.groupBy(eventTypes, ({ group }) => group)]
  return html(
    page,
    <Document
      page={page}
      title={title}
      colors={eventTypes.map((eventType) => colorOf(page, branding, eventType))}
      showsProduct={!branding.remove_branding}
      ownLinks={branding}
      about={{
        path: `/book/${orgSlug}`,
        query: cut.page > 1 ? `?page=${cut.page}` : '',
        title,
        text: title,
        siteName: orgName,
        image: branding.logo_url,
      }}
    >
      <div class="listing">
        <header>
          {branding.logo_url && <Brand page={page} branding={branding} orgName={orgName} href={null} />}
          <h1>{title}</h1>
          <p class="lead">{eventTypes.length > 0 ? texts.chooseMeeting : texts.nothingToBook}</p>
          {listing.plan_limit && eventTypes.length > 0 && (
            <p class="told">
              <Icon name="calendar" />
              <strong>{monthFullText(page)}</strong>
            </p>
          )}
        </header>
        {groups.map(([group, own]) => (
          <section key={group ?? ''} class="group">
            {group !== null && (
              <h2>
                <bdi>{group}</bdi>
              </h2>
            )}
            <ul class="offers">
              {own.map((eventType) => (
                <Offer
                  key={eventType.id}
                  page={page}
                  href={linkTo(page.url, fresh(), `/book/${orgSlug}/${eventType.slug}`)}
                  eventType={eventType}
                  hosts={owned.hosts.get(eventType.id) ?? []}
                  color={colorOf(page, branding, eventType)}
                  isInGroup={group !== null}
                />
              ))}
            </ul>
          </section>
        ))}
        {cut.pages > 1 && <Pages page={page} cut={cut} />}
      </div>
    </Document>,
    { isFrameable: true, headers: { ETag: tag } },
  )
}

type PagesProps = { readonly page: Page; readonly cut: { readonly page: number; readonly pages: number } }

function Pages({ page, cut }: PagesProps) {
  const { pageOf } = page.locale.texts
  const text = fill(pageOf, { page: cut.page, pages: cut.pages })
  return (
    <nav class="months" aria-label={text}>
      <PageLink page={page} to={listingAt(page, cut.page - 1, cut.pages)} direction="previous" />
      <p>{text}</p>
      <PageLink page={page} to={listingAt(page, cut.page + 1, cut.pages)} direction="next" />
    </nav>
  )
}

type PageLinkProps = {
  readonly page: Page
  readonly to: string | null
  readonly direction: 'previous' | 'next'
}

function PageLink({ page, to, direction }: PageLinkProps) {
  const { nextPage, previousPage } = page.locale.texts
  if (to === null) return null
  return (
    <a class="round" rel={direction === 'next' ? 'next' : 'prev'} href={to}>
      <Icon name={direction} />
      <span class="unseen">{direction === 'next' ? nextPage : previousPage}</span>
    </a>
  )
}

function colorOf(page: Page, branding: Branding, eventType: ListedEventType): string {
  return page.color ?? branding.accent_color ?? eventType.color
}

type OfferProps = {
  readonly page: Page
  readonly href: string
  readonly eventType: ListedEventType
  readonly hosts: readonly ShownHost[]
  readonly color: string
  readonly isInGroup: boolean
}

function Offer({ page, href, eventType, hosts, color, isInGroup }: OfferProps) {
  const { locale } = page
  const Heading = isInGroup ? 'h3' : 'h2'
  const { price_amount: price, location } = eventType
  return (
    <li class={`card offer ${tintClass(color)}`}>
      <Heading>
        <a class="offer-link" href={href}>
          <bdi>{eventType.title}</bdi>
        </a>
      </Heading>
      {eventType.description && (
        <p class="pre">
          <bdi>{eventType.description}</bdi>
        </p>
      )}
      <ul class="tags">
        <li>
          <Icon name="clock" />
          {lengthText(locale, eventType.duration_minutes)}
        </li>
        {hosts.length > 0 && (
          <li>
            <Icon name="person" />
            <span>
              {locale.emails.with} <HostNames page={page} hosts={hosts} />
            </span>
          </li>
        )}
        {price !== null && (
          <li>
            <Icon name="price" />
            {moneyText(locale, price, eventType.price_currency)}
          </li>
        )}
        {eventType.requires_approval && (
          <li>
            <Icon name="wait" />
            {locale.texts.onRequest}
          </li>
        )}
        {location && (
          <li>
            <Icon name="place" />
            <bdi>{location}</bdi>
          </li>
        )}
      </ul>
      <Icon name="next" />
    </li>
  )
}
