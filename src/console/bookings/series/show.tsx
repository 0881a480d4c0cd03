import { decidableOf } from '../../../booking/bookings/approval/may-decide.ts'
import { seriesRoutes } from '../../../booking/series/routes.ts'
import type { Series } from '../../../booking/series/schema.ts'
import type { Params } from '../../../pages/page.ts'
import { isRolePermitted } from '../../../platform/auth/policy.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { bookingFormTexts } from '../../../platform/i18n/console/booking-forms.ts'
import { bookingsTexts } from '../../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../../platform/i18n/console/catalogue.ts'
import { seriesTexts } from '../../../platform/i18n/console/series.ts'
import { ownShortMomentText, ownSpanText } from '../../../platform/i18n/format.ts'
import { fill } from '../../../platform/i18n/plural.ts'
import { callerOf, need, sharedEnv } from '../../ask.ts'
import type { MemberRequest } from '../../request.ts'
import { NO_TROUBLE, type Trouble } from '../../trouble.ts'
import { SelectField } from '../../views/fields.tsx'
import { typedFields } from '../../views/fields-for.tsx'
import { Form } from '../../views/form.tsx'
import { FormEnd } from '../../views/form-end.tsx'
import { LostTrouble } from '../../views/lost-trouble.tsx'
import { shell } from '../../views/shell.tsx'
import { NotifyField } from '../notify-field.tsx'
import { StatusBadge } from '../status-badge.tsx'

type Bookings = Series['bookings']

export function loadSeries(request: MemberRequest, id: string): Promise<Series> {
  return need(request, seriesRoutes.getSeries, { params: { id }, query: {} })
}

export async function showSeries(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  return seriesPage(request, await loadSeries(request, id), {}, 200)
}

/** What went wrong with which of its forms. */
type Troubles = { readonly cancel?: Trouble; readonly decide?: Trouble }

const DONE = ['booked', 'wasCancelled', 'approved', 'declined'] as const

/** The bookings of a series, and what can be done with all of them. */
export async function seriesPage(
  request: MemberRequest,
  series: Series,
  troubles: Troubles,
  status: number,
): Promise<Response> {
  const { page, member, now } = request
  const texts = textsOf(page.locale, seriesTexts)
  const { bookings } = series
  const [first] = bookings
  if (!first) throw notFound('series')
  const requests = bookings.filter(({ status: one }) => one === 'pending_approval').map(({ id }) => id)
  const decidable = await decidableOf(sharedEnv(request), callerOf(request), requests)
  const upcoming = bookings.filter(
    ({ status: one, start_time }) => one !== 'cancelled' && Date.parse(start_time) > now,
  )
  const said = DONE.find((one) => one === page.url.searchParams.get('done'))
  const isRequested = said === 'booked' && requests.length > 0
  const at = `/console/bookings/series/${series.id}` as const
  const forms = {
    decide: requests.length > 0 && requests.every((id) => decidable.has(id)),
    cancel: upcoming.length > 0 && isRolePermitted(member.role, 'book'),
  }
  const lost = (['decide', 'cancel'] as const).filter((which) => !forms[which])
  return shell({
    request,
    title: fill(texts.title, { name: first.invitee_name }),
    back: { to: '/console/bookings', text: textsOf(page.locale, bookingsTexts).title },
    done: isRequested ? texts.requested : said && texts[said],
    status,
    children: (
      <>
        <LostTrouble trouble={lost.flatMap((which) => troubles[which] ?? [])[0]} />
        <Dates request={request} series={series} />
        {forms.decide && <DecideForms request={request} at={at} trouble={troubles.decide} />}
        {forms.cancel && (
          <CancelForm request={request} at={at} upcoming={upcoming} trouble={troubles.cancel} />
        )}
      </>
    ),
  })
}

function Dates({ request, series }: { readonly request: MemberRequest; readonly series: Series }) {
  const { page, zone } = request
  const texts = textsOf(page.locale, seriesTexts)
  return (
    <section class="panel">
      <h2>{texts.dates}</h2>
      <ul class="rows">
        {series.bookings.map((booking) => {
          const { id, start_time: start, end_time: end } = booking
          return (
            <li key={id}>
              <a class="row-link" href={`/console/bookings/${id}`}>
                {ownSpanText(page.locale, Date.parse(start), Date.parse(end), zone)}
              </a>
              <StatusBadge request={request} booking={booking} />
            </li>
          )
        })}
      </ul>
      {series.skipped.length > 0 && (
        <>
          <p class="soft">{texts.skipped}</p>
          <ul>
            {series.skipped.map(({ start_time: start }) => (
              <li key={start}>{ownShortMomentText(page.locale, Date.parse(start), zone)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

type PartProps = {
  readonly request: MemberRequest
  readonly at: `/console${string}`
  readonly trouble: Trouble | undefined
}

function DecideForms({ request, at, trouble = NO_TROUBLE }: PartProps) {
  const { locale } = request.page
  const texts = textsOf(locale, seriesTexts)
  const { declineText } = textsOf(locale, bookingFormTexts)
  const { reasonLabel, reasonHint } = textsOf(locale, bookingsTexts)
  const field = typedFields(request, trouble)
  return (
    <>
      <Form request={request} action={`${at}/approve`} trouble={trouble} class="panel">
        <p class="soft">{texts.waits}</p>
        <FormEnd request={request} text={texts.approve} />
      </Form>
      <details class="panel folded" open={request.form.has('decline_reason')}>
        <summary>{texts.decline}</summary>
        <Form request={request} action={`${at}/decline`}>
          <p class="soft">{declineText}</p>
          {field.text('decline_reason', reasonLabel, { hint: reasonHint, rows: 2, isOptional: true })}
          <FormEnd request={request} text={texts.decline} tone="danger" />
        </Form>
      </details>
    </>
  )
}

function CancelForm({
  request,
  at,
  upcoming,
  trouble = NO_TROUBLE,
}: PartProps & { readonly upcoming: Bookings }) {
  const { page, form, zone } = request
  const { locale } = page
  const texts = textsOf(locale, seriesTexts)
  const { reasonLabel, reasonHint } = textsOf(locale, bookingsTexts)
  const field = typedFields(request, trouble)
  return (
    <details class="panel folded" open={trouble !== NO_TROUBLE}>
      <summary>{texts.cancel}</summary>
      <Form request={request} action={`${at}/cancel`} trouble={trouble}>
        <p class="soft">{texts.cancelText}</p>
        <SelectField
          locale={locale}
          name="from"
          label={texts.from}
          value={form.get('from') ?? upcoming[0]!.start_time}
          options={upcoming.map(({ start_time: value }) => ({
            value,
            text: ownShortMomentText(locale, Date.parse(value), zone),
          }))}
        />
        {field.text('reason', reasonLabel, { id: 'cancel-reason', hint: reasonHint, isOptional: true })}
        <NotifyField request={request} isSent={trouble !== NO_TROUBLE} />
        <FormEnd request={request} text={texts.cancel} tone="danger" />
      </Form>
    </details>
  )
}
