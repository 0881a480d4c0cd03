import { nameOfLanguage } from '../../i18n/locale.ts'
import { fill } from '../../i18n/plural.ts'
import { LANGUAGES } from '../../i18n/tags.ts'
import { carried } from '../links.ts'
import type { Page } from '../page.ts'
import { HiddenFields } from './hidden-fields.tsx'

type Props = {
  readonly page: Page
  readonly showsProduct: boolean
  readonly offersLanguages: boolean
}

export function Footer({ page, showsProduct, offersLanguages }: Props) {
  const { language, texts } = page.locale
  return (
    <footer>
      {offersLanguages && page.ctx.request.method !== 'POST' && (
        <form method="get" data-swap data-on-change>
          <HiddenFields fields={carried(page.url, ['lang'])} />
          <label for="lang" class="unseen">
            {texts.language}
          </label>
          <select id="lang" name="lang">
            {LANGUAGES.map((one) => (
              <option key={one} value={one} lang={one} selected={one === language}>
                {nameOfLanguage(one)}
              </option>
            ))}
          </select>
          <button type="submit" class="quiet apply">
            {texts.apply}
          </button>
        </form>
      )}
      {showsProduct && <p class="product">{fill(texts.poweredBy, { product: 'Holdfast' })}</p>}
    </footer>
  )
}
