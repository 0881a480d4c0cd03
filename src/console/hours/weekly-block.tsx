import { listClosed } from '../../booking/hours/schedules/list-closed.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { dateInZone, formatDate, parseDate, parseTimeOfDay } from '../../core/local-time.ts'
import { DAY_MS } from '../../core/time-units.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import { invalid } from '../../platform/http/errors.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { weekdayText } from '../../platform/i18n/format.ts'
import { type Problem, problem } from '../../platform/reasons/reason.ts'
import { ask, sharedEnv } from '../ask.ts'
import { listAll } from '../list-all.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest, Form as Sent } from '../request.ts'
import { NO_TROUBLE, type Trouble, troubleOf } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'
import { type Closing, closingOf } from './closing.tsx'
import { mayWriteOf } from './people.ts'

/** A Sunday. */
const SUNDAY = 3 * DAY_MS
/** More weeks than a schedule can have overrides: the endpoint says how many those are. */
const MOST_WEEKS = 400

type Block = {
  readonly day: number
  readonly from: string
  readonly to: string
  readonly dates: readonly string[]
}

export async function showWeeklyBlock(request: MemberRequest): Promise<Response> {
  return blockPage(request, await writable(request), NO_TROUBLE, 200)
}

/** Closes the time every week, as overrides of the schedule: they replace the hours of each date. */
export async function blockWeekly(request: MemberRequest): Promise<Response> {
  const { form, page } = request
  const schedules = await writable(request)
  const schedule = schedules.find(({ id }) => id === form.get('schedule'))
  if (!schedule) return forbiddenPage(request)
  const wrong = problemsIn(form)
  if (Object.keys(wrong).length > 0) {
    const { refusal } = invalid(wrong)
    return blockPage(request, schedules, troubleOf(page.locale, refusal), formStatus(refusal))
  }
  const overrides = blocked(schedule, blockIn(form))
  if (JSON.stringify(overrides) === JSON.stringify(schedule.overrides)) {
    const trouble = { title: textsOf(page.locale, hoursTexts).blockNothing }
    return blockPage(request, schedules, trouble, 422)
  }
  const after = [{ ...schedule, overrides }]
  const change = { of: { scheduleId: schedule.id }, before: [schedule], after, now: request.now }
  const closing = await closingOf(request, await listClosed(sharedEnv(request), request, [change]))
  if (closing) return blockPage(request, schedules, NO_TROUBLE, 200, closing)
  const { id, updated_at } = schedule
  const body = { overrides, updated_at }
  const asked = await ask(request, scheduleRoutes.updateSchedule, { params: { id }, body })
  if (asked.ok) return seeOther(page, '/console/hours?done=saved')
  const trouble = troubleOf(page.locale, asked.refusal, { fields: { overrides: 'until' } })
  return blockPage(request, schedules, trouble, formStatus(asked.refusal))
}

async function writable(request: MemberRequest): Promise<readonly Schedule[]> {
  const all = await listAll(request, scheduleRoutes.listSchedules)
  return all.filter((schedule) => mayWriteOf(request, schedule))
}

function problemsIn(form: Sent): Record<string, Problem> {
  const [from, to] = [parseTimeOfDay(form.get('from') ?? ''), parseTimeOfDay(endIn(form))]
  const [first, last] = [parseDate(form.get('first') ?? ''), parseDate(form.get('until') ?? '')]
  return {
    ...(from === null && { from: problem('not_a_time') }),
    ...(to === null && { to: problem('not_a_time') }),
    ...(from !== null && to !== null && to <= from && { to: problem('not_after_start') }),
    ...(first === null && { first: problem('not_a_date') }),
    ...(last === null && { until: problem('not_a_date') }),
    ...(first !== null && last !== null && last < first && { until: problem('before_start') }),
  }
}

/** The field of a browser knows no 24:00. */
function endIn(form: Sent): string {
  const end = form.get('to') ?? ''
  return end === '00:00' ? '24:00' : end
}

function blockIn(form: Sent): Block {
  const day = Number(form.get('day')) % 7
  const [first, last] = [parseDate(form.get('first')!)!, parseDate(form.get('until')!)!]
  const dates: string[] = []
  let date = first + ((day - new Date(first).getUTCDay() + 7) % 7) * DAY_MS
  for (; date <= last && dates.length < MOST_WEEKS; date += 7 * DAY_MS) dates.push(formatDate(date))
  return { day, from: form.get('from')!, to: endIn(form), dates }
}

/** The overrides of the schedule with the time left out on each of the dates. */
function blocked({ rules, overrides }: Schedule, { day, from, to, dates }: Block): Schedule['overrides'] {
  const known = new Map(overrides.map((one) => [one.date, one.intervals]))
  const weekly = rules.flatMap(({ day_of_week, ...times }) => (day_of_week === day ? [times] : []))
  const [start, end] = [parseTimeOfDay(from)!, parseTimeOfDay(to)!]
  for (const date of dates) {
    const open = known.get(date) ?? weekly
    const left = open.flatMap(({ start_time, end_time }) => {
      const [opens, closes] = [parseTimeOfDay(start_time)!, parseTimeOfDay(end_time)!]
      if (closes <= start || opens >= end) return [{ start_time, end_time }]
      return [
        ...(opens < start ? [{ start_time, end_time: from }] : []),
        ...(closes > end ? [{ start_time: to, end_time }] : []),
      ]
    })
    if (JSON.stringify(left) !== JSON.stringify(open)) known.set(date, left)
  }
  return [...known]
    .map(([date, intervals]) => ({ date, intervals }))
    .sort((one, other) => (one.date < other.date ? -1 : 1))
}

function blockPage(
  request: MemberRequest,
  schedules: readonly Schedule[],
  trouble: Trouble,
  status: number,
  closing?: Closing,
): Response {
  const { page, form, zone, now, member } = request
  if (!isRolePermitted(member.role, 'book')) return forbiddenPage(request)
  const { locale } = page
  const texts = textsOf(locale, hoursTexts)
  const value = {
    ...{ schedule: schedules.find((one) => one.member_id === member.memberId)?.id ?? '', day: '1' },
    ...{ from: '', to: '', first: formatDate(dateInZone(zone, now)), until: '' },
    ...Object.fromEntries(form),
  }
  const field = fieldsFor({ locale, trouble }, value)
  const days = [1, 2, 3, 4, 5, 6, 0].map((day) => ({
    value: String(day),
    text: weekdayText(locale, SUNDAY + day * DAY_MS, 'long'),
  }))
  return shell({
    request,
    title: texts.blockWeekly,
    lead: texts.blockLead,
    back: { to: '/console/hours', text: texts.back },
    status,
    children:
      schedules.length === 0 ? (
        <p class="empty">{texts.noSchedules}</p>
      ) : (
        <Form
          request={request}
          action="/console/hours/block"
          trouble={trouble}
          hidden={closing?.hidden ?? {}}
          class="panel steps"
        >
          <div class="pair">
            {field.select(
              'schedule',
              texts.schedule,
              schedules.map(({ id, name }) => ({ value: id, text: name })),
            )}
            {field.select('day', texts.everyWeekOn, days)}
            {field.text('from', texts.from, { type: 'time' })}
            {field.text('to', texts.to, { type: 'time' })}
            {field.text('first', texts.firstDay, { type: 'date' })}
            {field.text('until', texts.lastDay, { type: 'date' })}
          </div>
          {closing?.note}
          <FormEnd request={request} />
        </Form>
      ),
  })
}
