import { type BookingToChange, getBookingToChange } from '../booking/bookings/get-to-change.ts'
import { bookingRoutes } from '../booking/bookings/routes.ts'
import { looseId } from '../platform/db/ids.ts'
import type { Refusal } from '../platform/http/errors.ts'
import { formStatus } from '../platform/http/form-status.ts'
import { fill } from '../platform/i18n/plural.ts'
import { withAnswers } from './answer-trouble.ts'
import { answersFor } from './answers-in.ts'
import { askOnce } from './ask.ts'
import { changesIn, detailsIn, detailsOf, isChangeable, type OwnDetails } from './own-details.ts'
import type { Page, Params } from './page.ts'
import { readFields } from './read-form.ts'
import { html, seeOther } from './respond.ts'
import { shownRefusal } from './show-refusal.ts'
import { BookingDocument } from './views/booking-document.tsx'
import { ChangeForm } from './views/change-form.tsx'
import type { Trouble } from './views/details-form.tsx'
import { Problems } from './views/problems.tsx'

/** What an invitee can change of their booking, besides its time. Two database round trips. */
export async function showChange(page: Page, { id = '' }: Params): Promise<Response> {
  const token = page.url.searchParams.get('token') ?? ''
  const found = await getBookingToChange(page.ctx, id, token)
  return changePage(page, found, token, detailsOf(found, page.locale.tag), {}, 200)
}

export async function changeBooking(page: Page, { id = '' }: Params): Promise<Response> {
  const fields = await readFields(page)
  const token = fields.get('token') ?? ''
  const found = await getBookingToChange(page.ctx, id, token)
  const typed = detailsIn(fields)
  const asked = await askOnce(page.ctx, fields.get('key') || looseId(), bookingRoutes.updateBooking, {
    params: { id: found.booking.id },
    query: { token },
    body: changesIn(found, typed, page.locale.tag),
  })
  if (asked.ok)
    return seeOther(page, `/bookings/${found.booking.id}?token=${encodeURIComponent(token)}&changed=1`)
  return changePage(
    page,
    found,
    token,
    typed,
    troubleOf(page, found, typed, asked.refusal),
    formStatus(asked.refusal),
  )
}

function troubleOf(page: Page, found: BookingToChange, typed: OwnDetails, refusal: Refusal): Trouble {
  const { locale } = page
  // It was cancelled, or began, since the page was opened.
  if (refusal.reason === 'cannot_update') return { title: locale.texts.cancelled }
  if (refusal.reason === 'too_late') return { title: tooLate(page, found) }
  const { questions } = found
  const answered = { questions, answers: answersFor(questions, typed.answers, locale.tag) }
  const form = {
    start: null,
    zone: typed.timezone,
    name: typed.name,
    email: '',
    company: typed.company,
    answered,
  }
  const areAnswersSent = 'answers' in changesIn(found, typed, locale.tag)
  return shownRefusal(page, areAnswersSent ? withAnswers(refusal, answered) : refusal, form)
}

function tooLate({ locale }: Page, { organization }: BookingToChange): string {
  return fill(locale.texts.tooLateToChange, { org: organization.name })
}

function changePage(
  page: Page,
  found: BookingToChange,
  token: string,
  typed: OwnDetails,
  trouble: Trouble,
  status: number,
): Response {
  const { texts } = page.locale
  const { booking, questions, maxGuests, offersTexts } = found
  const whyNot = booking.status === 'cancelled' ? texts.cancelled : tooLate(page, found)
  return html(
    page,
    <BookingDocument page={page} found={found} title={texts.changeDetails}>
      {isChangeable(found) ? (
        <ChangeForm
          page={page}
          id={booking.id}
          token={token}
          typed={typed}
          trouble={trouble}
          questions={questions}
          offersTexts={offersTexts}
          most={Math.max(maxGuests, booking.guests.length)}
        />
      ) : (
        <Problems page={page} title={whyNot} />
      )}
      <p class="links">
        <a href={`/bookings/${booking.id}?token=${encodeURIComponent(token)}`}>{texts.yourBooking}</a>
      </p>
    </BookingDocument>,
    { isPrivate: true, status },
  )
}
