import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import { timeOffRoutes } from '../../booking/hours/time-off/routes.ts'
import { formatDate, instantOf, parseDate, parseTimeOfDay, zoneTable } from '../../core/local-time.ts'
import { HOUR_MS } from '../../core/time-units.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { Refused } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { calendarViewTexts } from '../../platform/i18n/console/calendar-view.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { ownShortMomentText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask } from '../ask.ts'
import { todayOf } from '../bookings/views.ts'
import { orNull } from '../form.ts'
import { isAdmin, loadMembers, nameOf, peopleFor } from '../hours/people.ts'
import { listAll } from '../list-all.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { SelectField } from '../views/fields.tsx'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { shell } from '../views/shell.tsx'

const EVERYBODY = 'all'
const WALL = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/

/** What can be done with free time: a booking, a blocked time, or a day off. */
export function showFreeTime(request: MemberRequest): Promise<Response> {
  return freeTimePage(request, NO_TROUBLE, 200)
}

/** A wall time of the address or the form, or null. */
function wallIn(text: string): number | null {
  const [, date = '', time = ''] = WALL.exec(text) ?? []
  const [midnight, since] = [parseDate(date), parseTimeOfDay(time)]
  return midnight === null || since === null ? null : midnight + since
}

function wallText(wall: number): string {
  return new Date(wall).toISOString().slice(0, 16)
}

async function freeTimePage(request: MemberRequest, trouble: Trouble, status: number): Promise<Response> {
  const { page, form, member, zone } = request
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const { locale } = page
  const texts = textsOf(locale, calendarViewTexts)
  const { searchParams } = page.url
  const wall = wallIn(form.get('at') ?? searchParams.get('at') ?? '') ?? todayOf(request) + 9 * HOUR_MS
  const instant = instantOf(zoneTable(zone, wall, wall), wall)
  const [types, members] = await Promise.all([
    listAll(request, eventTypeRoutes.listEventTypes, { active: 'true' }),
    loadMembers(request),
  ])
  const people = peopleFor(request, members)
  const asked = searchParams.get('member') ?? member.memberId
  const who = people.some(({ id }) => id === asked) ? asked : member.memberId
  const value = {
    ...{ start: wallText(wall), end: wallText(wall + HOUR_MS), reason: '' },
    ...Object.fromEntries(form),
  }
  const field = fieldsFor({ locale, trouble, form }, value)
  const start = new Date(instant).toISOString()
  return shell({
    request,
    title: texts.timeTitle,
    lead: fill(texts.timeLead, { time: ownShortMomentText(locale, instant, zone) }),
    back: { to: `/console/calendar?from=${wallText(wall).slice(0, 10)}`, text: texts.title },
    status,
    children: (
      <>
        <section class="panel steps">
          <h2>{texts.book}</h2>
          <p class="soft">{types.length === 0 ? texts.noTypes : texts.bookText}</p>
          <ul class="linked">
            {types.map(({ id, title }) => (
              <li key={id}>
                <a href={`/console/bookings/new?type=${id}&from=${start.slice(0, 10)}&start=${start}`}>
                  <bdi>{title}</bdi>
                </a>
              </li>
            ))}
          </ul>
        </section>
        <Form
          request={request}
          action="/console/calendar/time"
          hidden={{ at: wallText(wall) }}
          trouble={trouble}
          class="panel steps"
          once
        >
          <h2>{texts.block}</h2>
          <p class="soft">{texts.blockText}</p>
          <SelectField
            locale={locale}
            trouble={trouble}
            name="who"
            label={texts.who}
            value={form.get('who') ?? who}
            options={[
              ...people.map((one) => ({ value: one.id, text: nameOf(one) })),
              ...(isAdmin(request)
                ? [{ value: EVERYBODY, text: textsOf(locale, hoursTexts).everybody }]
                : []),
            ]}
          />
          <div class="pair">
            {field.text('start', texts.from, { type: 'datetime-local' })}
            {field.text('end', texts.until, { type: 'datetime-local' })}
          </div>
          {field.text('reason', texts.reason, { hint: texts.reasonHint, isOptional: true })}
          <div class="form-end">
            <button type="submit" class="button">
              {texts.blockNow}
            </button>
            <button type="submit" name="day" value="1" class="button soft-button">
              {texts.dayOff}
            </button>
          </div>
        </Form>
      </>
    ),
  })
}

/** Blocks the time, or the whole days by the other button. */
export async function blockFromConsole(request: MemberRequest): Promise<Response> {
  const { form, page, zone } = request
  const who = form.get('who') ?? ''
  const momentOf = (name: string) => {
    const text = form.get(name) ?? ''
    const wall = wallIn(text)
    if (form.has('day')) return text.slice(0, 10)
    return wall === null ? text : new Date(instantOf(zoneTable(zone, wall, wall), wall)).toISOString()
  }
  const asked = await ask(request, timeOffRoutes.createTimeOff, {
    body: {
      ...(who === EVERYBODY ? { all: true } : { member_ids: [who] }),
      start: momentOf('start'),
      end: momentOf('end'),
      reason: orNull(form, 'reason'),
    },
  })
  if (asked.ok) {
    const day = formatDate(wallIn(form.get('start') ?? '') ?? todayOf(request)).slice(0, 10)
    const n = asked.body.affected_bookings.length
    return seeOther(page, `/console/calendar?from=${day}&done=blocked&n=${n}`)
  }
  if (asked.refusal.code === 'forbidden') throw new Refused(asked.refusal)
  const trouble = troubleOf(page.locale, asked.refusal, { fields: { member_ids: 'who' } })
  return freeTimePage(request, trouble, formStatus(asked.refusal))
}
