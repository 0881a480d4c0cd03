import type { BookingDetail } from '../../booking/bookings/schema.ts'
import { bookingFormTexts } from '../../platform/i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { CheckField } from '../views/fields.tsx'
import { fieldsFor, typedFields } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'

type Props = {
  readonly request: MemberRequest
  readonly booking: BookingDetail
  readonly trouble?: Trouble | undefined
}

/** Yes or no to a request. */
export function DecideForms({ request, booking, trouble = NO_TROUBLE }: Props) {
  const { page, form } = request
  const texts = textsOf(page.locale, bookingFormTexts)
  const { reasonLabel, reasonHint } = textsOf(page.locale, bookingsTexts)
  const field = typedFields(request, trouble)
  const isOpen = form.has('decline_reason') || page.url.searchParams.has('decline')
  return (
    <>
      <Form
        request={request}
        action={`/console/bookings/${booking.id}/approve`}
        trouble={trouble}
        class="panel"
      >
        <p class="soft">{texts.waitsText}</p>
        <FormEnd request={request} text={texts.approve} />
      </Form>
      <details class="panel folded" id="decline" open={isOpen}>
        <summary>{texts.declineRequest}</summary>
        <Form request={request} action={`/console/bookings/${booking.id}/decline`}>
          <p class="soft">{texts.declineText}</p>
          {field.text('decline_reason', reasonLabel, { hint: reasonHint, rows: 2, isOptional: true })}
          <FormEnd request={request} text={texts.declineRequest} tone="danger" />
        </Form>
      </details>
    </>
  )
}

/** Attendance, once it has begun. */
export function AttendanceForm({ request, booking, trouble = NO_TROUBLE }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, bookingFormTexts)
  const isKnown = booking.host_absent || booking.attendees.some(({ no_show }) => no_show)
  return (
    <details class="panel folded" open={isKnown || trouble !== NO_TROUBLE}>
      <summary>{texts.attendance}</summary>
      <Form request={request} action={`/console/bookings/${booking.id}/attendance`} trouble={trouble}>
        <p class="soft">{texts.attendanceText}</p>
        {booking.attendees.map(({ id, name, no_show }) => (
          <CheckField
            key={id}
            locale={locale}
            id={`no_show-${id}`}
            name="no_show"
            value={id}
            label={fill(texts.didNotCome, { name })}
            isChecked={no_show}
          />
        ))}
        {fieldsFor({ locale }, booking).check('host_absent', texts.hostAbsent)}
        <FormEnd request={request} text={texts.saveAttendance} tone="soft-button" />
      </Form>
    </details>
  )
}
