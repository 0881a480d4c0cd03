import { timeText } from '../i18n/format.ts'
import { fill } from '../i18n/plural.ts'
import { loadOffer, type Offer } from './event-offer.ts'
import { linkTo } from './links.ts'
import { findSlot, loadOpenTimes, parseTime, type Slot } from './open-times.ts'
import type { Page, Params } from './page.ts'
import { emptyForm } from './read-form.ts'
import { unavailable } from './refusal-pages.tsx'
import { html } from './respond.ts'
import { Chooser } from './views/chooser.tsx'
import { DetailsForm } from './views/details-form.tsx'
import { EventDocument } from './views/event-document.tsx'
import { Problems } from './views/problems.tsx'

/** An event type's page: the calendar, or the form once a time is chosen. Two database round trips. */
export async function showEvent(page: Page, params: Params): Promise<Response> {
  const { orgName, offer } = await loadOffer(page, params)
  if (!offer) return unavailable(page, orgName)
  const start = parseTime(page.url.searchParams.get('time'))
  if (start === null) return choose(page, offer, null)
  const slot = await findSlot(page, wantedOf(offer), start)
  return slot ? ask(page, offer, slot) : choose(page, offer, start)
}

function wantedOf({ event_type: eventType, duration, zone }: Offer) {
  return { eventTypeId: eventType.id, duration, zone }
}

/** `gone` is a chosen time that is no longer open. */
async function choose(page: Page, offer: Offer, gone: number | null): Promise<Response> {
  const times = await loadOpenTimes(page, wantedOf(offer))
  const { locale } = page
  return html(
    page,
    <EventDocument page={page} offer={offer} slot={null}>
      <Chooser page={page} times={times} options={offer.options} duration={offer.duration}>
        {gone !== null && (
          <Problems
            page={page}
            title={fill(locale.texts.justGone, { time: timeText(locale, gone, offer.zone) })}
          />
        )}
      </Chooser>
    </EventDocument>,
    { isFrameable: true, isPrivate: page.url.searchParams.has('preview') },
  )
}

function ask(page: Page, offer: Offer, slot: Slot): Response {
  const { texts } = page.locale
  const path = page.url.pathname.replace(/\/$/, '')
  const form = {
    page,
    zone: offer.zone,
    start: slot.start,
    duration: offer.duration,
    filled: emptyForm(),
    trouble: {},
  }
  return html(
    page,
    <EventDocument page={page} offer={offer} slot={slot}>
      {slot.isFull ? (
        <DetailsForm
          {...form}
          action={linkTo(page.url, {}, `${path}/waitlist`)}
          heading={texts.joinWaitlist}
          text={texts.waitlistExplained}
          submit={texts.joinWaitlist}
        />
      ) : (
        <DetailsForm
          {...form}
          action={linkTo(page.url, {})}
          heading={texts.yourDetails}
          submit={submitText(page, offer)}
        />
      )}
    </EventDocument>,
    { isFrameable: true, isPrivate: page.url.searchParams.has('preview') },
  )
}

export function submitText({ locale: { texts } }: Page, { event_type: { price_amount: price } }: Offer) {
  return price === null ? texts.confirmBooking : texts.toPayment
}
