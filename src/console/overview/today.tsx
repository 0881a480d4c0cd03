import { isRolePermitted } from '../../platform/auth/policy.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { overviewTexts } from '../../platform/i18n/console/overview.ts'
import { dayText, timeText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { StatusBadge } from '../bookings/status-badge.tsx'
import type { MemberRequest } from '../request.ts'
import { Form } from '../views/form.tsx'
import { Sign } from '../views/icons.tsx'
import type { Overview } from './load.ts'

type Agenda = Overview['agenda']
type Booked = Agenda['data'][number]

/** What is booked today, with one click for who came once it has begun. */
export function Today({ request, agenda }: { readonly request: MemberRequest; readonly agenda: Agenda }) {
  const { page, zone, now } = request
  const { locale } = page
  const texts = textsOf(locale, overviewTexts)
  return (
    <section class="part">
      <div class="head-line">
        <h2>
          {texts.today}, {dayText(locale, now, zone)}
        </h2>
        <a href="/console/bookings?view=today">{texts.allBookings}</a>
      </div>
      {agenda.data.length === 0 ? (
        <p class="soft">{texts.nothingToday}</p>
      ) : (
        <ul class="rows">
          {agenda.data.map((booking) => (
            <li key={booking.id} class="booked">
              <div class="span">
                <time dateTime={booking.start_time}>
                  {timeText(locale, Date.parse(booking.start_time), zone)} –{' '}
                  {timeText(locale, Date.parse(booking.end_time), zone)}
                </time>
              </div>
              <div>
                <a class="row-link" href={`/console/bookings/${booking.id}`}>
                  <bdi>{booking.invitee_name}</bdi>
                </a>
                <p class="soft">
                  <bdi>{whatOf(booking)}</bdi>
                </p>
              </div>
              <div class="row-end">
                <Attendance request={request} booking={booking} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function whatOf({ event_title: title, assigned_host: host }: Booked): string {
  return host ? `${title} · ${host.name ?? host.email}` : title
}

type AttendanceProps = { readonly request: MemberRequest; readonly booking: Booked }

function Attendance({ request, booking }: AttendanceProps) {
  const { page, member, now } = request
  const texts = textsOf(page.locale, overviewTexts)
  const isCertain = booking.status === 'confirmed' || booking.status === 'rescheduled'
  const hasBegun = Date.parse(booking.start_time) <= now
  if (booking.has_attendance) {
    const isMissed = booking.attendees.every(({ no_show }) => no_show)
    return (
      <span class={isMissed ? 'badge warn' : 'badge good'}>
        {isMissed ? texts.recordedMissed : texts.recorded}
      </span>
    )
  }
  if (!isCertain || !hasBegun || !isRolePermitted(member.role, 'book')) {
    return <StatusBadge request={request} booking={booking} />
  }
  const { id, attendees, invitee_name: name } = booking
  return (
    <>
      <Form
        request={request}
        action={`/console/bookings/${id}/attendance`}
        hidden={{ from: 'overview' }}
        class="inline"
      >
        <button type="submit" class="soft-button" aria-label={fill(texts.cameOf, { name })}>
          <Sign name="check" />
          {texts.came}
        </button>
      </Form>
      <Form
        request={request}
        action={`/console/bookings/${id}/attendance`}
        hidden={{ from: 'overview' }}
        class="inline"
      >
        {attendees.map((one) => (
          <input key={one.id} type="hidden" name="no_show" value={one.id} />
        ))}
        <button type="submit" class="soft-button" aria-label={fill(texts.missedOf, { name })}>
          {texts.missed}
        </button>
      </Form>
    </>
  )
}
