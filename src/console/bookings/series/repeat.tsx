import type { Refusal } from '../../../platform/http/errors.ts'
import { textsOf } from '../../../platform/i18n/console/catalogue.ts'
import { seriesTexts } from '../../../platform/i18n/console/series.ts'
import { ownShortMomentText } from '../../../platform/i18n/format.ts'
import { isChecked, numberIn } from '../../form.ts'
import type { MemberRequest } from '../../request.ts'
import type { Trouble } from '../../trouble.ts'
import { typedFields } from '../../views/fields-for.tsx'

const LONGEST_STEP = 8

type Props = { readonly request: MemberRequest; readonly trouble: Trouble }

/** Makes a series of a booking. */
export function RepeatFields({ request, trouble }: Props) {
  const texts = textsOf(request.page.locale, seriesTexts)
  const field = typedFields(request, trouble)
  const weeks = Array.from({ length: LONGEST_STEP }, (_, at) => String(at + 1))
  return (
    <details class="folded" open={wantsSeries(request)}>
      <summary>{texts.repeat}</summary>
      <p class="soft">{texts.repeatHint}</p>
      <div class="pair">
        {field.number('count', texts.count, { hint: texts.countHint, isOptional: true })}
        {field.select(
          'every_weeks',
          texts.every,
          weeks.map((value) => ({ value, text: value })),
          { value: request.form.get('every_weeks') ?? '1' },
        )}
      </div>
      {field.check('skip', texts.skip, { hint: texts.skipHint, isChecked: isChecked(request.form, 'skip') })}
    </details>
  )
}

export function wantsSeries({ form }: MemberRequest): boolean {
  return (form.get('count') ?? '') !== ''
}

/** The same as the endpoint takes it. */
export function readRepeat({ form }: MemberRequest) {
  return {
    count: numberIn(form, 'count'),
    every_weeks: numberIn(form, 'every_weeks') ?? 1,
    on_conflict: isChecked(form, 'skip') ? 'skip' : 'fail',
  }
}

/** The dates that were not open, if that is why nothing was booked. */
export function conflictsIn({ page, zone }: MemberRequest, refusal: Refusal): string | null {
  const conflicts = refusal.details?.conflicts as readonly { readonly start_time: string }[] | undefined
  if (refusal.reason !== 'series_not_open' || !conflicts) return null
  const dates = conflicts.map(({ start_time }) =>
    ownShortMomentText(page.locale, Date.parse(start_time), zone),
  )
  const list = new Intl.ListFormat(page.locale.tag, { type: 'conjunction' }).format(dates)
  return `${textsOf(page.locale, seriesTexts).notOpen} ${list}`
}
