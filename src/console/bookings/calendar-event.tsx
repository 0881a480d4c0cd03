import { isMovableTo } from '../../booking/bookings/dragged/movable.ts'
import type { BookingDetail } from '../../booking/bookings/schema.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { ownSpanText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { Form } from '../views/form.tsx'

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
  const time = ownSpanText(locale, Date.parse(event.start_time), Date.parse(event.end_time), zone)
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
