import type { Usage, UsageSummary } from '../../money/usage/schema.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { paymentsTexts } from '../../platform/i18n/console/payments.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'

/** From this share of a limit on, a notice says that it is nearly used up. */
const NEARLY = 0.8

/** How much of the plan is used. */
export function Meters({
  request,
  usage: { usage, limits, reset_at: resets },
}: {
  readonly request: MemberRequest
  readonly usage: Usage
}) {
  const texts = textsOf(request.page.locale, paymentsTexts)
  return (
    <section class="panel" aria-label={texts.usage}>
      <Meter
        request={request}
        name={texts.bookingsMonth}
        used={usage.bookings_this_month}
        limit={limits.bookings_per_month}
        resetsAt={resets.monthly}
      />
      <Meter
        request={request}
        name={texts.callsToday}
        used={usage.api_calls_today}
        limit={limits.api_calls_per_day}
        resetsAt={resets.daily}
      />
    </section>
  )
}

type MeterProps = {
  readonly request: MemberRequest
  readonly name: string
  readonly used: number
  readonly limit: number
  readonly resetsAt: string
}

function Meter({ request, name, used, limit, resetsAt }: MeterProps) {
  const { page, zone, isTest } = request
  const { locale } = page
  const texts = textsOf(locale, paymentsTexts)
  const number = (n: number) => n.toLocaleString(locale.tag)
  const told = fill(texts.ofLimit, { used: number(used), limit: number(limit) })
  const isFull = used >= limit && !isTest
  const isNearly = used >= limit * NEARLY && !isTest
  return (
    <div class={isFull ? 'meter full' : isNearly ? 'meter nearly' : 'meter'}>
      <div class="head-line">
        <strong>{name}</strong>
        <span>{told}</span>
      </div>
      <progress max={limit} value={Math.min(used, limit)} aria-label={name}>
        {told}
      </progress>
      <p class="soft">
        {fill(texts.resets, { time: ownShortMomentText(locale, Date.parse(resetsAt), zone) })}
        {isNearly && !isFull && ` ${texts.nearlyFull}`}
        {isFull && ` ${texts.full}`}
      </p>
    </div>
  )
}

/** What happened in the last week or month. */
export function Happened({
  request,
  summary,
}: {
  readonly request: MemberRequest
  readonly summary: UsageSummary
}) {
  const { locale } = request.page
  const texts = textsOf(locale, paymentsTexts)
  const { bookings, attendance, webhooks } = summary
  const number = (n: number) => n.toLocaleString(locale.tag)
  const figures: readonly (readonly [name: string, count: number, of: string | null])[] = [
    [
      texts.sumBookings,
      bookings.total,
      [
        `${number(bookings.confirmed)} ${texts.sumConfirmed}`,
        `${number(bookings.cancelled)} ${texts.sumCancelled}`,
        `${number(bookings.pending_approval)} ${texts.sumUnapproved}`,
        `${number(bookings.pending_payment)} ${texts.sumUnpaid}`,
      ].join(' · '),
    ],
    [texts.sumNoShows, attendance.no_shows, null],
    [texts.sumHostAbsent, attendance.host_absent, null],
    [texts.sumCalls, summary.api_calls.total, null],
    [
      texts.sumDeliveries,
      webhooks.total_deliveries,
      `${number(webhooks.successful)} ${texts.sumArrived} · ${number(webhooks.failed)} ${texts.sumGivenUp}`,
    ],
    [
      texts.sumEventTypes,
      summary.event_types.total,
      fill(texts.sumActive, { n: number(summary.event_types.active) }),
    ],
    [
      texts.sumCalendars,
      summary.calendar_connections.total,
      fill(texts.sumActive, { n: number(summary.calendar_connections.active) }),
    ],
  ]
  return (
    <section class="part">
      <div class="head-line">
        <h2>{texts.period}</h2>
        <nav class="linked" aria-label={texts.period}>
          {(['7d', '30d'] as const).map((period) => (
            <a
              key={period}
              href={`/console/payments/plan?period=${period}`}
              aria-current={period === summary.period ? 'true' : undefined}
            >
              {period === '7d' ? texts.days7 : texts.days30}
            </a>
          ))}
        </nav>
      </div>
      <dl class="figures">
        {figures.map(([name, count, of]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {number(count)}
              {of && <span class="soft">{of}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
