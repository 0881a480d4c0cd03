import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { eventTypeTexts } from '../../platform/i18n/console/event-types.ts'
import { placeTexts } from '../../platform/i18n/console/places.ts'
import { lengthText } from '../../platform/i18n/format.ts'
import { isChecked, numberIn, orNull } from '../form.ts'
import type { Form } from '../request.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { spanIn } from '../views/span-field.tsx'
import { When } from '../views/when.tsx'
import { DurationFields } from './durations.tsx'
import { Fold, type FoldedName } from './fold.tsx'
import { PlacesFields, placesIn, withPlaceProblems } from './places.tsx'
import type { EventTypeBody, FieldsProps, FieldsTab } from './tabs.ts'

const REMINDERS = [15, 60, 120, 1440, 2880, 10_080] as const

const CHANGES: readonly FoldedName[] = [
  'reminder_intervals',
  'reminder_channels',
  'follow_up_minutes',
  'cancel_notice_minutes',
  'reschedule_notice_minutes',
]

/** What it is, how long it takes, and where people meet. */
export const basicsTab: FieldsTab = {
  at: '',
  read,
  Fields,
  asSent: ({ reminder_intervals: reminders, duration_options: durations }) => ({
    reminder_intervals: reminders.toSorted((a, b) => a - b),
    duration_options: durations?.toSorted((a, b) => a - b) ?? null,
  }),
  reword: (_, fields) => withPlaceProblems(fields),
  names: {
    reminder_intervals: 'reminders',
    reminder_channels: 'by_text',
    duration_options: 'duration_options',
  },
}

function read(form: Form): EventTypeBody {
  const options = [...form.all('duration_options'), ...form.all('duration_other')].filter((one) => one !== '')
  return {
    title: form.get('title') ?? '',
    slug: (form.get('slug') ?? '').toLowerCase(),
    description: orNull(form, 'description'),
    duration_minutes: numberIn(form, 'duration_minutes'),
    duration_options: options.length === 0 ? null : options.map(minutesOrText),
    max_attendees: numberIn(form, 'max_attendees'),
    max_guests: numberIn(form, 'max_guests'),
    conferencing_provider: orNull(form, 'conferencing_provider'),
    location: orNull(form, 'location'),
    custom_meeting_url: orNull(form, 'custom_meeting_url'),
    places: placesIn(form) as EventTypeBody['places'],
    active: isChecked(form, 'active'),
    group: orNull(form, 'group'),
    reminder_intervals: form.all('reminders').map(minutesOrText),
    reminder_channels: isChecked(form, 'by_text') ? ['email', 'sms'] : ['email'],
    follow_up_minutes: spanIn(form, 'follow_up_minutes'),
    cancel_notice_minutes: spanIn(form, 'cancel_notice_minutes') ?? 0,
    reschedule_notice_minutes: spanIn(form, 'reschedule_notice_minutes') ?? 0,
    requires_approval: isChecked(form, 'requires_approval'),
    approval_ttl_minutes: spanIn(form, 'approval_ttl_minutes') ?? '',
    waitlist_enabled: isChecked(form, 'waitlist_enabled'),
    waitlist_max: numberIn(form, 'waitlist_max'),
    waitlist_ttl_days: numberIn(form, 'waitlist_ttl_days'),
  }
}

/** A value that is not a number is sent as text, so that the endpoint refuses it. */
function minutesOrText(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text
}

