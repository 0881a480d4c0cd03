import { eventTypeRoutes } from '../../../booking/event-types/routes.ts'
import { sessionRoutes } from '../../../booking/sessions/routes.ts'
import { formatDate } from '../../../core/local-time.ts'
import { bookingsTexts } from '../../../platform/i18n/console/bookings.ts'
import { textsOf } from '../../../platform/i18n/console/catalogue.ts'
import { sessionTexts } from '../../../platform/i18n/console/sessions.ts'
import { ownSpanText } from '../../../platform/i18n/format.ts'
import { fill } from '../../../platform/i18n/plural.ts'
import { need } from '../../ask.ts'
import { listAll } from '../../list-all.ts'
import type { MemberRequest } from '../../request.ts'
import { SelectField } from '../../views/fields.tsx'
import { GetForm } from '../../views/get-form.tsx'
import { shell } from '../../views/shell.tsx'
import { DateField } from '../jump.tsx'
import { namesOf } from '../names-of.ts'
import { dateIn, todayOf } from '../views.ts'

/** The sessions of a group event type, from a date on. */
export async function showSessions(request: MemberRequest): Promise<Response> {
  const { page } = request
  const { locale } = page
  const texts = textsOf(locale, sessionTexts)
  const all = await listAll(request, eventTypeRoutes.listEventTypes)
  const groups = all.filter(({ max_attendees }) => max_attendees > 1)
  const asked = page.url.searchParams.get('type')
  const chosen = groups.find(({ id }) => id === asked) ?? groups[0] ?? null
  const from = dateIn(page.url, 'from') ?? todayOf(request)
  const said = page.url.searchParams.get('done')
  return shell({
    request,
    title: texts.title,
    lead: texts.lead,
    back: { to: '/console/bookings', text: textsOf(locale, bookingsTexts).title },
    done: said === 'wasCancelled' ? texts.wasCancelled : undefined,
    children:
      chosen === null ? (
        <p class="empty">{texts.noTypes}</p>
      ) : (
        <>
          <GetForm action="/console/bookings/sessions" class="search panel" sendsOnChange>
            <SelectField
              locale={locale}
              name="type"
              label={textsOf(locale, bookingsTexts).chooseType}
              value={chosen.id}
              options={groups.map(({ id, title }) => ({ value: id, text: `\u2068${title}\u2069` }))}
            />
            <DateField request={request} first={from} />
            <button type="submit" class="soft-button">
              {texts.show}
            </button>
          </GetForm>
          <Sessions request={request} sessions={await sessionsFrom(request, chosen.id, from)} />
        </>
      ),
  })
}

async function sessionsFrom(request: MemberRequest, id: string, from: number) {
  const query = from <= todayOf(request) ? {} : { from: formatDate(from) }
  return (await need(request, sessionRoutes.listSessions, { params: { id }, query })).data
}

type Props = {
  readonly request: MemberRequest
  readonly sessions: Awaited<ReturnType<typeof sessionsFrom>>
}

function Sessions({ request: { page, zone }, sessions }: Props) {
  const { locale } = page
  const texts = textsOf(locale, sessionTexts)
  if (sessions.length === 0) return <p class="empty">{texts.nothing}</p>
  return (
    <ul class="rows">
      {sessions.map(({ id, start_time, end_time, hosts, seats, taken, waiting, booking_ids }) => {
        const time = ownSpanText(locale, Date.parse(start_time), Date.parse(end_time), zone)
        const beside = [
          fill(texts.seats, { taken: String(taken), seats: String(seats) }),
          ...(waiting > 0 ? [fill(texts.waiting, { n: String(waiting) })] : []),
          ...(hosts.length > 0 ? [namesOf(hosts)] : []),
        ]
        return (
          <li key={id}>
            <div>
              {booking_ids.length === 0 ? (
                <strong>{time}</strong>
              ) : (
                <a class="row-link" href={`/console/bookings/sessions/${id}`}>
                  {time}
                </a>
              )}
              <p class="soft">
                <bdi>{beside.join(' · ')}</bdi>
              </p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
