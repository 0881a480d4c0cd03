import { instantOf, zoneTable } from '../../core/local-time.ts'
import { RULES_TO_SET_ASIDE } from '../../core/rules-to-set-aside.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { bookingChangeTexts } from '../../platform/i18n/console/booking-changes.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { MemberRequest } from '../request.ts'
import type { Trouble } from '../trouble.ts'
import { CheckField } from '../views/fields.tsx'
import { typedFields } from '../views/fields-for.tsx'

type Props = {
  readonly request: MemberRequest
  readonly trouble: Trouble
  /** Whether a time can be typed that is not among the open ones. */
  readonly hasTime?: boolean
}

/** The rules that a change sets aside on purpose; folded away until somebody wants it. */
export function OnPurposeFields({ request, trouble, hasTime }: Props) {
  const { page, form, zone } = request
  const { locale } = page
  const texts = textsOf(locale, bookingChangeTexts)
  const field = typedFields(request, trouble)
  const chosen = new Set(form.all('override'))
  return (
    <details class="folded" open={chosen.size > 0 || (form.get('at') ?? '') !== ''}>
      <summary>{hasTime ? texts.onPurposeTime : texts.onPurpose}</summary>
      <p class="soft">{texts.onPurposeText}</p>
      {hasTime &&
        field.text('at', texts.exactTime, {
          type: 'datetime-local',
          hint: fill(texts.exactTimeHint, { zone: zone.replaceAll('_', ' ') }),
          isOptional: true,
        })}
      <fieldset class="field">
        <legend>{texts.setAside}</legend>
        {RULES_TO_SET_ASIDE.map((rule) => (
          <CheckField
            key={rule}
            locale={locale}
            id={`override-${rule}`}
            name="override"
            value={rule}
            label={texts[`rule_${rule}`]}
            isChecked={chosen.has(rule)}
          />
        ))}
      </fieldset>
    </details>
  )
}

/** The same as the endpoints take it. */
export function overrideIn({ form }: MemberRequest) {
  const chosen = form.all('override')
  const override = RULES_TO_SET_ASIDE.filter((rule) => chosen.includes(rule))
  return override.length === 0 ? {} : { override }
}

/** The start that was typed, else the open one that was chosen; null without either. */
export function startIn({ form, zone }: MemberRequest): string | null {
  const typed = form.get('at') ?? ''
  const wall = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(typed)
    ? Date.parse(`${typed.slice(0, 16)}Z`)
    : Number.NaN
  if (Number.isFinite(wall)) return formatInstant(instantOf(zoneTable(zone, wall, wall), wall))
  return form.get('start') || null
}
