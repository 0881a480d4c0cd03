import { eventTypeRoutes } from '../../booking/event-types/routes.ts'
import type { EventType } from '../../booking/event-types/schema.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import type { Schedule } from '../../booking/hours/schedules/schema.ts'
import { availabilityRoutes } from '../../booking/slots/routes.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { isRolePermitted } from '../../platform/auth/policy.ts'
import type { Acted } from '../../platform/http/act-as.ts'
import { formStatus } from '../../platform/http/form-status.ts'
import type { BodyOf } from '../../platform/http/route-input.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { ask, need, wrongIn } from '../ask.ts'
import { numberIn, orNull } from '../form.ts'
import { listAll } from '../list-all.ts'
import { changedByOthers, changedFields, expectedState, shownState } from '../lost-update.ts'
import { forbiddenPage } from '../refusal-pages.tsx'
import type { MemberRequest, Form as Sent } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { spanIn } from '../views/span-field.tsx'
import { type Hours, readHours, WeekFields } from '../views/week-fields.tsx'
import { editorPage, eventTypeTrouble, ReadOnly } from './editor.tsx'
import { loadEventType } from './load.ts'
import type { EventTypeBody } from './tabs.ts'

type HoursBody = BodyOf<typeof availabilityRoutes.putAvailabilityRules>
type Loaded = {
  readonly eventType: EventType
  readonly hours: Hours
  readonly schedules: readonly Schedule[]
}

/** When it can be booked. */
export async function showEventTypeHours(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  const loaded = await load(request, id)
  return hoursPage(request, loaded, loaded.eventType, loaded.hours, NO_TROUBLE, 200)
}

/**
 * Errors in its own hours are shown first, at the day that was typed. The hours are written last, after everything else was
 * accepted: a form with errors has changed nothing.
 */
export async function saveEventTypeHours(request: MemberRequest, { id = '' }: Params): Promise<Response> {
  if (!isRolePermitted(request.member.role, 'administer')) return forbiddenPage(request)
  const { hours, names } = readHours(request.form)
  const body = readWindows(request.form)
  const timezone = request.form.get('timezone') ?? ''
  const sent = { timezone, ...hours }
  const isSame = JSON.stringify(sent) === request.form.get('hours_shown')
  const asked = await save(request, id, isSame ? null : sent, body)
  if (asked.ok) return seeOther(request.page, `/console/event-types/${id}/hours?done=saved`)
  const loaded = await load(request, id)
  const value = { ...loaded.eventType, ...body, timezone } as EventType
  return hoursPage(
    request,
    loaded,
    value,
    hours,
    changedByOthers(request, asked.refusal) ?? eventTypeTrouble(request, asked.refusal, names),
    formStatus(asked.refusal),
  )
}

async function save(
  request: MemberRequest,
  id: string,
  hours: HoursBody | null,
  windows: EventTypeBody,
): Promise<Acted<unknown>> {
  const wrong = hours && wrongIn(availabilityRoutes.putAvailabilityRules, hours)
  if (wrong) return { ok: false, refusal: wrong }
  const params = { id }
  const asked = await ask(request, eventTypeRoutes.updateEventType, {
    params,
    body: { ...changedFields(request.form, windows), ...expectedState(request.form) },
  })
  return asked.ok && hours
    ? ask(request, availabilityRoutes.putAvailabilityRules, { params, body: hours })
    : asked
}

async function load(request: MemberRequest, id: string): Promise<Loaded> {
  const [eventType, hours, schedules] = await Promise.all([
    loadEventType(request, id),
    need(request, availabilityRoutes.getAvailabilityRules, { params: { id } }),
    listAll(request, scheduleRoutes.listSchedules),
  ])
  return { eventType, hours, schedules }
}

function readWindows(form: Sent): EventTypeBody {
  const cap = numberIn(form, 'booking_cap')
  return {
    hours_from: form.get('hours_from'),
    schedule_id: orNull(form, 'schedule_id'),
    slot_interval_minutes: numberIn(form, 'slot_interval_minutes'),
    minimum_notice_minutes: spanIn(form, 'minimum_notice_minutes') ?? 0,
    booking_window_days: numberIn(form, 'booking_window_days'),
    bookable_from: orNull(form, 'bookable_from'),
    bookable_until: orNull(form, 'bookable_until'),
    buffer_before_minutes: numberIn(form, 'buffer_before_minutes') ?? 0,
    buffer_after_minutes: numberIn(form, 'buffer_after_minutes') ?? 0,
    booking_cap: cap,
    booking_cap_period: cap === null ? null : form.get('booking_cap_period'),
    invitee_limit: numberIn(form, 'invitee_limit'),
    calendar_outage: form.get('calendar_outage'),
  }
}

