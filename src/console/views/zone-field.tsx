import { regionsToChooseFrom } from '../../pages/zones.ts'
import type { Locale } from '../../platform/i18n/locale.ts'
import type { Trouble } from '../trouble.ts'
import { SelectField } from './fields.tsx'

type Props = {
  readonly locale: Locale
  readonly name: string
  readonly label: string
  readonly value: string
  readonly trouble?: Trouble
  readonly hint?: string
  readonly id?: string
  /** The option for no time zone of one's own; without it a zone must be chosen. */
  readonly none?: string
  readonly isGuessedZone?: boolean | undefined
}

/** Every zone there is, by its part of the world. */
export function ZoneField({ none, ...field }: Props) {
  const regions = regionsToChooseFrom()
  const groups = regions.map(({ name, zones }) => ({
    name,
    options: zones.map((zone) => ({
      value: zone,
      text: zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' '),
    })),
  }))
  const options = none === undefined ? [] : [{ value: '', text: none }]
  return <SelectField {...field} options={options} groups={groups} />
}
