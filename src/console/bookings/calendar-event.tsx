import { isMovableTo } from '../../booking/bookings/dragged/movable.ts'
import { restoreEvent } from '../../booking/bookings/dragged/restore-event.ts'
import type { BookingDetail } from '../../booking/bookings/schema.ts'
import { moveToEvent } from '../../pages/dragged.tsx'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shortSpanText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { callerOf, sharedEnv } from '../ask.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { Form } from '../views/form.tsx'
import { bookingPage, loadBooking } from './show-booking.tsx'

type Props = {
  readonly request: MemberRequest
  readonly booking: BookingDetail
  readonly trouble?: Trouble | undefined
}

/** Where the calendar event of a booking was moved, and the two ways to go on. */
export function CalendarEventForm({ request, booking, trouble = NO_TROUBLE }: Props) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, bookingChangeTexts)
  const event = booking.out_of_sync
  if (event === null) return null
  const time = shortSpanText(locale, Date.parse(event.start_time), Date.parse(event.end_time), zone)
  return (
    <Form
      request={request}
      action={`/console/bookings/${booking.id}/event`}
      trouble={trouble}
      class="panel"
      label={texts.eventMoved}
    >
      <h2>{texts.eventMoved}</h2>
      <p>{fill(texts.eventMovedTo, { time })}</p>
      <div class="form-end">
        {isMovableTo(booking, event) && (
          <button type="submit" name="answer" value="move" class="button">
            {texts.moveToEvent}
          </button>
        )}
        <button type="submit" name="answer" value="restore" class="button soft-button">
          {texts.putEventBack}
        </button>
      </div>
    </Form>
  )
}

/** Moves the booking to its event, or the event back. */
export async function placeEventFromConsole(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const { page, form, member, now } = request
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const booking = await loadBooking(request, id)
  const event = booking.out_of_sync
  if (event === null) return bookingPage(request, booking, {}, 409)
  const ctx = { ...page.ctx, env: sharedEnv(request), caller: callerOf(request), now, claim: null }
  if (form.get('answer') === 'restore') {
    await restoreEvent(ctx, booking)
    return seeOther(page, `/console/bookings/${id}?done=eventRestored`)
  }
  if (form.get('answer') !== 'move' || !isMovableTo(booking, event))
    return bookingPage(request, booking, {}, 422)
  const asked = await moveToEvent(ctx, booking, event)
  if (asked.ok) return seeOther(page, `/console/bookings/${id}?done=moved`)
  const trouble = troubleOf(page.locale, asked.refusal)
  return bookingPage(request, booking, { event: trouble }, formStatus(asked.refusal))
}
