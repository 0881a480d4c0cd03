import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { explanationRoutes } from '../../booking/slots/explain/routes.ts'
import type { DayExplanation, StartExplanation } from '../../booking/slots/explain/schema.ts'
import { formatDate, instantOf, parseDate, parseTimeOfDay, zoneTable } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import type { Acted } from '../../platform/http/act-as.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import type { QueryOf } from '../../platform/http/route-input.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { explainTexts } from '../../platform/i18n/console/explain.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask } from '../ask.ts'
import { todayOf } from '../bookings/views.ts'
import { loadMembers, nameOf } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { FormProblems } from '../views/form.tsx'
import { GetForm } from '../views/get-form.tsx'
import { Sign } from '../views/icons.tsx'
import { developersShell } from './developers-shell.tsx'
import { type Names, ToldDay, ToldStart } from './explanation.tsx'

const HERE = '/console/developers/explain'

type EventType = { readonly id: string; readonly title: string }
type Explanation = StartExplanation | DayExplanation

/** Why a time, or what of a day, can be booked or not. */
export async function showExplain(request: MemberRequest): Promise<Response> {
  const { page } = request
  const texts = textsOf(page.locale, explainTexts)
  const typed = typedIn(request)
  const query = queryOf(request, typed)
  const [types, members, asked] = await Promise.all([
    listAll(request, eventTypeRoutes.listEventTypes),
    loadMembers(request),
    'query' in query && typed.type !== ''
      ? ask(request, explanationRoutes.explain, {
          params: { id: typed.type },
          isTyped: true,
          query: query.query,
        })
      : null,
  ])
  const names = new Map(members.map((member) => [member.id, nameOf(member)]))
  const trouble = 'trouble' in query ? query.trouble : queryTrouble(request, asked)
  return developersShell({
    request,
    here: HERE,
    lead: texts.lead,
    status: 'trouble' in query ? 422 : asked && !asked.ok ? formStatus(asked.refusal) : 200,
    children:
      types.length === 0 ? (
        <div class="empty">
          <Sign name="list" />
          <strong>{texts.noTypes}</strong>
          <p>{texts.noTypesText}</p>
        </div>
      ) : (
        <>
          <Question request={request} types={types} typed={typed} trouble={trouble} />
          {asked?.ok && <Told request={request} told={asked.body} names={names} />}
        </>
      ),
  })
}

function Told({
  request,
  told,
  names,
}: {
  readonly request: MemberRequest
  readonly told: Explanation
  readonly names: Names
}) {
  if ('date' in told) return <ToldDay request={request} told={told} />
  return <ToldStart request={request} told={told} names={names} />
}

type Typed = Readonly<Record<'type' | 'date' | 'time' | 'duration' | 'seats', string>>

function typedIn(request: MemberRequest): Typed {
  const { searchParams } = request.page.url
  const typed = (name: string) => (searchParams.get(name) ?? '').trim()
  return {
    type: typed('type'),
    date: typed('date') || formatDate(todayOf(request)),
    time: typed('time'),
    duration: typed('duration'),
    seats: typed('seats'),
  }
}

/** What the endpoint is asked: a start in the request's zone, or the day. */
function queryOf(
  { page, zone }: MemberRequest,
  { date, time, duration, seats }: Typed,
): { readonly query: QueryOf<typeof explanationRoutes.explain> } | { readonly trouble: Trouble } {
  const texts = textsOf(page.locale, explainTexts)
  const more = { ...(duration && { duration }), ...(seats && { seats }) }
  const midnight = parseDate(date)
  if (midnight === null) return { trouble: { fields: { date: texts.sayDate } } }
  if (time === '') return { query: { date, timezone: zone, hosts: 'true', ...more } }
  const sinceMidnight = parseTimeOfDay(time)
  if (sinceMidnight === null) return { trouble: { fields: { time: texts.sayTime } } }
  const table = zoneTable(zone, midnight - DAY_MS, midnight + 2 * DAY_MS)
  const start = instantOf(table, midnight + sinceMidnight)
  return { query: { start_time: new Date(start).toISOString(), ...more } }
}

function queryTrouble({ page }: MemberRequest, asked: Acted<Explanation> | null): Trouble {
  if (!asked || asked.ok) return NO_TROUBLE
  return troubleOf(page.locale, asked.refusal, { fields: { id: 'type', start_time: 'date' } })
}

type QuestionProps = {
  readonly request: MemberRequest
  readonly types: readonly EventType[]
  readonly typed: Typed
  readonly trouble: Trouble
}

function Question({ request, types, typed, trouble }: QuestionProps) {
  const { locale } = request.page
  const texts = textsOf(locale, explainTexts)
  const field = fieldsFor({ locale, trouble }, typed)
  const fields = (
    <>
      {field.select(
        'type',
        texts.eventType,
        types.map(({ id, title }) => ({ value: id, text: title })),
      )}
      <div class="pair four">
        {field.text('date', texts.date, { type: 'date' })}
        {field.text('time', texts.time, {
          type: 'time',
          hint: fill(texts.timeHint, { zone: request.zone.replaceAll('_', ' ') }),
          isOptional: true,
        })}
        {field.text('duration', texts.duration, {
          hint: texts.durationHint,
          inputmode: 'numeric',
          isOptional: true,
        })}
        {field.text('seats', texts.seats, { inputmode: 'numeric', isOptional: true })}
      </div>
    </>
  )
  return (
    <GetForm action={HERE} class="panel" novalidate>
      {trouble !== NO_TROUBLE && (
        <FormProblems page={request.page} trouble={trouble}>
          {fields}
        </FormProblems>
      )}
      {fields}
      <div class="form-end">
        <button type="submit" class="button">
          {texts.ask}
        </button>
      </div>
    </GetForm>
  )
}
