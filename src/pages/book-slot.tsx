import { bookingRoutes } from '../booking/bookings/routes.ts'
import { seriesRoutes } from '../booking/series/routes.ts'
import { MINUTE_MS } from '../core/time-units.ts'
import type { Refusal } from '../platform/http/errors.ts'
import { formStatus } from '../platform/http/form-status.ts'
import { formatInstant } from '../platform/http/instants.ts'
import { isUsableZone } from '../platform/i18n/format.ts'
import { placeIn, withAnswers, withPlace } from './answer-trouble.ts'
import { answersFor } from './answers-in.ts'
import { askOnce } from './ask.ts'
import { submitText, wantedOf, whyNot } from './event.tsx'
import { loadOffer, type Offer, weeksOf } from './event-offer.ts'
import { chosenOf } from './host-choice.ts'
import { linkTo, manner, metadataIn } from './links.ts'
import { findSlot, parseTime, type Slot } from './open-times.ts'
import { bookedCookie } from './own-booking.ts'
import type { Page, Params } from './page.ts'
import { paymentPage } from './pay.tsx'
import { sendProven } from './prove-address.ts'
import { addressesIn, again, type Filled, filledIn, guestsIn, readFields } from './read-form.ts'
import { unavailable } from './refusal-pages.tsx'
import { html, seeOther } from './respond.ts'
import { isTimeTaken, shownRefusal } from './show-refusal.ts'
import { DetailsForm } from './views/details-form.tsx'
import { EventDocument } from './views/event-document.tsx'

/** Books through the API's own endpoint, and shows a refusal beside what was typed. */
export async function bookSlot(page: Page, params: Params): Promise<Response> {
  const [{ owned, offer: shown }, fields] = await Promise.all([loadOffer(page, params), readFields(page)])
  if (!shown) return unavailable(page, owned)
  const typed = filledIn(fields)
  const form = new Map(fields)
  const start = parseTime(form.get('start_time') ?? null)
  const duration = Number(form.get('duration'))
  const ownZone = [form.get('timezone')].find(isUsableZone) ?? shown.ownZone
  const offer = {
    ...shown,
    ownZone,
    zone: shown.isOnSite ? shown.zone : ownZone,
    duration: shown.options.includes(duration) ? duration : shown.duration,
    choice: shown.choice && chosenOf(shown.choice, form.get('member') ?? null),
  }
  const { questions } = offer.event_type
  const answered = { questions, answers: answersFor(questions, typed.answers, page.locale.tag) }
  const answers = questions.length > 0 && { answers: answered.answers }
  const place = placeIn(offer.event_type, typed)
  const body = { ...bodyOf(page, offer, typed, start, form), ...answers, ...place }
  const sent = await sendProven(page, offer.event_type.id, typed, () =>
    typed.repeat === ''
      ? askOnce(page.ctx, typed.key, bookingRoutes.createBooking, { body: { ...body, ...expectedIn(form) } })
      : askForSeries(page, typed, body),
  )
  if (sent.ok) {
    const { id, cancel_token: token, status } = sent.body
    const { series } = sent.body as { readonly series?: SeriesLink }
    const path = pathOf(page)
    const own = bookedCookie(page, path, { start: Date.parse(sent.body.start_time), id, token })
    const to = linkTo(page.url, { ...manner(page.url), token }, `${path}/booked/${id}`)
    const known = { ...page, cookies: [...page.cookies, own] }
    // In a frame of another site only the page that shows a booking is allowed.
    if (series && !page.isEmbedded) {
      return seeOther(known, `/bookings/series/${series.id}?token=${encodeURIComponent(series.cancel_token)}`)
    }
    return status === 'pending_payment'
      ? paymentPage(known, offer, sent.body, to)
      : seeOther(known, `${to}&booked=1`)
  }

  const { filled, refusal } = sent
  const told = { ...filled, answered, start, zone: offer.zone }
  const trouble = refusal
    ? await troubleOf(
        page,
        offer,
        withPlace(withAnswers(refusal, answered), offer.event_type, place),
        told,
        typed.key,
      )
    : {}
  const kept = 'isTimeGone' in trouble && trouble.isTimeGone ? null : start
  const slot: Slot | null =
    kept === null
      ? null
      : { start: kept, end: kept + offer.duration * MINUTE_MS, seatsLeft: null, isFull: false }
  return html(
    page,
    <EventDocument
      page={page}
      offer={offer}
      slot={slot}
      step={page.locale.texts.yourDetails}
      hasTrouble={refusal !== null}
      isPrivate
    >
      <DetailsForm
        page={page}
        offer={offer}
        slot={slot}
        filled={again(filled)}
        trouble={trouble}
        action={linkTo(page.url, {})}
        heading={page.locale.texts.yourDetails}
        submit={submitText(page, offer)}
        takesGuests={offer.event_type.max_attendees > 1}
        mostCompany={offer.event_type.max_guests}
        mostWeeks={weeksOf(offer)}
      />
    </EventDocument>,
    {
      status: refusal ? formStatus(refusal) : 200,
      isPrivate: true,
      isFrameable: true,
    },
  )
}

