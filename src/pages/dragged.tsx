import type { DecisionLink } from '../booking/bookings/approval/find-linked.ts'
import { type FoundDragged, getDragged } from '../booking/bookings/dragged/get-dragged.ts'
import { isMovableTo, lengthOf } from '../booking/bookings/dragged/movable.ts'
import { restoreEvent } from '../booking/bookings/dragged/restore-event.ts'
import { bookingRoutes } from '../booking/bookings/routes.ts'
import type { Booking } from '../booking/bookings/schema.ts'
import { sessionRoutes } from '../booking/sessions/routes.ts'
import { MINUTE_MS } from '../core/time-units.ts'
import { consoleUrl } from '../outbox/mail/for-members.ts'
import type { Context } from '../platform/http/context.ts'
import { formStatus } from '../platform/http/form-status.ts'
import { fullDayText, spanText } from '../platform/i18n/format.ts'
import { ask } from './ask.ts'
import { zoneOfInvitee } from './booking-times.ts'
import type { Page, Params } from './page.ts'
import { readForm } from './read-form.ts'
import { html, seeOther } from './respond.ts'
import { shownRefusal } from './show-refusal.ts'
import { BookingDocument } from './views/booking-document.tsx'
import type { Trouble } from './views/details-form.tsx'
import { DragForm } from './views/drag-form.tsx'
import { Facts } from './views/facts.tsx'
import { Notice } from './views/notice.tsx'
import { RequestFacts } from './views/request-facts.tsx'

/** The links in the email about a moved event lead here: a button decides, not opening the address. */
export async function showDragged(page: Page, { id = '' }: Params): Promise<Response> {
  const { searchParams } = page.url
  const link = { id, memberId: searchParams.get('member') ?? '', token: searchParams.get('token') ?? '' }
  return shown(page, await getDragged(page.ctx, link), link)
}

/** Moves the booking to its event, or the event back, with the token that the form carries. */
export async function placeDragged(page: Page, { id = '' }: Params): Promise<Response> {
  const form = await readForm(page)
  const link = { id, memberId: form.get('member') ?? '', token: form.get('token') ?? '' }
  const answer = form.get('answer')
  const found = await getDragged(page.ctx, link)
  const { booking, caller, event, person, timezone } = found
  if (event === null) return shown(page, found, link, { status: 409 })
  const ctx = { ...page.ctx, caller }
  if (answer === 'restore') {
    await restoreEvent(ctx, booking)
    return seeOther(page, addressOf(link))
  }
  // A form that was cut short, or made by somebody else, decides nothing.
  if (answer !== 'move' || !isMovableTo(booking, event)) return shown(page, found, link, { status: 422 })
  const asked = await moveToEvent(ctx, booking, event)
  if (asked.ok) return seeOther(page, addressOf(link))
  const start = Date.parse(event.start_time)
  const zone = zoneOfInvitee(page, person.timezone ?? timezone)
  const trouble = shownRefusal(page, asked.refusal, { start, zone, name: '', email: '' })
  return shown(page, await getDragged(page.ctx, link), link, { trouble, status: formStatus(asked.refusal) })
}

type Times = Pick<Booking, 'start_time' | 'end_time'>

/** A session moves as a whole. The owner decides on purpose, so their own rules do not count. */
export function moveToEvent(ctx: Context, booking: Booking, event: Times) {
  const new_start_time = event.start_time
  if (booking.session_id !== null) {
    const params = { id: booking.session_id }
    return ask(ctx, sessionRoutes.rescheduleSession, { params, body: { new_start_time } })
  }
  const isLength = lengthOf(event) === lengthOf(booking)
  const body = {
    new_start_time,
    override: ['hours', 'notice', 'window', 'grid', 'cap', 'limits'],
    ...(!isLength && { duration: lengthOf(event) / MINUTE_MS }),
  }
  return ask(ctx, bookingRoutes.rescheduleBooking, { params: { id: booking.id }, body })
}

function addressOf({ id, memberId, token }: DecisionLink): string {
  return `/requests/${id}/event?member=${encodeURIComponent(memberId)}&token=${encodeURIComponent(token)}`
}

type State = { readonly trouble?: Trouble; readonly status?: number }

function shown(
  page: Page,
  found: FoundDragged,
  link: DecisionLink,
  { trouble = {}, status = 200 }: State = {},
): Response {
  const { emails } = page.locale
  const { booking, event, person, timezone } = found
  const zone = zoneOfInvitee(page, person.timezone ?? timezone)
  const title = event ? emails.outOfSyncHeading : emails.inSyncHeading
  return html(
    page,
    <BookingDocument page={page} found={found} title={title}>
      <Notice title={title} icon={event ? 'wait' : 'check'} tone={event ? 'plain' : 'good'}>
        {event && <p>{emails.outOfSyncText}</p>}
      </Notice>
      <RequestFacts page={page} found={{ ...found, answers: [] }} zone={zone} />
      {event && <EventTime page={page} event={event} zone={zone} />}
      {event && (
        <DragForm page={page} link={link} trouble={trouble} isMovable={isMovableTo(booking, event)} />
      )}
      <p class="links">
        <a href={consoleUrl(page.ctx.env, `/bookings/${booking.id}`)}>{emails.openConsole}</a>
      </p>
    </BookingDocument>,
    { isPrivate: true, status },
  )
}

type EventTimeProps = { readonly page: Page; readonly event: Times; readonly zone: string }

function EventTime({ page: { locale }, event, zone }: EventTimeProps) {
  const [start, end] = [Date.parse(event.start_time), Date.parse(event.end_time)]
  const time = (
    <>
      <strong>{fullDayText(locale, start, zone)}</strong>
      <br />
      {spanText(locale, start, end, zone)}
    </>
  )
  return <Facts facts={[{ icon: 'calendar', label: locale.emails.inCalendar, text: time }]} />
}
