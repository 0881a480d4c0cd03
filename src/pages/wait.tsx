import { getEntryForInvitee } from '../booking/waitlist/get-for-invitee.ts'
import { waitlistRoutes } from '../booking/waitlist/routes.ts'
import { MINUTE_MS } from '../core/time-units.ts'
import { formStatus } from '../platform/http/form-status.ts'
import { formatInstant } from '../platform/http/instants.ts'
import { isUsableZone } from '../platform/i18n/format.ts'
import { placeIn, withAnswers, withPlace } from './answer-trouble.ts'
import { answersFor } from './answers-in.ts'
import { ask, askOnce } from './ask.ts'
import { waitText } from './event.tsx'
import { loadOffer } from './event-offer.ts'
import { linkTo, manner } from './links.ts'
import { parseTime } from './open-times.ts'
import type { Page, Params } from './page.ts'
import { sendProven } from './prove-address.ts'
import { again, filledIn, readFields, readForm } from './read-form.ts'
import { unavailable } from './refusal-pages.tsx'
import { html, seeOther } from './respond.ts'
import { shownRefusal } from './show-refusal.ts'
import { DetailsForm } from './views/details-form.tsx'
import { EntryDocument } from './views/entry-document.tsx'
import { EventDocument } from './views/event-document.tsx'

/** Joins the waitlist of a slot that is full. */
export async function joinLine(page: Page, params: Params): Promise<Response> {
  const [{ owned, offer: shown }, fields] = await Promise.all([loadOffer(page, params), readFields(page)])
  if (!shown) return unavailable(page, owned)
  const typed = filledIn(fields)
  const form = new Map(fields)
  const start = parseTime(form.get('start_time') ?? null)
  const ownZone = [form.get('timezone')].find(isUsableZone) ?? shown.ownZone
  const offer = { ...shown, ownZone, zone: shown.isOnSite ? shown.zone : ownZone }
  const path = page.url.pathname.replace(/\/waitlist\/?$/, '')
  const { questions } = offer.event_type
  const answered = { questions, answers: answersFor(questions, typed.answers, page.locale.tag) }
  const place = placeIn(offer.event_type, typed)
  const body = {
    event_type_id: offer.event_type.id,
    start_time: start === null ? '' : formatInstant(start),
    invitee_name: typed.name,
    invitee_email: typed.email,
    invitee_timezone: offer.ownZone,
    locale: page.locale.tag,
    duration: offer.duration,
    ...place,
    ...(typed.notes !== '' && { notes: typed.notes }),
    ...(questions.length > 0 && { answers: answered.answers }),
    ...(typed.code !== '' && { verification_code: typed.code }),
  }
  const sent = await sendProven(page, offer.event_type.id, typed, () =>
    askOnce(page.ctx, typed.key, waitlistRoutes.joinWaitlist, { body }),
  )
  if (sent.ok) {
    const { id, cancel_token: token } = sent.body
    return seeOther(page, linkTo(page.url, { ...manner(page.url), token }, `${path}/waiting/${id}`))
  }
  const { texts } = page.locale
  const { filled, refusal } = sent
  const trouble = refusal
    ? shownRefusal(page, withPlace(withAnswers(refusal, answered), offer.event_type, place), {
        ...filled,
        answered,
        start,
        zone: offer.zone,
      })
    : { isTimeGone: false }
  const end = (start ?? 0) + offer.duration * MINUTE_MS
  const slot = start === null || trouble.isTimeGone ? null : { start, end, seatsLeft: null, isFull: true }
  // Changing the time leads back to the calendar, not to where the form was sent.
  const back = { ...page, url: new URL(`${path}${page.url.search}`, page.url) }
  return html(
    page,
    <EventDocument
      page={back}
      offer={offer}
      slot={slot}
      step={texts.joinWaitlist}
      hasTrouble={refusal !== null}
      isPrivate
    >
      <DetailsForm
        page={back}
        offer={offer}
        slot={slot}
        filled={again(filled)}
        trouble={trouble}
        action={linkTo(page.url, {})}
        heading={texts.joinWaitlist}
        text={waitText(page, offer)}
        submit={texts.joinWaitlist}
      />
    </EventDocument>,
    { status: refusal ? formStatus(refusal) : 200, isPrivate: true, isFrameable: true },
  )
}

export async function showEntry(page: Page, { id = '' }: Params): Promise<Response> {
  const token = page.url.searchParams.get('token') ?? ''
  const found = await getEntryForInvitee(page.ctx, id, token)
  const isFrameable = page.url.pathname.startsWith('/book/')
  return html(page, <EntryDocument page={page} found={found} token={token} />, {
    isPrivate: true,
    isFrameable,
  })
}

export async function leaveLine(page: Page, { id = '' }: Params): Promise<Response> {
  const token = (await readForm(page)).get('token') ?? ''
  const { entry } = await getEntryForInvitee(page.ctx, id, token)
  // Entries that were promoted or ran out show only that.
  await ask(page.ctx, waitlistRoutes.leaveWaitlist, { params: { id: entry.id }, query: { token } })
  return seeOther(page, `/waitlist/${entry.id}?token=${encodeURIComponent(token)}`)
}
