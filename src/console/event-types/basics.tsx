import { textsOf } from '../../i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../i18n/console/event-types.ts'
import { lengthText } from '../../i18n/format.ts'
import { isChecked, numberIn, orNull } from '../form.ts'
import { CheckField, SelectField, TextField } from '../views/fields.tsx'
import { SpanField, spanIn } from '../views/span-field.tsx'
import type { Form } from '../visit.ts'
import { NumberField } from './number-field.tsx'
import type { FieldsProps, FieldsTab } from './tabs.ts'

const REMINDERS = [15, 60, 120, 1440, 2880, 10_080] as const

/** What it is, how long it takes, and where people meet. */
export const basicsTab: FieldsTab = {
  at: '',
  read,
  Fields,
  names: { reminder_intervals: 'reminders' },
}

function read(form: Form): Record<string, unknown> {
  const options = (form.get('duration_options') ?? '').split(/[\s,;]+/).filter((one) => one !== '')
  return {
    title: form.get('title') ?? '',
    slug: (form.get('slug') ?? '').toLowerCase(),
    description: orNull(form, 'description'),
    duration_minutes: numberIn(form, 'duration_minutes'),
    duration_options:
      options.length === 0 ? null : options.map((one) => (/^\d+$/.test(one) ? Number(one) : one)),
    max_attendees: numberIn(form, 'max_attendees'),
    conferencing_provider: orNull(form, 'conferencing_provider'),
    location: orNull(form, 'location'),
    custom_meeting_url: orNull(form, 'custom_meeting_url'),
    active: isChecked(form, 'active'),
    group: orNull(form, 'group'),
    reminder_intervals: form.all('reminders').map(Number),
    cancel_notice_minutes: spanIn(form, 'cancel_notice_minutes') ?? 0,
    reschedule_notice_minutes: spanIn(form, 'reschedule_notice_minutes') ?? 0,
    requires_approval: isChecked(form, 'requires_approval'),
    approval_ttl_minutes: spanIn(form, 'approval_ttl_minutes') ?? '',
    waitlist_enabled: isChecked(form, 'waitlist_enabled'),
    waitlist_max: numberIn(form, 'waitlist_max'),
    waitlist_ttl_days: numberIn(form, 'waitlist_ttl_days'),
  }
}

function Fields({ visit, locale, value, trouble }: FieldsProps) {
  const texts = textsOf(locale, eventTypeTexts)
  const shared = { locale, trouble }
  const reminders = [...new Set([...REMINDERS, ...value.reminder_intervals])].sort((a, b) => a - b)
  return (
    <>
      <section class="panel" aria-label={texts.tabBasics}>
        <div class="pair">
          <TextField {...shared} name="title" label={texts.eventTitle} value={value.title} />
          <TextField
            {...shared}
            name="slug"
            label={texts.slug}
            hint={texts.slugHint}
            value={value.slug}
            before={`/book/${visit.member.slug}/`}
          />
        </div>
        <TextField
          {...shared}
          name="description"
          label={texts.description}
          value={value.description ?? ''}
          rows={4}
          isOptional
        />
        <div class="pair">
          <NumberField
            {...shared}
            name="duration_minutes"
            label={texts.duration}
            value={value.duration_minutes}
          />
          <TextField
            {...shared}
            name="duration_options"
            label={texts.durations}
            hint={texts.durationsHint}
            value={value.duration_options?.join(', ') ?? ''}
            isOptional
          />
          <NumberField
            {...shared}
            name="max_attendees"
            label={texts.seats}
            hint={texts.seatsHint}
            value={value.max_attendees}
          />
          <TextField
            {...shared}
            name="group"
            label={texts.group}
            hint={texts.groupHint}
            value={value.group ?? ''}
            isOptional
          />
        </div>
        <CheckField
          {...shared}
          name="active"
          label={texts.active}
          hint={texts.activeHint}
          isChecked={value.active}
        />
      </section>
      <fieldset class="panel">
        <legend>{texts.meeting}</legend>
        <SelectField
          {...shared}
          name="conferencing_provider"
          label={texts.place}
          value={value.conferencing_provider ?? ''}
          isOptional
          options={[
            { value: '', text: texts.placeNone },
            { value: 'in_person', text: texts.placeInPerson },
            { value: 'custom', text: texts.placeCustom },
            { value: 'video_a', text: texts.placeZoom },
            { value: 'calendar_a_meet', text: texts.placeMeet },
            { value: 'calendar_b_meet', text: texts.placeTeams },
          ]}
        />
        <div class="pair">
          <TextField
            {...shared}
            name="location"
            label={texts.location}
            value={value.location ?? ''}
            isOptional
          />
          <TextField
            {...shared}
            name="custom_meeting_url"
            inputmode="url"
            label={texts.meetingUrl}
            value={value.custom_meeting_url ?? ''}
            isOptional
          />
        </div>
      </fieldset>
      <fieldset class="panel">
        <legend>{texts.changes}</legend>
        <fieldset class="field" id="reminders">
          <legend>{texts.reminders}</legend>
          <div class="days">
            {reminders.map((minutes) => (
              <label key={minutes}>
                <input
                  type="checkbox"
                  name="reminders"
                  value={minutes}
                  checked={value.reminder_intervals.includes(minutes)}
                />
                <span>{lengthText(locale, minutes, true)}</span>
              </label>
            ))}
          </div>
          {trouble.fields?.reminders && <p class="error">{trouble.fields.reminders}</p>}
        </fieldset>
        <div class="pair">
          <SpanField
            {...shared}
            name="cancel_notice_minutes"
            label={texts.cancelNotice}
            value={value.cancel_notice_minutes}
            isOptional
          />
          <SpanField
            {...shared}
            name="reschedule_notice_minutes"
            label={texts.rescheduleNotice}
            value={value.reschedule_notice_minutes}
            isOptional
          />
        </div>
      </fieldset>
      <fieldset class="panel">
        <legend>{texts.approval}</legend>
        <CheckField
          {...shared}
          name="requires_approval"
          label={texts.approvalOn}
          hint={texts.approvalHint}
          isChecked={value.requires_approval}
        />
        <div class="pair">
          <SpanField
            {...shared}
            name="approval_ttl_minutes"
            label={texts.approvalTime}
            value={value.approval_ttl_minutes}
          />
        </div>
      </fieldset>
      <fieldset class="panel">
        <legend>{texts.waitlist}</legend>
        <CheckField
          {...shared}
          name="waitlist_enabled"
          label={texts.waitlistOn}
          isChecked={value.waitlist_enabled}
        />
        <div class="pair">
          <NumberField {...shared} name="waitlist_max" label={texts.waitlistMax} value={value.waitlist_max} />
          <NumberField
            {...shared}
            name="waitlist_ttl_days"
            label={texts.waitlistDays}
            value={value.waitlist_ttl_days}
          />
        </div>
      </fieldset>
    </>
  )
}
