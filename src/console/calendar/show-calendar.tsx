import { agendaRoutes } from '../../booking/agenda/routes.ts'
import type { Agenda } from '../../booking/agenda/schema.ts'
import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { resourceRoutes } from '../../booking/resources/routes.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { calendarViewTexts } from '../../platform/i18n/console/calendar-view.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { dateRangeText, fullDayText, monthText, pluralText } from '../../platform/i18n/format.ts'
import { need } from '../ask.ts'
import { loadMembers, nameOf } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import type { MemberRequest } from '../request.ts'
import { Sign } from '../views/icons.tsx'
import { shell } from '../views/shell.tsx'
import { ActionParts } from './action-parts.tsx'
import { type Column, clockOf, columnOf, hoursOf } from './columns.ts'
import { bandsOf, entriesOf, type Facts, shortestOf } from './entries.ts'
import { Grid } from './grid.tsx'
import { Legend } from './legend.tsx'
import { Month } from './month.tsx'
import { type Shown, shownBy } from './range.ts'
import { calendarStyles } from './styles.ts'
import { Toolbar } from './toolbar.tsx'

/** What is booked, requested, held and closed, by day, week or month. It works without a script. */
export async function showCalendar(request: MemberRequest): Promise<Response> {
  const { page, member, zone } = request
  const { locale } = page
  const texts = textsOf(locale, calendarViewTexts)
  const shown = shownBy(request)
  const query = { from: new Date(shown.start).toISOString(), to: new Date(shown.end).toISOString() }
  const [agenda, eventTypes, people, resources] = await Promise.all([
    need(request, agendaRoutes.getAgenda, { query: { ...query, ...shown.filters } }),
    listAll(request, eventTypeRoutes.listEventTypes),
    loadMembers(request),
    listAll(request, resourceRoutes.listResources),
  ])
  const facts: Facts = {
    agenda,
    eventTypes: new Map(eventTypes.map((one) => [one.id, one])),
    members: new Map(people.map((one) => [one.id, one])),
    rooms: new Map(resources.map(({ id, name }) => [id, name])),
  }
  const entries = entriesOf(facts, texts, locale, zone)
  const bands = bandsOf(facts, texts)
  const open = openIn(agenda)
  const clock = clockOf(zone, shown.start, shown.end)
  const hours = hoursOf(clock, shown.days, [...open, ...entries])
  const columns = columnsFor(shown, agenda, entries, bands).map((of) =>
    columnOf(of, clock, hours, { entries, bands, open }),
  )
  const types = eventTypes.filter(({ id }) => entries.some(({ eventTypeId }) => eventTypeId === id))
  const colorNames = new Map(types.map(({ id }, at) => [id, `c${at}`]))
  const colorOf = (id: string) => colorNames.get(id) ?? ''
  const colors = new Map(types.map(({ color }, at) => [`c${at}`, color]))
  const title = titleOf(request, shown)
  const mayWrite = isRolePermitted(member.role, 'book')
  const gridProps = {
    ...{ request, shown, columns, hours, colorOf, mayWrite },
    nameOf: (id: string | null) => {
      const found = id === null ? undefined : facts.members.get(id)
      return found ? nameOf(found) : texts.nobody
    },
  }
  return shell({
    request,
    title,
    done: doneIn(request),
    actions: mayWrite && (
      <a class="button" href="/console/bookings/new">
        <Sign name="plus" />
        {texts.book}
      </a>
    ),
    assets: {
      name: 'calendar',
      styles: calendarStyles(shown.view === 'month' ? [] : columns, colors, {
        minutes: shortestOf(entries),
        hours: hours.last - hours.first,
      }),
    },
    children: (
      <>
        <Toolbar
          request={request}
          shown={shown}
          options={{
            member_id: people.map((one) => ({ value: one.id, text: nameOf(one) })),
            event_type_id: eventTypes.map(({ id, title }) => ({ value: id, text: title })),
            resource_id: resources.map(({ id, name }) => ({ value: id, text: name })),
          }}
        />
        {shown.view === 'month' ? (
          <Month request={request} shown={shown} title={title} columns={columns} colorOf={colorOf} />
        ) : (
          <Grid {...gridProps} />
        )}
        <Legend request={request} types={types.map((one) => ({ ...one, color: colorOf(one.id) }))} />
        {mayWrite && shown.view !== 'month' && <ActionParts request={request} />}
      </>
    ),
  })
}

function openIn({ open_hours }: Agenda) {
  return open_hours.map(({ member_id, start_time, end_time }) => ({
    start: Date.parse(start_time),
    end: Date.parse(end_time),
    memberId: member_id ?? null,
  }))
}

/** A day has a column for each person with something to show, and one for what nobody hosts. */
function columnsFor(
  { view, days, filters }: Shown,
  { open_hours }: Agenda,
  entries: ReturnType<typeof entriesOf>,
  bands: ReturnType<typeof bandsOf>,
): Pick<Column, 'key' | 'day' | 'memberId'>[] {
  if (view !== 'day') return days.map((day) => ({ key: String(day), day, memberId: undefined }))
  const [day] = days as [number]
  const asked = filters.member_id?.toLowerCase()
  const people =
    asked !== undefined
      ? [asked]
      : [
          ...open_hours.flatMap(({ member_id }) => member_id ?? []),
          ...entries.flatMap(({ memberIds }) => memberIds),
          ...bands.flatMap(({ memberId }) => memberId ?? []),
        ]
  const hasOthers =
    asked === undefined &&
    (open_hours.some(({ member_id }) => member_id === undefined) ||
      entries.some(({ memberIds }) => memberIds.length === 0))
  const columns = [...new Set(people)].sort().map((id) => ({ key: id, day, memberId: id as string | null }))
  return hasOthers || columns.length === 0 ? [...columns, { key: 'nobody', day, memberId: null }] : columns
}

function titleOf({ page: { locale } }: MemberRequest, { view, from, days }: Shown): string {
  if (view === 'month') return monthText(locale, from)
  if (view === 'day') return fullDayText(locale, from, 'UTC')
  return dateRangeText(locale, days[0]!, days.at(-1)!)
}

function doneIn({ page: { locale, url } }: MemberRequest): string | undefined {
  const texts = textsOf(locale, calendarViewTexts)
  if (url.searchParams.get('done') !== 'blocked') return undefined
  const n = Number(url.searchParams.get('n'))
  return Number.isSafeInteger(n) && n > 0 ? pluralText(locale, texts.blockedWith, n) : texts.blocked
}
