import { getSeriesForInvitee, type InviteeSeries } from '../booking/series/get-for-invitee.ts'
import { seriesRoutes } from '../booking/series/routes.ts'
import { formStatus } from '../platform/http/form-status.ts'
import { fullDayText } from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import { ask } from './ask.ts'
import { clocksOf } from './booking-times.ts'
import type { Page, Params } from './page.ts'
import { readForm } from './read-form.ts'
import { html, seeOther } from './respond.ts'
import { shownRefusal } from './show-refusal.ts'
import { BookingDocument } from './views/booking-document.tsx'
import { CancelForm } from './views/cancel-form.tsx'
import type { Trouble } from './views/details-form.tsx'
import { Facts } from './views/facts.tsx'
import { Notice } from './views/notice.tsx'
import { SeriesDates } from './views/series-dates.tsx'

/** The dates of a series, and a form that cancels those from one of them on. One database round trip. */
export async function showSeries(page: Page, { id = '' }: Params): Promise<Response> {
  const token = page.url.searchParams.get('token') ?? ''
  return seriesPage(page, await getSeriesForInvitee(page.ctx, id, token), token)
}

/** Cancels with the token that the form carries; cancelling again shows the same end. */
export async function cancelSeriesPage(page: Page, { id = '' }: Params): Promise<Response> {
  const form = await readForm(page)
  const token = form.get('token') ?? ''
  const reason = (form.get('reason') ?? '').replace(/\r\n/g, '\n').trim()
  const from = form.get('from') ?? ''
  const found = await getSeriesForInvitee(page.ctx, id, token)
  const asked = await ask(page.ctx, seriesRoutes.cancelSeries, {
    params: { id: found.id },
    query: { token },
    body: { ...(from !== '' && { from }), ...(reason !== '' && { reason }) },
  })
  if (asked.ok) return seeOther(page, `/bookings/series/${found.id}?token=${encodeURIComponent(token)}`)
  const trouble = shownRefusal(page, asked.refusal, { start: null, zone: 'UTC', name: '', email: '' })
  return seriesPage(page, found, token, { trouble, reason, from, status: formStatus(asked.refusal) })
}

type State = {
  readonly trouble?: Trouble
  readonly reason?: string
  readonly from?: string
  readonly status?: number
}

function seriesPage(
  page: Page,
  found: InviteeSeries,
  token: string,
  { trouble = {}, reason = '', from = '', status = 200 }: State = {},
): Response {
  const { locale } = page
  const { texts } = locale
  const { bookings, eventType, organization, now } = found
  const [first] = bookings
  const shown = first ?? { invitee_timezone: 'UTC', location: null, place: null }
  const row = { zoneUnknown: found.isZoneUnknown }
  const { zone } = clocksOf(page, { booking: shown, eventType, row })
  const upcoming = bookings.filter((one) => one.status !== 'cancelled' && Date.parse(one.start_time) > now)
  const isOver = bookings.every((one) => one.status === 'cancelled')
  const title = isOver ? texts.seriesCancelled : texts.yourSeries
  return html(
    page,
    <BookingDocument page={page} found={found} title={title}>
      <Notice title={title} icon={isOver ? 'cross' : 'calendar'} tone={isOver ? 'plain' : 'good'} />
      <Facts facts={[{ icon: 'calendar', label: texts.what, text: <bdi>{eventType.title}</bdi> }]} />
      <SeriesDates page={page} bookings={bookings} zone={zone} />
      {upcoming.length > 0 && (
        <CancelForm
          page={page}
          action={`/bookings/series/${found.id}/cancel`}
          token={token}
          reason={reason}
          trouble={trouble}
          hint={fill(texts.reasonHint, { org: organization.name })}
          effect={null}
          label={texts.cancelSeries}
        >
          <p class="field">
            <label for="from">{texts.cancelFrom}</label>
            <select id="from" name="from">
              {upcoming.map(({ id, start_time }) => (
                <option key={id} value={start_time} selected={start_time === from}>
                  {fullDayText(locale, Date.parse(start_time), zone)}
                </option>
              ))}
            </select>
          </p>
        </CancelForm>
      )}
    </BookingDocument>,
    { isPrivate: true, status },
  )
}
