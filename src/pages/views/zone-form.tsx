import { carried } from '../links.ts'
import type { Page } from '../page.ts'
import { zonesToChooseFrom } from '../zones.ts'
import { HiddenFields } from './hidden-fields.tsx'
import { Icon } from './icon.tsx'

/** In which zone the times are shown. */
export function ZoneForm({ page, zone }: { readonly page: Page; readonly zone: string }) {
  const { texts } = page.locale
  const known = zonesToChooseFrom()
  const zones = known.includes(zone) ? known : [zone, ...known]
  return (
    <form method="get" class="zone" data-swap data-on-change>
      <HiddenFields fields={carried(page.url, ['tz', 'time'])} />
      <label for="tz">
        <Icon name="globe" />
        {texts.timeZone}
      </label>
      <select id="tz" name="tz" data-key="tz">
        {zones.map((one) => (
          <option key={one} value={one} selected={one === zone}>
            {one.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
      <button type="submit" class="quiet apply">
        {texts.apply}
      </button>
    </form>
  )
}
