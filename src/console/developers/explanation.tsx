import type { Reason } from '../../booking/bookable/schema.ts'
import type { DayExplanation, StartExplanation } from '../../booking/slots/explain/schema.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { explainTexts } from '../../platform/i18n/console/explain.ts'
import { ownShortMomentText, ownSpanText, spanText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'

/** What hosts are called, by the id of the member. */
export type Names = ReadonlyMap<string, string>

type StartProps = { readonly request: MemberRequest; readonly told: StartExplanation; readonly names: Names }

export function ToldStart({ request, told, names }: StartProps) {
  const { page, zone } = request
  const { locale } = page
  const texts = textsOf(locale, explainTexts)
  const span = ownSpanText(locale, Date.parse(told.start_time), Date.parse(told.end_time), zone)
  return (
    <section class="panel" aria-labelledby="told">
      <header>
        <h2 id="told">
          <span class={`badge ${told.bookable ? 'good' : 'bad'}`}>
            {told.bookable ? texts.open : texts.closed}
          </span>
        </h2>
        <p>{span}</p>
      </header>
      {told.reasons.length > 0 && (
        <div class="part">
          <h3>{texts.reasons}</h3>
          <Reasons request={request} reasons={told.reasons} />
        </div>
      )}
      {told.hosts.length > 0 && (
        <div class="part">
          <h3>{texts.hosts}</h3>
          <ul class="rows">
            {told.hosts.map(({ member_id, bookable, reasons }) => (
              <li key={member_id}>
                <div>
                  <strong>
                    <bdi>{names.get(member_id) ?? member_id}</bdi>
                  </strong>
                  <Reasons request={request} reasons={reasons} />
                </div>
                <span class={`badge ${bookable ? 'good' : 'bad'}`}>{bookable ? texts.free : texts.busy}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {told.alternatives.length > 0 && (
        <div class="part">
          <h3>{texts.alternatives}</h3>
          <ul class="linked">
            {told.alternatives.map((start) => (
              <li key={start}>{ownShortMomentText(locale, Date.parse(start), zone)}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

export function ToldDay({
  request,
  told,
}: {
  readonly request: MemberRequest
  readonly told: DayExplanation
}) {
  const { locale } = request.page
  const texts = textsOf(locale, explainTexts)
  const spans = [
    ...told.open.map((span) => ({ ...span, isOpen: true, reasons: [] as readonly Reason[] })),
    ...told.closed.map((span) => ({ ...span, isOpen: false })),
  ].sort((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time))
  return (
    <section class="part" aria-labelledby="told">
      <h2 id="told">{texts.day}</h2>
      <ul class="rows">
        {spans.map(({ start_time, end_time, isOpen, reasons }) => {
          const [start, end] = [Date.parse(start_time), Date.parse(end_time)]
          return (
            <li key={start_time} class="booked">
              <span class="span">
                {end - start >= DAY_MS ? texts.all : spanText(locale, start, end, told.timezone)}
              </span>
              <Reasons request={request} reasons={reasons} />
              <span class={`badge ${isOpen ? 'good' : ''}`}>
                {isOpen ? texts.openSpan : texts.closedSpan}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type ReasonsProps = { readonly request: MemberRequest; readonly reasons: readonly Reason[] }

function Reasons({ request, reasons }: ReasonsProps) {
  const { locale } = request.page
  const texts = textsOf(locale, explainTexts)
  return (
    <ul>
      {reasons.map((reason, at) => (
        <li key={at}>
          {texts[reason.code]}
          {WITH_FIGURES.has(reason.code) && locale.language === 'en' && (
            <span class="soft"> {reason.message}</span>
          )}
          <Links request={request} reason={reason} />
          {reason.busy_as_of &&
            ` (${fill(texts.asOf, { time: ownShortMomentText(locale, Date.parse(reason.busy_as_of), request.zone) })})`}
        </li>
      ))}
    </ul>
  )
}

/** Of these the API says more than what they are called here, in English. */
const WITH_FIGURES: ReadonlySet<Reason['code']> = new Set([
  ...(['plan_limit', 'duration_not_offered', 'too_soon', 'too_far', 'outside_window', 'off_grid'] as const),
  ...(['session_full', 'cap_reached'] as const),
])

/** Where that can be looked at, or changed. */
function Links({ request, reason }: { readonly request: MemberRequest; readonly reason: Reason }) {
  const texts = textsOf(request.page.locale, explainTexts)
  const links = [
    reason.booking_id && ([`/console/bookings/${reason.booking_id}`, texts.toBooking] as const),
    reason.schedule_id && ([`/console/hours/${reason.schedule_id}`, texts.toSchedule] as const),
    reason.time_off_id && (['/console/hours', texts.toTimeOff] as const),
    reason.calendar_connection_id && (['/console/calendars', texts.toCalendar] as const),
  ]
  return (
    <>
      {links.map(
        (link) =>
          link && (
            <span key={link[0]}>
              {' '}
              <a href={link[0]}>{link[1]}</a>
            </span>
          ),
      )}
    </>
  )
}