function Fields({ request, locale, value, trouble }: FieldsProps) {
  const texts = textsOf(locale, eventTypeTexts)
  const field = fieldsFor({ locale, trouble, form: request.form }, value)
  const fold = { value, trouble }
  const chosen = value.reminder_intervals.filter(Number.isSafeInteger)
  const reminders = [...new Set([...REMINDERS, ...chosen])].sort((a, b) => a - b)
  return (
    <>
      <section class="panel" aria-label={texts.tabBasics}>
        <div class="pair">
          {field.text('title', texts.eventTitle)}
          {field.text('slug', texts.slug, { hint: texts.slugHint, before: `/book/${request.member.slug}/` })}
        </div>
        {field.text('description', texts.description, { rows: 4, isOptional: true })}
        {field.number('duration_minutes', texts.duration)}
        {field.check('active', texts.active, { hint: texts.activeHint })}
      </section>
      <fieldset class="panel">
        <legend>{texts.meeting}</legend>
        {field.select(
          'conferencing_provider',
          texts.place,
          [
            { value: '', text: texts.placeNone },
            { value: 'in_person', text: texts.placeInPerson },
            { value: 'custom', text: texts.placeCustom },
            { value: 'video_a', text: texts.placeZoom },
            { value: 'calendar_a_meet', text: texts.placeMeet },
            { value: 'calendar_b_meet', text: texts.placeTeams },
          ],
          { isOptional: true },
        )}
        <div class="pair">
          <When name="address">
            {field.text('location', texts.location, { hint: texts.placeHint, isOptional: true })}
          </When>
          <When name="link">
            {field.text('custom_meeting_url', texts.meetingUrl, {
              hint: texts.placeHint,
              inputmode: 'url',
              isOptional: true,
            })}
          </When>
        </div>
      </fieldset>
      <Fold {...fold} title={textsOf(locale, placeTexts).title} names={['places']} id="places">
        <PlacesFields locale={locale} value={value} trouble={trouble} />
      </Fold>
      <Fold
        {...fold}
        title={texts.furtherBasics}
        names={['duration_options', 'max_attendees', 'max_guests', 'group']}
      >
        <DurationFields locale={locale} value={value} trouble={trouble} />
        <div class="pair">
          {field.number('max_attendees', texts.seats, { hint: texts.seatsHint })}
          {field.number('max_guests', texts.guests, { hint: texts.guestsHint })}
        </div>
        {field.text('group', texts.group, { hint: texts.groupHint, isOptional: true })}
      </Fold>
      <Fold {...fold} title={texts.changes} names={CHANGES} formNames={['reminders', 'by_text']}>
        <fieldset class="field" id="reminders">
          <legend>{texts.reminders}</legend>
          <div class="days">
            {reminders.map((minutes) => (
              <label key={minutes}>
                <input type="checkbox" name="reminders" value={minutes} checked={chosen.includes(minutes)} />
                <span>{lengthText(locale, minutes, true)}</span>
              </label>
            ))}
          </div>
          {field.check('by_text' as never, texts.byText, {
            hint: texts.byTextHint,
            isChecked: value.reminder_channels.includes('sms'),
          })}
          {trouble.fields?.reminders && <p class="error">{trouble.fields.reminders}</p>}
        </fieldset>
        <div class="pair">
          {field.span('follow_up_minutes', texts.followUp, { hint: texts.followUpHint, isOptional: true })}
          {field.span('cancel_notice_minutes', texts.cancelNotice, { isOptional: true })}
          {field.span('reschedule_notice_minutes', texts.rescheduleNotice, { isOptional: true })}
        </div>
      </Fold>
      <Fold {...fold} title={texts.approval} names={['requires_approval', 'approval_ttl_minutes']}>
        {field.check('requires_approval', texts.approvalOn, { hint: texts.approvalHint })}
        <When name="approval">{field.span('approval_ttl_minutes', texts.approvalTime)}</When>
      </Fold>
      <Fold
        {...fold}
        title={texts.waitlist}
        names={['waitlist_enabled', 'waitlist_max', 'waitlist_ttl_days']}
      >
        {field.check('waitlist_enabled', texts.waitlistOn)}
        <When name="waitlist">
          <div class="pair">
            {field.number('waitlist_max', texts.waitlistMax)}
            {field.number('waitlist_ttl_days', texts.waitlistDays)}
          </div>
        </When>
      </Fold>
    </>
  )
}