type SeriesLink = { readonly id: string; readonly cancel_token: string }

/** Books the same time for several weeks, all or none. Shows the first of them as what was booked. */
async function askForSeries(page: Page, { key, repeat }: Filled, body: ReturnType<typeof bodyOf>) {
  const count = /^\d{1,3}$/.test(repeat) ? Number(repeat) : 0
  const asked = await askOnce(page.ctx, key, seriesRoutes.createSeries, { body: { ...body, count } })
  if (!asked.ok) return asked
  const { id, cancel_token, bookings } = asked.body
  return { ...asked, body: { ...bookings[0]!, series: { id, cancel_token } } }
}

/** A time that is gone may be the visitor's own by now, or was never offered: that is another answer. */
async function troubleOf(
  page: Page,
  offer: Offer,
  refusal: Refusal,
  form: Parameters<typeof shownRefusal>[2] & Pick<Filled, 'guests'>,
  formKey: string,
) {
  const told = shownRefusal(page, refusal, form)
  if (!isTimeTaken(refusal) || !told.isTimeGone || form.start === null) return { ...told, code: refusal.code }
  if (form.guests !== '') {
    const slot = await findSlot(page, wantedOf(offer), form.start)
    // One could come, but not that many.
    if (slot?.isFull === false) {
      const fields = { guests: page.locale.texts.tooManyGuests }
      return { fields, isTimeGone: false, code: refusal.code }
    }
  }
  const { title, own } = await whyNot(page, offer, form.start, formKey)
  // After booking, the next press of the button needs no other time.
  return { ...told, title, ...(own && { own, alternatives: [] }), code: refusal.code }
}

function pathOf({ url }: Page): string {
  return url.pathname.replace(/\/$/, '')
}

/** The price that the form was shown with. */
function expectedIn(form: ReadonlyMap<string, string>) {
  const amount = form.get('expected_amount') ?? ''
  const currency = form.get('expected_currency') ?? ''
  return {
    ...(/^\d{1,9}$/.test(amount) && { expected_amount: Number(amount) }),
    ...(/^[a-z]{3}$/i.test(currency) && { expected_currency: currency }),
  }
}

function bodyOf(
  { url, locale: { tag } }: Page,
  offer: Offer,
  filled: Filled,
  start: number | null,
  form: ReadonlyMap<string, string>,
) {
  const duration = form.get('duration')
  const member = form.get('member')
  const guests = guestsIn(filled)
  const company = addressesIn(filled.company).map((email) => ({ email }))
  const metadata = metadataIn(url)
  return {
    event_type_id: offer.event_type.id,
    start_time: start === null ? '' : formatInstant(start),
    invitee_name: filled.name,
    invitee_email: filled.email,
    invitee_timezone: offer.ownZone,
    locale: tag,
    ...(filled.notes !== '' && { notes: filled.notes }),
    ...(guests.length > 0 && { attendees: guests }),
    ...(company.length > 0 && { guests: company }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(filled.code !== '' && { verification_code: filled.code }),
    // As it was sent: a host who has left in the meantime is refused, not replaced.
    ...(member && { member_id: member }),
    ...(duration && /^\d{1,5}$/.test(duration) && { duration: Number(duration) }),
  }
}
