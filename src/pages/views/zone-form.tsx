import { cityText } from '../../platform/i18n/format.ts'
import { carried } from '../links.ts'
import type { Page } from '../page.ts'
import { regionsToChooseFrom } from '../zones.ts'
import { HiddenFields } from './hidden-fields.tsx'
import { Icon } from './icon.tsx'

type Props = { readonly page: Page; readonly zone: string; readonly at: number }

/** In which zone the times are shown, which has an offset of its own at each time. The script makes a search of it, which knows offsets and local times. */
export function ZoneForm({ page, zone, at }: Props) {
  const { locale } = page
  const { texts } = locale
  return (
    <form method="get" autocomplete="off" class="zone" data-swap data-on-change>
      <HiddenFields fields={carried(page.url, ['tz', 'time'])} />
      <label for="tz">
        <Icon name="globe" />
        {texts.timeZone}
      </label>
      <select
        id="tz"
        name="tz"
        data-key="tz"
        data-zones
        data-search={texts.searchZone}
        data-nothing={texts.nothingFound}
        data-shown={cityText(locale, at, zone)}
      >
        <ZoneOptions zone={zone} />
      </select>
      <button type="submit" class="quiet apply">
        {texts.apply}
      </button>
    </form>
  )
}

/** The zones of a list, with the chosen one. */
export function ZoneOptions({ zone }: Pick<Props, 'zone'>) {
  const regions = regionsToChooseFrom()
  const isListed = regions.some(({ zones }) => zones.includes(zone))
  return (
    <>
      {!isListed && (
        <option value={zone} selected>
          {zone}
        </option>
      )}
      {regions.map(({ name, zones }) => (
        <optgroup key={name} label={name}>
          {zones.map((one) => (
            <option key={one} value={one} selected={one === zone}>
              {one.slice(one.indexOf('/') + 1).replaceAll('_', ' ')}
            </option>
          ))}
        </optgroup>
      ))}
    </>
  )
}
