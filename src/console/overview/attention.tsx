import type { ConcernedBooking } from '../../booking/attention/find-concerned.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { overviewTexts } from '../../platform/i18n/console/overview.ts'
import { ownShortMomentText, ownSpanText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { Requests } from '../bookings/requests.tsx'
import { stateOf } from '../calendars/state.ts'
import { ClosedNotice, reasonsAgainst } from '../event-types/closed.tsx'
import type { MemberRequest } from '../request.ts'
import type { Overview } from './load.ts'

/** From this share on, the plan's month is shown. */
const NEARLY = 0.8

type Props = { readonly request: MemberRequest; readonly overview: Overview }

/** What somebody has to do something about. */
export function Attention({ request, overview }: Props) {
  const { locale } = request.page
  const texts = textsOf(locale, overviewTexts)
  const { requests, hasMoreRequests, decidable, concerned, eventTypes, calendars, usage } = overview
  const lost = calendars.data.filter((calendar) => stateOf(request, calendar).needsReconnecting)
  const isClosed = eventTypes.some((eventType) => reasonsAgainst(eventType).length > 0)
  const isNearly = isNearlyUsed(request, usage)
  const isDone =
    requests.length === 0 && concerned.length === 0 && lost.length === 0 && !isClosed && !isNearly
  return (
    <section class="part">
      <h2>{texts.attention}</h2>
      {isDone && <p class="soft">{texts.allDone}</p>}
      <ClosedNotice request={request} eventTypes={eventTypes} isNamed />
      {isNearly && <PlanNote request={request} usage={usage} />}
      {lost.map(({ id, name, member_name: member }) => (
        <p key={id} class="band bad-band">
          {fill(texts.calendarLost, { name, member })} <a href="/console/calendars">{texts.openCalendars}</a>
        </p>
      ))}
      {requests.length > 0 && <Requests request={request} requests={requests} decidable={decidable} />}
      {hasMoreRequests && (
        <p>
          <a href="/console/bookings?view=requests">{texts.moreRequests}</a>
        </p>
      )}
      {concerned.length > 0 && <Concerned request={request} concerned={concerned} />}
    </section>
  )
}

type Usage = Overview['usage']

/** The sandbox has no month. */
function isNearlyUsed({ isTest }: MemberRequest, { usage, limits }: Usage): boolean {
  return !isTest && usage.bookings_this_month >= limits.bookings_per_month * NEARLY
}

function PlanNote({
  request,
  usage: { usage, limits, reset_at: resets },
}: {
  request: MemberRequest
  usage: Usage
}) {
  const { page, zone } = request
  const texts = textsOf(page.locale, overviewTexts)
  const isFull = usage.bookings_this_month >= limits.bookings_per_month
  const told = fill(isFull ? texts.planFull : texts.planNearly, {
    used: usage.bookings_this_month.toLocaleString(page.locale.tag),
    limit: limits.bookings_per_month.toLocaleString(page.locale.tag),
    time: ownShortMomentText(page.locale, Date.parse(resets.monthly), zone),
  })
  return (
    <p class={isFull ? 'band bad-band' : 'band test-band'}>
      {told} <a href="/console/payments/plan">{texts.openPlan}</a>
    </p>
  )
}

function Concerned({
  request,
  concerned,
}: {
  request: MemberRequest
  concerned: readonly ConcernedBooking[]
}) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, overviewTexts)
  return (
    <ul class="rows">
      {concerned.map(({ booking, concern }) => (
        <li key={booking.id} class="wraps">
          <div>
            <a class="row-link" href={`/console/bookings/${booking.id}`}>
              <bdi>{booking.invitee_name}</bdi>
            </a>
            <p>{ownSpanText(locale, Date.parse(booking.start_time), Date.parse(booking.end_time), zone)}</p>
            <p class="soft">
              <bdi>{booking.event_title}</bdi>
            </p>
          </div>
          <div class="row-end">
            <span class="badge warn">{texts[concern]}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}
