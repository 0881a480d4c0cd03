import type { DecisionLink } from '../booking/bookings/approval/find-linked.ts'
import { type FoundRequest, getRequest } from '../booking/bookings/approval/get-request.ts'
import { bookingRoutes } from '../booking/bookings/routes.ts'
import { consoleUrl } from '../outbox/mail/for-members.ts'
import { formStatus } from '../platform/http/form-status.ts'
import { momentText } from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import { ask } from './ask.ts'
import { zoneOfInvitee } from './booking-times.ts'
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
  const { booking, caller } = found
  // Only once: an earlier decision stays, however it was made.
  if (!found.isOpen) return shown(page, found, link, { status: 409 })
  // A form that was cut short, or made by somebody else, decides nothing.
  if (answer !== 'approve' && answer !== 'decline') return shown(page, found, link, { reason, status: 422 })
  const [ctx, params] = [{ ...page.ctx, caller }, { id: booking.id }]
  const asked =
    answer === 'approve'
      ? await ask(ctx, bookingRoutes.approveBooking, { params })
      : await ask(ctx, bookingRoutes.declineBooking, { params, body: reason === '' ? {} : { reason } })
  if (asked.ok) return seeOther(page, addressOf(link))
  const now = await getRequest(page.ctx, link)
  const trouble = now.isOpen
    ? shownRefusal(page, asked.refusal, { start: null, zone: 'UTC', name: '', email: '' })
    : {}
  return shown(page, now, link, { trouble, reason, status: formStatus(asked.refusal) })
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
  const by = momentText(page.locale, found.decideBy, zone)
  return html(
    page,
    <BookingDocument page={page} found={found} title={heading.title}>
      <Notice {...heading}>
        {found.isOpen && <p>{fill(texts.decideBy, { time: by })}</p>}
        {booking.status === 'pending_payment' && <p>{texts.approvedToPay}</p>}
      </Notice>
      <RequestFacts page={page} found={found} zone={zone} />
      {found.isOpen && <DecisionForm page={page} link={link} trouble={trouble} reason={reason} />}
      <p class="links">
        <a href={consoleUrl(page.ctx.env, `/bookings/${booking.id}`)}>{emails.openConsole}</a>
      </p>
    </BookingDocument>,
    { isPrivate: true, status },
  )
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
