import { DAY_MS } from '../../core/time-units.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { startTexts } from '../../platform/i18n/console/start.ts'
import { weekdayText } from '../../platform/i18n/format.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import { NO_TROUBLE, type Trouble } from '../trouble.ts'
import { fieldsFor } from '../views/fields-for.tsx'
import { Form } from '../views/form.tsx'
import { FormEnd } from '../views/form-end.tsx'
import { shell } from '../views/shell.tsx'

/** What the first form asks, as it was typed. */
export type Setup = {
  readonly name: string
  readonly slug: string
  readonly timezone: string
  readonly title: string
  readonly duration: string
  readonly place: string
  readonly place_detail: string
  readonly days: readonly string[]
  readonly from: string
  readonly to: string
}

/** Monday first, as most of the world has it; 0 is Sunday. */
const WEEK = [1, 2, 3, 4, 5, 6, 0] as const
const DURATIONS = [15, 20, 30, 45, 60, 90, 120] as const
/** A Sunday. */
const SUNDAY = 3 * DAY_MS

export function firstSetup({ member, page }: MemberRequest): Setup {
  const isUntouched = member.timezone === 'UTC' && member.onboardingCompletedAt === null
  return {
    name: member.name,
    slug: member.slug,
    timezone: isUntouched ? (page.zone ?? 'UTC') : member.timezone,
    title: '',
    duration: '30',
    place: 'later',
    place_detail: '',
    days: ['1', '2', '3', '4', '5'],
    from: '09:00',
    to: '17:00',
  }
}

export function setupPage(
  request: MemberRequest,
  setup: Setup,
  trouble: Trouble = NO_TROUBLE,
  status = 200,
): Response {
  const { page } = request
  const { locale } = page
  const texts = textsOf(locale, startTexts)
  const field = fieldsFor({ locale, trouble }, setup)
  const durations = DURATIONS.map((n) => ({ value: String(n), text: fill(texts.minutes, { n }) }))
  const daysError = trouble.fields?.days
  return shell({
    request,
    title: texts.title,
    lead: texts.lead,
    status,
    children: (
      <Form request={request} action="/console/start" once trouble={trouble} class="steps">
        <fieldset class="panel">
          <legend>{texts.about}</legend>
          <div class="pair">
            {field.text('name', texts.name, { hint: texts.nameHint })}
            {field.text('slug', texts.slug, { hint: texts.slugHint, before: '/book/' })}
          </div>
          {field.zone('timezone', texts.timezone, {
            isGuessedZone: request.member.timezone === 'UTC' && !page.isZoneKnown && trouble === NO_TROUBLE,
          })}
        </fieldset>
        <fieldset class="panel">
          <legend>{texts.what}</legend>
          <div class="pair">
            {field.text('title', texts.eventTitle, { hint: texts.eventTitleHint })}
            {field.select('duration', texts.duration, durations)}
            {field.select('place', texts.place, [
              { value: 'later', text: texts.placeLater },
              { value: 'in_person', text: texts.placeInPerson },
              { value: 'custom', text: texts.placeLink },
            ])}
            {field.text('place_detail', texts.placeDetail, { isOptional: true })}
          </div>
        </fieldset>
        <fieldset class="panel">
          <legend>{texts.when}</legend>
          <fieldset class={daysError ? 'field wrong' : 'field'} id="days">
            <legend>{texts.days}</legend>
            <div class="days">
              {WEEK.map((day) => (
                <label key={day}>
                  <input type="checkbox" name="days" value={day} checked={setup.days.includes(String(day))} />
                  <span>{weekdayText(locale, SUNDAY + day * DAY_MS, 'short')}</span>
                </label>
              ))}
            </div>
            {daysError && <p class="error">{daysError}</p>}
          </fieldset>
          <div class="pair times-pair">
            {field.text('from', texts.from, { type: 'time' })}
            {field.text('to', texts.to, { type: 'time' })}
          </div>
        </fieldset>
        <FormEnd request={request} text={texts.create} />
      </Form>
    ),
  })
}
