import type { DecisionLink } from '../booking/bookings/approval/find-linked.ts'
import { type FoundRequest, getRequest } from '../booking/bookings/approval/get-request.ts'
import { bookingRoutes } from '../booking/bookings/routes.ts'
import { seriesRoutes } from '../booking/series/routes.ts'
import { consoleUrl } from '../outbox/mail/for-members.ts'
import { formStatus } from '../platform/http/form-status.ts'
import { formatInstant } from '../platform/http/instants.ts'
import { fill } from '../platform/i18n/plural.ts'
import { ask } from './ask.ts'
import { momentOn, zoneOfInvitee } from './booking-times.ts'
import type { Page, Params } from './page.ts'
import { readForm } from './read-form.ts'
import { html, seeOther } from './respond.ts'
import { shownRefusal } from './show-refusal.ts'
import { BookingDocument } from './views/booking-document.tsx'
import { DecisionForm } from './views/decision-form.tsx'
import type { Trouble } from './views/details-form.tsx'
import type { IconName } from './views/icon.tsx'
import { Notice } from './views/notice.tsx'
import { RequestFacts } from './views/request-facts.tsx'
import { SeriesDates } from './views/series-dates.tsx'

/** The link in a request's email leads here: a button decides, not opening the address. */
export async function showRequest(page: Page, { id = '' }: Params): Promise<Response> {
  const { searchParams } = page.url
  const link = { id, memberId: searchParams.get('member') ?? '', token: searchParams.get('token') ?? '' }
  return shown(page, await getRequest(page.ctx, link), link)
}

/** Approves or declines with the token that the form carries; what is decided already shows how it ended. */
export async function decideRequest(page: Page, { id = '' }: Params): Promise<Response> {
  const form = await readForm(page)
  const link = { id, memberId: form.get('member') ?? '', token: form.get('token') ?? '' }
  const answer = form.get('answer')
  const reason = (form.get('reason') ?? '').replace(/\r\n/g, '\n').trim()
  const found = await getRequest(page.ctx, link)
  const { caller } = found
  // Only once: an earlier decision stays, however it was made.
  if (!found.isOpen) return shown(page, found, link, { status: 409 })
  // A form that was cut short, or made by somebody else, decides nothing.
  if (answer !== 'approve' && answer !== 'decline') return shown(page, found, link, { reason, status: 422 })
  const ctx = { ...page.ctx, caller }
  const why = reason === '' ? {} : { reason }
  const asked = await askFor(ctx, found, answer, why)
  if (asked.ok) return seeOther(page, addressOf(link))
  const now = await getRequest(page.ctx, link)
  const trouble = now.isOpen
    ? shownRefusal(page, asked.refusal, { start: null, zone: 'UTC', name: '', email: '' })
    : {}
  return shown(page, now, link, { trouble, reason, status: formStatus(asked.refusal) })
}

/** All requests of a series have one answer. */
function askFor(
  ctx: Parameters<typeof ask>[0],
  { booking, series }: FoundRequest,
  answer: 'approve' | 'decline',
  body: { readonly reason?: string },
) {
  const params = { id: series?.id ?? booking.id }
  if (series !== null) {
    return answer === 'approve'
      ? ask(ctx, seriesRoutes.approveSeries, { params })
      : ask(ctx, seriesRoutes.declineSeries, { params, body })
  }
  return answer === 'approve'
    ? ask(ctx, bookingRoutes.approveBooking, { params })
    : ask(ctx, bookingRoutes.declineBooking, { params, body })
}

function addressOf({ id, memberId, token }: DecisionLink): string {
  return `/requests/${id}?member=${encodeURIComponent(memberId)}&token=${encodeURIComponent(token)}`
}

type State = { readonly trouble?: Trouble; readonly reason?: string; readonly status?: number }

function shown(
  page: Page,
  found: FoundRequest,
  link: DecisionLink,
  { trouble = {}, reason = '', status = 200 }: State = {},
): Response {
  const { texts, emails } = page.locale
  const { booking, person, timezone } = found
  const zone = zoneOfInvitee(page, person.timezone ?? timezone)
  const heading = headingOf(page, found)
  const by = momentOn(page, found.decideBy, zone)
  return html(
    page,
    <BookingDocument page={page} found={found} title={heading.title}>
      <Notice {...heading}>
        {found.isOpen && <p>{fill(texts.decideBy, { time: by })}</p>}
        {booking.status === 'pending_payment' && <p>{texts.approvedToPay}</p>}
      </Notice>
      <RequestFacts page={page} found={found} zone={zone} />
      {found.isOpen && found.series && found.series.pending.length > 1 && (
        <SeriesDates page={page} bookings={found.series.pending.map(asDate)} zone={zone} />
      )}
      {found.isOpen && <DecisionForm page={page} link={link} trouble={trouble} reason={reason} />}
      <p class="links">
        <a href={consoleUrl(page.ctx.env, `/bookings/${booking.id}`)}>{emails.openConsole}</a>
      </p>
    </BookingDocument>,
    { isPrivate: true, status },
  )
}

type Pending = NonNullable<FoundRequest['series']>['pending'][number]

function asDate({ id, start, end }: Pending) {
  const status = 'pending_approval' as const
  return { id, status, start_time: formatInstant(start), end_time: formatInstant(end) }
}

type Heading = { title: string; icon: IconName; tone: 'good' | 'plain' }

function headingOf({ locale: { texts, emails } }: Page, { booking, isOpen }: FoundRequest): Heading {
  if (isOpen) return { title: emails.requestedHeading, icon: 'wait', tone: 'plain' }
  switch (booking.status) {
    case 'pending_approval':
      return { title: texts.decidedTooLate, icon: 'clock', tone: 'plain' }
    case 'cancelled':
      return { title: texts.cancelled, icon: 'cross', tone: 'plain' }
    default:
      return { title: texts.requestApproved, icon: 'check', tone: 'good' }
  }
}