/** The fields besides the hours. */
const WINDOWS = [
  'hours_from',
  'schedule_id',
  'slot_interval_minutes',
  'minimum_notice_minutes',
  'booking_window_days',
  'bookable_from',
  'bookable_until',
  'buffer_before_minutes',
  'buffer_after_minutes',
  'booking_cap',
  'booking_cap_period',
  'invitee_limit',
  'calendar_outage',
] as const

/** As the form sends them if nobody changes them. */
function hoursShown({ timezone }: EventType, { rules, overrides }: Hours): string {
  const times = ({ start_time, end_time }: { start_time: string; end_time: string }) => ({
    start_time,
    end_time,
  })
  return JSON.stringify({
    timezone,
    rules: rules.map(({ day_of_week, ...rule }) => ({ day_of_week, ...times(rule) })),
    overrides: overrides.map(({ date, intervals }) => ({ date, intervals: intervals.map(times) })),
  })
}

function hoursPage(
  request: MemberRequest,
  { eventType, hours: saved, schedules }: Loaded,
  value: EventType,
  hours: Hours,
  trouble: Trouble,
  status: number,
): Response {
  const { locale } = request.page
  const texts = textsOf(locale, eventTypeTexts)
  const field = fieldsFor({ locale, trouble, form: request.form }, value)
  const optional = { isOptional: true }
  const hasNone = saved.rules.length === 0 && saved.overrides.length === 0 && eventType.schedule_id === null
  const followed = hasNone && schedules.find((one) => one.is_default && one.member_id === null)
  const fields = (
    <>
      <section class="panel" aria-label={texts.hoursFrom}>
        <div class="pair">
          {field.select(
            'hours_from',
            texts.hoursFrom,
            [
              { value: 'own', text: texts.hoursOwn },
              { value: 'hosts', text: texts.hoursHosts },
            ],
            { hint: texts.hoursFromHint },
          )}
          {field.select(
            'schedule_id',
            texts.schedule,
            [
              { value: '', text: texts.ownHours },
              ...schedules
                .filter(({ id, member_id }) => member_id === null || id === value.schedule_id)
                .map(({ id, name }) => ({ value: id, text: name })),
            ],
            { hint: texts.scheduleHint, isOptional: true },
          )}
        </div>
      </section>
      <fieldset class="panel">
        <legend>{texts.hoursHeading}</legend>
        {followed && <p class="soft">{fill(texts.followsDefault, { name: followed.name })}</p>}
        {field.zone('timezone', texts.zone)}
        <WeekFields locale={locale} hours={hours} trouble={trouble} />
      </fieldset>
      <fieldset class="panel">
        <legend>{texts.windows}</legend>
        <div class="pair">
          {field.number('slot_interval_minutes', texts.interval, { hint: texts.intervalHint, ...optional })}
          {field.span('minimum_notice_minutes', texts.notice, optional)}
          {field.number('buffer_before_minutes', texts.bufferBefore)}
          {field.number('buffer_after_minutes', texts.bufferAfter)}
          {field.number('booking_window_days', texts.windowDays, optional)}
          {field.text('bookable_from', texts.from, { type: 'date', ...optional })}
          {field.text('bookable_until', texts.until, { type: 'date', ...optional })}
        </div>
      </fieldset>
      <fieldset class="panel">
        <legend>{texts.limits}</legend>
        <div class="pair">
          {field.number('booking_cap', texts.cap, optional)}
          {field.select(
            'booking_cap_period',
            texts.capPeriod,
            [
              { value: 'daily', text: texts.capDaily },
              { value: 'weekly', text: texts.capWeekly },
              { value: 'monthly', text: texts.capMonthly },
              { value: 'total', text: texts.capTotal },
            ],
            { value: value.booking_cap_period ?? 'total' },
          )}
          {field.number('invitee_limit', texts.inviteeLimit, optional)}
          {field.select('calendar_outage', texts.outage, [
            { value: 'last_known', text: texts.outageKnown },
            { value: 'closed', text: texts.outageClosed },
          ])}
        </div>
      </fieldset>
    </>
  )
  const mayChange = isRolePermitted(request.member.role, 'administer')
  return editorPage({
    request,
    eventType,
    at: '/hours',
    status,
    children: mayChange ? (
      <Form
        request={request}
        action={`/console/event-types/${eventType.id}/hours`}
        hidden={{ ...shownState(eventType, WINDOWS), hours_shown: hoursShown(eventType, saved) }}
        trouble={trouble}
        class="steps"
      >
        {fields}
        <FormEnd request={request} />
      </Form>
    ) : (
      <ReadOnly request={request}>{fields}</ReadOnly>
    ),
  })
}
