import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { hoursTexts } from '../../platform/i18n/console/hours.ts'
import { numberIn } from '../form.ts'
import type { Form } from '../request.ts'
import { SelectField, TextField } from './fields.tsx'

const UNITS = [
  { minutes: 1, name: 'unitMinutes' },
  { minutes: 60, name: 'unitHours' },
  { minutes: 1440, name: 'unitDays' },
] as const

type Props = Omit<Parameters<typeof TextField>[0], 'value' | 'type'> & {
  /** In minutes, or as it was typed before it was refused. */
  readonly value: number | string | null
  /** In minutes, the unit that was chosen for what was refused. */
  readonly unit?: string | undefined
}

/** A length of time, in the largest unit that it is whole in. */
export function SpanField({ value, unit: chosen, ...field }: Props) {
  const texts = textsOf(field.locale, hoursTexts)
  const isWhole = (minutes: number) => typeof value === 'number' && value > 0 && value % minutes === 0
  const isChosen = (minutes: number) => typeof value === 'string' && String(minutes) === chosen
  const unit = UNITS.findLast(({ minutes }) => isWhole(minutes) || isChosen(minutes)) ?? UNITS[0]
  const shown = typeof value === 'number' ? String(value / unit.minutes) : (value ?? '')
  const { locale, name, label, id = name } = field
  return (
    <div class="with-unit">
      <TextField {...field} value={shown} inputmode="decimal" />
      <SelectField
        locale={locale}
        name={`${name}_unit`}
        id={`${id}_unit`}
        label={`${label}: ${texts.unit}`}
        isUnseenLabel
        value={String(unit.minutes)}
        options={UNITS.map((one) => ({ value: String(one.minutes), text: texts[one.name] }))}
      />
    </div>
  )
}

/** In minutes; null when nothing was typed, and as typed when it is not a number. */
export function spanIn(form: Form, name: string): number | string | null {
  const typed = numberIn(form, name)
  // 1.1 days are 1,584 minutes, and a little more by the arithmetic of doubles.
  const inMinutes = (count: number) => Math.round(count * Number(form.get(`${name}_unit`) ?? 1) * 1e6) / 1e6
  return typeof typed === 'number' ? inMinutes(typed) : typed
}
