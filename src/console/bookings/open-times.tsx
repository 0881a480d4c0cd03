import type { Availability } from '../../booking/hours/event-type/schema.ts'
import { availabilityRoutes } from '../../booking/slots/routes.ts'
import { dateInZone, formatDate, parseDate } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { bookingsTexts } from '../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fullDayText, ownShortMomentText, timeText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask } from '../ask.ts'
import type { MemberRequest } from '../request.ts'
import { dateIn, todayOf } from './views.ts'

const DAYS = 14

type Slots = Pick<Availability, 'next_available'> & {
  readonly slots: readonly { readonly start_time: string }[]
}

/** Two weeks of open starts, from the day that the address asks for, or that was shown where something was chosen. */
export type Week = {
  readonly first: number
  readonly slots: Slots['slots']
  readonly nextOpen: string | null
}

type Wanted = {
  readonly eventTypeId: string
  readonly duration: number | null
  /** The booking that is being rescheduled does not block its own time. */
  readonly moved?: string
  /** The host who must be free. */
  readonly memberId?: string | null
}

export async function loadWeek(
  request: MemberRequest,
  { eventTypeId, duration, moved, memberId = null }: Wanted,
): Promise<Week> {
  const today = todayOf(request)
  const shown = dateIn(request.page.url, 'from') ?? parseDate(request.form.get('from') ?? '')
  const first = Math.max(today, shown ?? today)
  const query = {
    event_type_id: eventTypeId,
    start: formatDate(first),
    end: formatDate(first + (DAYS - 1) * DAY_MS),
    timezone: request.zone,
    ...(moved === undefined ? duration !== null && { duration: String(duration) } : { booking_id: moved }),
    ...(memberId !== null && { member_id: memberId }),
  }
  const asked = await ask(request, availabilityRoutes.listOpenSlots, { query })
  // An event type that is not offered any more has no open times.
  const found: Slots | null = asked.ok ? asked.body : null
  return { first, slots: found?.slots ?? [], nextOpen: found?.next_available ?? null }
}

type Props = {
  readonly request: MemberRequest
  readonly week: Week
  /** This address with another first day. */
  readonly linkTo: (first: string) => string
}

/** The open times of two weeks, each to be chosen. */
export function OpenTimes({ request, week, linkTo }: Props) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, bookingsTexts)
  const today = todayOf(request)
  const days = Map.groupBy(week.slots, ({ start_time }) => fullDayText(locale, Date.parse(start_time), zone))
  // The calendar names the time that was clicked.
  const chosen = request.form.get('start') ?? page.url.searchParams.get('start')
  return (
    <div class="part">
      <input type="hidden" name="from" value={formatDate(week.first)} />
      <div class="weeks">
        {week.first > today && (
          <a href={linkTo(formatDate(Math.max(today, week.first - DAYS * DAY_MS)))}>← {texts.earlier}</a>
        )}
        <a href={linkTo(formatDate(week.first + DAYS * DAY_MS))}>{texts.laterDays} →</a>
      </div>
      {week.slots.length === 0 && (
        <p class="soft">
          {texts.noTimes}{' '}
          {week.nextOpen && (
            <a href={linkTo(formatDate(dateInZone(zone, Date.parse(week.nextOpen))))}>
              {fill(texts.nextOpen, { time: ownShortMomentText(locale, Date.parse(week.nextOpen), zone) })}
            </a>
          )}
        </p>
      )}
      {[...days].map(([day, slots]) => (
        <fieldset key={day} class="field">
          <legend>{day}</legend>
          <div class="days">
            {slots.map(({ start_time }) => (
              <label key={start_time}>
                <input type="radio" name="start" value={start_time} checked={start_time === chosen} />
                <span>{timeText(locale, Date.parse(start_time), zone)}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  )
}
