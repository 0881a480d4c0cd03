import { isRolePermitted } from '../../auth/policy.ts'
import { textsOf } from '../../i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../i18n/console/event-types.ts'
import type { Params } from '../../pages/page.ts'
import { seeOther } from '../../pages/respond.ts'
import { availabilityRoutes } from '../../resources/availability/routes.ts'
import type { AvailabilityRules } from '../../resources/availability/schema.ts'
import { eventTypeRoutes } from '../../resources/event-types/routes.ts'
import type { EventType } from '../../resources/event-types/schema.ts'
import { scheduleRoutes } from '../../resources/schedules/routes.ts'
import type { Schedule } from '../../resources/schedules/schema.ts'
import { ask, need } from '../ask.ts'
import { numberIn, orNull } from '../form.ts'
import { NO_TROUBLE, statusOf, type Trouble } from '../told.ts'
import { SelectField, TextField } from '../views/fields.tsx'
import { Form } from '../views/form.tsx'
import { SpanField, spanIn } from '../views/span-field.tsx'
import { type Hours, readHours, WeekFields } from '../views/week-fields.tsx'
import { ZoneField } from '../views/zone-field.tsx'
import type { Form as Sent, Visit } from '../visit.ts'
import { editorPage, eventTypeTrouble, OnlyLook, SaveButton } from './editor.tsx'
import { loadEventType } from './load.ts'
import { NumberField } from './number-field.tsx'

type Loaded = {
  readonly eventType: EventType
  readonly hours: Hours
  readonly schedules: readonly Schedule[]
}

/** When it can be booked. */
export async function showEventTypeHours(visit: Visit, { id = '' }: Params): Promise<Response> {
  const loaded = await load(visit, id)
  return hoursPage(visit, loaded, loaded.eventType, loaded.hours, NO_TROUBLE, 200)
}

/** Its own hours first, since what is wrong with them stands at the day that was typed. */
export async function saveEventTypeHours(visit: Visit, { id = '' }: Params): Promise<Response> {
  const { hours, names } = readHours(visit.form)
  const body = readWindows(visit.form)
  const timezone = visit.form.get('timezone') ?? ''
  const put = await ask(visit, availabilityRoutes, 'putAvailabilityRules', {
    params: { id },
    body: { timezone, ...hours },
  })
  const asked = put.ok ? await ask(visit, eventTypeRoutes, 'updateEventType', { params: { id }, body }) : put
  if (asked.ok) return seeOther(visit.page, `/console/event-types/${id}/hours?done=saved`)
  const loaded = await load(visit, id)
  const value = { ...loaded.eventType, ...body, timezone } as EventType
  return hoursPage(
    visit,
    loaded,
    value,
    hours,
    eventTypeTrouble(visit, asked.refusal, names),
    statusOf(asked.refusal),
  )
}

async function load(visit: Visit, id: string): Promise<Loaded> {
  const [eventType, hours, { data }] = await Promise.all([
    loadEventType(visit, id),
    need<AvailabilityRules>(visit, availabilityRoutes, 'getAvailabilityRules', { params: { id } }),
    need<{ data: readonly Schedule[] }>(visit, scheduleRoutes, 'listSchedules', { query: { limit: '100' } }),
  ])
  return { eventType, hours, schedules: data }
}

function readWindows(form: Sent): Record<string, unknown> {
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

function hoursPage(
  visit: Visit,
  { eventType, schedules }: Loaded,
  value: EventType,
  hours: Hours,
  trouble: Trouble,
  status: number,
): Response {
  const { locale } = visit.page
  const texts = textsOf(locale, eventTypeTexts)
  const shared = { locale, trouble }
  const fields = (
    <>
      <section class="panel" aria-label={texts.hoursFrom}>
        <div class="pair">
          <SelectField
            {...shared}
            name="hours_from"
            label={texts.hoursFrom}
            hint={texts.hoursFromHint}
            value={value.hours_from}
            options={[
              { value: 'own', text: texts.hoursOwn },
              { value: 'hosts', text: texts.hoursHosts },
            ]}
          />
          <SelectField
            {...shared}
            name="schedule_id"
            label={texts.schedule}
            hint={texts.scheduleHint}
            value={value.schedule_id ?? ''}
            isOptional
            options={[
              { value: '', text: texts.ownHours },
              ...schedules
                .filter(({ id, member_id }) => member_id === null || id === value.schedule_id)
                .map(({ id, name }) => ({ value: id, text: name })),
            ]}
          />
        </div>
      </section>
      <fieldset class="panel">
        <legend>{texts.hoursHeading}</legend>
        <ZoneField {...shared} name="timezone" label={texts.zone} value={value.timezone} />
        <WeekFields locale={locale} hours={hours} trouble={trouble} />
      </fieldset>
      <fieldset class="panel">
        <legend>{texts.windows}</legend>
        <div class="pair">
          <NumberField
            {...shared}
            name="slot_interval_minutes"
            label={texts.interval}
            hint={texts.intervalHint}
            value={value.slot_interval_minutes}
            isOptional
          />
          <SpanField
            {...shared}
            name="minimum_notice_minutes"
            label={texts.notice}
            value={value.minimum_notice_minutes}
            isOptional
          />
          <NumberField
            {...shared}
            name="buffer_before_minutes"
            label={texts.bufferBefore}
            value={value.buffer_before_minutes}
          />
          <NumberField
            {...shared}
            name="buffer_after_minutes"
            label={texts.bufferAfter}
            value={value.buffer_after_minutes}
          />
          <NumberField
            {...shared}
            name="booking_window_days"
            label={texts.windowDays}
            value={value.booking_window_days}
            isOptional
          />
          <TextField
            {...shared}
            name="bookable_from"
            type="date"
            label={texts.from}
            value={value.bookable_from ?? ''}
            isOptional
          />
          <TextField
            {...shared}
            name="bookable_until"
            type="date"
            label={texts.until}
            value={value.bookable_until ?? ''}
            isOptional
          />
        </div>
      </fieldset>
      <fieldset class="panel">
        <legend>{texts.limits}</legend>
        <div class="pair">
          <NumberField
            {...shared}
            name="booking_cap"
            label={texts.cap}
            value={value.booking_cap}
            isOptional
          />
          <SelectField
            {...shared}
            name="booking_cap_period"
            label={texts.capPeriod}
            value={value.booking_cap_period ?? 'total'}
            options={[
              { value: 'daily', text: texts.capDaily },
              { value: 'weekly', text: texts.capWeekly },
              { value: 'monthly', text: texts.capMonthly },
              { value: 'total', text: texts.capTotal },
            ]}
          />
          <NumberField
            {...shared}
            name="invitee_limit"
            label={texts.inviteeLimit}
            value={value.invitee_limit}
            isOptional
          />
          <SelectField
            {...shared}
            name="calendar_outage"
            label={texts.outage}
            value={value.calendar_outage}
            options={[
              { value: 'last_known', text: texts.outageKnown },
              { value: 'closed', text: texts.outageClosed },
            ]}
          />
        </div>
      </fieldset>
    </>
  )
  const mayChange = isRolePermitted(visit.member.role, 'administer')
  return editorPage({
    visit,
    eventType,
    at: '/hours',
    status,
    children: mayChange ? (
      <Form
        visit={visit}
        action={`/console/event-types/${eventType.id}/hours`}
        trouble={trouble}
        class="steps"
      >
        {fields}
        <SaveButton visit={visit} />
      </Form>
    ) : (
      <OnlyLook visit={visit}>{fields}</OnlyLook>
    ),
  })
}
