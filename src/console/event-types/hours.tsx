import type { EventType } from '../../booking/event-types/schema.ts'
import { scheduleRoutes } from '../../booking/hours/schedules/routes.ts'
import { availabilityRoutes } from '../../booking/slots/routes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { need } from '../ask.ts'
import { numberIn, orNull } from '../form.ts'
import { listAll } from '../list-all.ts'
import { shownState } from '../lost-update.ts'
import type { Form as Sent } from '../request.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { spanIn } from '../views/span-field.tsx'
import { type Hours, readHours, WeekFields } from '../views/week-fields.tsx'
import { When } from '../views/when.tsx'
import { Fold } from './fold.tsx'
import type { AskedTab, EditorTab, EventTypeBody, OpenTab } from './tabs.ts'

/** When it can be booked. */
export const hoursTab: EditorTab = {
  at: '/hours',
  open,
  read: readWindows,
  readHours: (form) => {
    const { hours, names } = readHours(form)
    return { hours: { timezone: form.get('timezone') ?? '', ...hours }, names }
  },
}

async function open({ request, id, eventType: loading, typed, trouble }: AskedTab): Promise<OpenTab> {
  const [eventType, saved, schedules] = await Promise.all([
    loading,
    need(request, availabilityRoutes.getAvailabilityRules, { params: { id } }),
    listAll(request, scheduleRoutes.listSchedules),
  ])
  const timezone = typed?.form.get('timezone') ?? eventType.timezone
  const value = { ...eventType, ...typed?.value, timezone } as EventType
  const hours = typed ? readHours(typed.form).hours : saved
  const { locale } = request.page
  const texts = textsOf(locale, eventTypeTexts)
  const field = fieldsFor({ locale, trouble, ...(typed && { form: typed.form }) }, value)
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
          <When name="own-hours">
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
          </When>
        </div>
      </section>
      <fieldset class="panel">
        <legend>{texts.hoursHeading}</legend>
        {field.zone('timezone', texts.zone)}
        <When name="own-week">
          {followed && <p class="soft">{fill(texts.followsDefault, { name: followed.name })}</p>}
          <WeekFields locale={locale} hours={hours} trouble={trouble} />
        </When>
      </fieldset>
      <fieldset class="panel">
        <legend>{texts.noticeAndBuffers}</legend>
        {field.span('minimum_notice_minutes', texts.notice, optional)}
        <div class="pair">
          {field.number('buffer_before_minutes', texts.bufferBefore)}
          {field.number('buffer_after_minutes', texts.bufferAfter)}
        </div>
      </fieldset>
      <Fold value={value} trouble={trouble} title={texts.windows} names={BOOKABLE}>
        <div class="pair">
          {field.number('slot_interval_minutes', texts.interval, { hint: texts.intervalHint, ...optional })}
          {field.number('booking_window_days', texts.windowDays, optional)}
          {field.text('bookable_from', texts.from, { type: 'date', ...optional })}
          {field.text('bookable_until', texts.until, { type: 'date', ...optional })}
        </div>
      </Fold>
      <Fold value={value} trouble={trouble} title={texts.limits} names={LIMITS}>
        <div class="pair">
          {field.number('booking_cap', texts.cap, { placeholder: ' ', ...optional })}
          <When name="cap">
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
          </When>
          {field.number('invitee_limit', texts.inviteeLimit, optional)}
          {field.select('calendar_outage', texts.outage, [
            { value: 'last_known', text: texts.outageKnown },
            { value: 'closed', text: texts.outageClosed },
          ])}
        </div>
      </Fold>
    </>
  )
  return {
    fields,
    shown: { ...shownState(eventType, WINDOWS), hours_shown: hoursShown(eventType, saved) },
  }
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

const BOOKABLE = ['slot_interval_minutes', 'booking_window_days', 'bookable_from', 'bookable_until'] as const
const LIMITS = ['booking_cap', 'invitee_limit', 'calendar_outage'] as const

/** The fields besides the hours. */
const WINDOWS = [
  'hours_from',
  'schedule_id',
  ...BOOKABLE,
  ...LIMITS,
  'minimum_notice_minutes',
  'buffer_before_minutes',
  'buffer_after_minutes',
  'booking_cap_period',
] as const

const mondayFirst = (day: number) => (day + 6) % 7

/** As the form sends them if nobody changes them. */
function hoursShown({ timezone }: EventType, { rules, overrides }: Hours): string {
  const times = ({ start_time, end_time }: { start_time: string; end_time: string }) => ({
    start_time,
    end_time,
  })
  return JSON.stringify({
    timezone,
    rules: rules
      .toSorted((a, b) => mondayFirst(a.day_of_week) - mondayFirst(b.day_of_week))
      .map(({ day_of_week, ...rule }) => ({ day_of_week, ...times(rule) })),
    overrides: overrides.map(({ date, intervals }) => ({ date, intervals: intervals.map(times) })),
  })
}
