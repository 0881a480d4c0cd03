import { formatInstant } from '../http/instants.ts'
import { isUsableZone } from '../i18n/format.ts'
import { bookingRoutes } from '../resources/bookings/routes.ts'
import type { CreatedBooking } from '../resources/bookings/schema.ts'
import { MINUTE_MS } from '../scheduling/time-units.ts'
import { askOnce } from './ask.ts'
import { submitText } from './event.tsx'
import { loadOffer } from './event-offer.ts'
import { linkTo, manner } from './links.ts'
import { parseTime, type Slot } from './open-times.ts'
import type { Page, Params } from './page.ts'
import { paymentPage } from './pay.tsx'
import { sendProven } from './prove-address.ts'
import { again, type Filled, filledIn, readForm } from './read-form.ts'
import { unavailable } from './refusal-pages.tsx'
import { html, seeOther } from './respond.ts'
import { statusOf, toldRefusal } from './told-refusal.ts'
import { DetailsForm } from './views/details-form.tsx'
import { EventDocument } from './views/event-document.tsx'

type Booked = CreatedBooking

/** Books through the API's own endpoint, and shows a refusal beside what was typed. */
export async function bookSlot(page: Page, params: Params): Promise<Response> {
  const [{ orgName, offer: shown }, form] = await Promise.all([loadOffer(page, params), readForm(page)])
  if (!shown) return unavailable(page, orgName)
  const typed = filledIn(form)
  const start = parseTime(form.get('start_time') ?? null)
  const duration = Number(form.get('duration'))
  const offer = {
    ...shown,
    zone: [form.get('timezone')].find(isUsableZone) ?? shown.zone,
    duration: shown.options.includes(duration) ? duration : shown.duration,
  }
  const sent = await sendProven(page, offer.event_type.id, typed, () =>
    askOnce<Booked>(
      page.ctx,
      bookingRoutes,
      'createBooking',
      { body: bodyOf(page, offer, typed, start, form.get('duration')) },
      typed.key,
    ),
  )
  if (sent.ok) {
    const { id, cancel_token: token, status } = sent.body
    const to = linkTo(page.url, { ...manner(page.url), token }, `${pathOf(page)}/booked/${id}`)
    return status === 'pending_payment' ? paymentPage(page, offer, sent.body, to) : seeOther(page, to)
  }

  const { filled, refusal } = sent
  const trouble = refusal ? toldRefusal(page, refusal, { ...filled, start, zone: offer.zone }) : {}
  const kept = 'isTimeGone' in trouble && trouble.isTimeGone ? null : start
  const slot: Slot | null =
    kept === null
      ? null
      : { start: kept, end: kept + offer.duration * MINUTE_MS, seatsLeft: null, isFull: false }
  return html(
    page,
    <EventDocument page={page} offer={offer} slot={slot} isPrivate>
      <DetailsForm
        page={page}
        zone={offer.zone}
        start={kept}
        duration={offer.duration}
        filled={again(filled)}
        trouble={trouble}
        action={linkTo(page.url, {})}
        heading={page.locale.texts.yourDetails}
        submit={submitText(page, offer)}
      />
    </EventDocument>,
    { status: refusal ? statusOf(refusal) : 200, isPrivate: true, isFrameable: true },
  )
}

function pathOf({ url }: Page): string {
  return url.pathname.replace(/\/$/, '')
}

type Chosen = {
  readonly event_type: { readonly id: string }
  readonly zone: string
  readonly options: readonly number[]
}

function bodyOf(
  { locale: { tag } }: Page,
  offer: Chosen,
  filled: Filled,
  start: number | null,
  duration: string | null | undefined,
) {
  return {
    event_type_id: offer.event_type.id,
    start_time: start === null ? '' : formatInstant(start),
    invitee_name: filled.name,
    invitee_email: filled.email,
    invitee_timezone: offer.zone,
    locale: tag,
    ...(filled.notes !== '' && { notes: filled.notes }),
    ...(filled.code !== '' && { verification_code: filled.code }),
    ...(duration && /^\d{1,5}$/.test(duration) && { duration: Number(duration) }),
  }
}
