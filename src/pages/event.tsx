import { isStartOffered } from '../booking/slots/judge-start.ts'
import { fill } from '../platform/i18n/plural.ts'
import { shortMomentOn } from './booking-times.ts'
import { loadOffer, type Offer, weeksOf } from './event-offer.ts'
import { isHostMissing } from './host-choice.ts'
import { fresh, linkTo, manner } from './links.ts'
import { monthFullText } from './month-full.ts'
import { findSlot, loadOpenTimes, parseTime, type Slot } from './open-times.ts'
import { bookingOfForm, ownBookingAt } from './own-booking.ts'
import type { Page, Params } from './page.ts'
import { prefilled } from './read-form.ts'
import { unavailable } from './refusal-pages.tsx'
import { html } from './respond.ts'
import { Chooser } from './views/chooser.tsx'
import { DetailsForm } from './views/details-form.tsx'
import { EventDocument } from './views/event-document.tsx'
import { HostLinks } from './views/host-choice.tsx'
import { Icon, type IconName } from './views/icon.tsx'
import { Problems } from './views/problems.tsx'

/** An event type's page: the calendar, or the form once a time is chosen. Two database round trips. */
export async function showEvent(page: Page, params: Params): Promise<Response> {
  const { owned, offer } = await loadOffer(page, params)
  if (!offer) return unavailable(page, owned)
  if (offer.isUnpayable) {
    return withoutTimes(page, offer, 'price', fill(page.locale.texts.noPayments, { org: offer.orgName }))
  }
  // What is full can still be waited for.
  if (offer.isMonthFull && !offer.event_type.waitlist_enabled) {
    return withoutTimes(page, offer, 'calendar', monthFullText(page))
  }
  if (isHostMissing(offer.choice)) return chooseHost(page, offer)
  const start = parseTime(page.url.searchParams.get('time'))
  if (start === null) return choose(page, offer, null)
  const slot = await findSlot(page, wantedOf(offer), start)
  return slot ? ask(page, offer, slot) : choose(page, offer, start)
}

export function wantedOf({ event_type: eventType, duration, zone, now, choice }: Offer) {
  const memberId = choice?.chosen?.id ?? null
  return { eventTypeId: eventType.id, duration, zone, now, memberId, hasWaitlist: eventType.waitlist_enabled }
}

function chooseHost(page: Page, offer: Offer): Response {
  return html(
    page,
    <EventDocument page={page} offer={offer} slot={null} step={page.locale.texts.chooseHost}>
      <div class="pane chooser">
        <HostLinks page={page} choice={offer.choice} />
      </div>
    </EventDocument>,
    mannerOf(page),
  )
}

/** `gone` is a chosen time that is no longer open. */
async function choose(page: Page, offer: Offer, gone: number | null): Promise<Response> {
  const [times, notice] = await Promise.all([
    loadOpenTimes(page, wantedOf(offer)),
    gone === null || offer.isMonthFull ? null : whyNot(page, offer, gone),
  ])
  return html(
    page,
    <EventDocument page={page} offer={offer} slot={null} step={page.locale.texts.chooseTime}>
      <Chooser
        page={page}
        times={times}
        choice={offer.choice}
        options={offer.options}
        duration={offer.duration}
      >
        {offer.isMonthFull && <Closed icon="calendar" text={monthFullText(page)} />}
        {notice && (
          <Problems page={page} title={notice.title}>
            {notice.own && (
              <p>
                <a href={notice.own}>{page.locale.texts.yourBooking}</a>
              </p>
            )}
          </Problems>
        )}
      </Chooser>
    </EventDocument>,
    mannerOf(page),
  )
}

/** The page says so before anybody types: the booking would be refused. */
function withoutTimes(page: Page, offer: Offer, icon: IconName, text: string): Response {
  const { texts } = page.locale
  return html(
    page,
    <EventDocument page={page} offer={offer} slot={null}>
      <div class="pane">
        <Closed icon={icon} text={text} />
        {offer.branding.listing_page_enabled && (
          <p>
            <a class="button soft-button" href={linkTo(page.url, fresh(), `/book/${offer.org_slug}`)}>
              {fill(texts.seeAll, { org: offer.orgName })}
            </a>
          </p>
        )}
      </div>
    </EventDocument>,
    mannerOf(page),
  )
}

function Closed({ icon, text }: { readonly icon: IconName; readonly text: string }) {
  return (
    <p class="told">
      <Icon name={icon} />
      <strong>{text}</strong>
    </p>
  )
}

type WhyNot = { readonly title: string; readonly own?: string }

/** Whether the visitor has booked it, somebody else has, or nobody ever could. */
export async function whyNot(page: Page, offer: Offer, start: number, formKey?: string): Promise<WhyNot> {
  const { locale, url, ctx } = page
  const time = shortMomentOn(page, start, offer.zone)
  const own =
    (await ownBookingAt(page, start)) ??
    (formKey === undefined ? null : await bookingOfForm(page, offer.event_type.id, formKey, start))
  if (own) {
    const path = `/book/${offer.org_slug}/${offer.event_type.slug}/booked/${own.id}`
    const to = linkTo(url, { ...manner(url), token: own.token }, path)
    return { title: fill(locale.texts.alreadyYours, { time }), own: to }
  }
  const isOffered = await isStartOffered(ctx, { ...wantedOf(offer), start })
  return { title: fill(isOffered ? locale.texts.justGone : locale.texts.noLongerOffered, { time }) }
}

function ask(page: Page, offer: Offer, slot: Slot): Response {
  const { texts } = page.locale
  const path = page.url.pathname.replace(/\/$/, '')
  const form = { page, offer, slot, filled: prefilled(page.url), trouble: {}, isFresh: true }
  return html(
    page,
    <EventDocument page={page} offer={offer} slot={slot} step={texts.yourDetails}>
      {slot.isFull ? (
        <DetailsForm
          {...form}
          action={linkTo(page.url, {}, `${path}/waitlist`)}
          heading={texts.joinWaitlist}
          text={waitText(page, offer)}
          submit={texts.joinWaitlist}
        />
      ) : (
        <DetailsForm
          {...form}
          action={linkTo(page.url, {})}
          heading={texts.yourDetails}
          submit={submitText(page, offer)}
          takesGuests={offer.event_type.max_attendees > 1}
          mostCompany={offer.event_type.max_guests}
          mostWeeks={weeksOf(offer)}
        />
      )}
    </EventDocument>,
    mannerOf(page),
  )
}

function mannerOf({ url }: Page) {
  return { isFrameable: true, isPrivate: url.searchParams.has('preview') }
}

/** A waitlist entry is for no host. */
export function waitText({ locale: { texts } }: Page, { choice }: Offer): string {
  const { waitlistExplained, waitlistAnyHost } = texts
  return choice?.chosen ? `${waitlistExplained} ${waitlistAnyHost}` : waitlistExplained
}

export function submitText({ locale: { texts } }: Page, { event_type: eventType }: Offer) {
  const { price_amount: price, requires_approval: isRequest } = eventType
  // It is paid once it is approved.
  if (isRequest) return texts.sendRequest
  return price === null ? texts.confirmBooking : texts.toPayment
}
