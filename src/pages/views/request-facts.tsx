import { Fragment } from 'preact'
import type { FoundRequest } from '../../booking/bookings/approval/get-request.ts'
import { durationText, fullDayText, spanText, zoneText } from '../../platform/i18n/format.ts'
import type { Page } from '../page.ts'
import { answerFacts } from './answer-facts.tsx'
import { Facts } from './facts.tsx'

type Props = {
  readonly page: Page
  readonly found: Pick<FoundRequest, 'booking' | 'eventType' | 'answers'>
  readonly zone: string
}

/** What is needed to decide a request: the invitee, the time, and what they said. */
export function RequestFacts({ page: { locale }, found, zone }: Props) {
  const { texts, emails } = locale
  const { booking, eventType, answers } = found
  const [start, end] = [Date.parse(booking.start_time), Date.parse(booking.end_time)]
  const guests = booking.attendees.filter(({ is_primary, email }) => !is_primary && email !== '')
  return (
    <Facts
      facts={[
        {
          icon: 'person',
          label: texts.who,
          text: (
            <>
              <strong>
                <bdi>{booking.invitee_name || '–'}</bdi>
              </strong>
              {booking.invitee_email && (
                <>
                  <br />
                  <a href={`mailto:${encodeURIComponent(booking.invitee_email)}`}>
                    <bdi>{booking.invitee_email}</bdi>
                  </a>
                </>
              )}
            </>
          ),
        },
        { icon: 'calendar', label: texts.what, text: <bdi>{eventType.title}</bdi> },
        {
          icon: 'clock',
          label: texts.when,
          text: (
            <span class={booking.status === 'cancelled' ? 'struck' : undefined}>
              <strong>{fullDayText(locale, start, zone)}</strong>
              <br />
              {spanText(locale, start, end, zone)} ({durationText(locale, start, end)})
            </span>
          ),
        },
        { icon: 'globe', label: texts.timeZone, text: zoneText(locale, start, zone) },
        guests.length > 0
          ? {
              icon: 'seats',
              label: emails.guests,
              text: guests.map(({ id, name, email }, at) => (
                <Fragment key={id}>
                  {at > 0 && texts.comma}
                  <bdi>{name}</bdi> (<bdi>{email}</bdi>)
                </Fragment>
              )),
            }
          : null,
        booking.notes
          ? { icon: 'note', label: texts.notes, text: <span class="pre">{booking.notes}</span> }
          : null,
        ...answerFacts(locale, answers),
        booking.cancel_reason
          ? { icon: 'note', label: texts.reasonGiven, text: <span class="pre">{booking.cancel_reason}</span> }
          : null,
      ]}
    />
  )
}
