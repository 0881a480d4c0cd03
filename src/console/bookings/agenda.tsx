import type { AgendaBooking } from '../../booking/bookings/list/agenda.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import {
  dayText,
  fullDayText,
  ownSpanText,
  pluralText,
  subjectDateText,
  timeText,
} from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'
import { ChooseBox } from './choose-box.tsx'
import { namesOf } from './names-of.ts'
import { StatusBadge } from './status-badge.tsx'

type Props = {
  readonly request: MemberRequest
  readonly bookings: readonly AgendaBooking[]
  readonly nothing: string
  readonly advice?: string | undefined
  /** Not by days: each says its own. */
  readonly showsDate?: boolean | undefined
  /** Whether several can be ticked, for a `ChosenForm`. */
  readonly areChosen?: boolean | undefined
}

/** Bookings by their day. */
export function Agenda({ request, bookings, nothing, advice, showsDate, areChosen }: Props) {
  const { page, zone, now } = request
  if (bookings.length === 0) {
    return (
      <div class="empty">
        <Sign name="calendar" />
        <strong>{nothing}</strong>
        {advice && <span>{advice}</span>}
      </div>
    )
  }
  if (showsDate) return <Rows request={request} bookings={bookings} areChosen={areChosen} showsDate />
  const dayOf = (instant: number) => fullDayText(page.locale, instant, zone)
  const days = Map.groupBy(bookings, ({ start_time }) => dayOf(Date.parse(start_time)))
  const texts = textsOf(page.locale, bookingsTexts)
  const today = dayOf(now)
  return (
    <>
      {[...days].map(([day, own]) => (
        <section key={day} class="part">
          <h2>{day === today ? fill(texts.todayAt, { date: dayText(page.locale, now, zone) }) : day}</h2>
          <Rows request={request} bookings={own} areChosen={areChosen} />
        </section>
      ))}
    </>
  )
}

type RowsProps = Pick<Props, 'request' | 'bookings' | 'showsDate' | 'areChosen'>

function Rows({ request, bookings, showsDate, areChosen }: RowsProps) {
  const { page, zone, now, member } = request
  const mayChoose = areChosen && isRolePermitted(member.role, 'book')
  const { locale } = page
  const texts = textsOf(locale, bookingsTexts)
  return (
    <ul class="rows">
      {bookings.map((booking) => {
        const [start, end] = [Date.parse(booking.start_time), Date.parse(booking.end_time)]
        const further = booking.attendee_count - 1
        const beside = [
          booking.event_title,
          ...(booking.hosts.length > 0 ? [fill(texts.with, { host: namesOf(booking.hosts) })] : []),
          ...(further > 0 ? [pluralText(locale, texts.furtherAttendees, further)] : []),
        ]
        return (
          <li key={booking.id} class="booked">
            <div class="span">
              {showsDate && <span class="soft">{subjectDateText(locale, start, zone)}</span>}
              <time dateTime={booking.start_time}>
                {timeText(locale, start, zone)} – {timeText(locale, end, zone)}
              </time>
            </div>
            <div>
              <a class="row-link" href={`/console/bookings/${booking.id}`}>
                <bdi>{booking.invitee_name}</bdi>
              </a>
              <p class="soft">
                <bdi>{beside.join(' · ')}</bdi>
              </p>
            </div>
            <div class="row-end">
              <StatusBadge request={request} booking={booking} />
              {mayChoose && booking.status !== 'cancelled' && end > now && (
                <ChooseBox
                  request={request}
                  id={booking.id}
                  name={booking.invitee_name}
                  time={ownSpanText(locale, start, end, zone)}
                />
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
