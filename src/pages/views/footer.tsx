import { nameOfLanguage } from '../../platform/i18n/locale.ts'
import { fill } from '../../platform/i18n/plural.ts'
import { LANGUAGES } from '../../platform/i18n/tags.ts'
import { carried } from '../links.ts'
import type { Page } from '../page.ts'
import { HiddenFields } from './hidden-fields.tsx'

/** What an organization has to, or wants to, link to. */
export type OwnLinks = { readonly imprint_url: string | null; readonly privacy_url: string | null }

type Props = {
  readonly page: Page
  readonly showsProduct: boolean
  readonly offersLanguages: boolean
  readonly ownLinks?: OwnLinks | undefined
}

export function Footer({ page, showsProduct, offersLanguages, ownLinks }: Props) {
  const { language, texts } = page.locale
  const links = [
    [texts.imprint, ownLinks?.imprint_url],
    [texts.privacy, ownLinks?.privacy_url],
  ] as const
  return (
    <footer>
      {offersLanguages && page.ctx.request.method !== 'POST' && (
        <form method="get" autocomplete="off" data-swap data-on-change>
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
      {links.map(
        ([name, href]) =>
          href && (
            <a key={name} href={href} target="_blank" rel="noopener noreferrer">
              {name}
              <span class="unseen"> ({texts.opensNewTab})</span>
            </a>
          ),
      )}
      {showsProduct && <p class="product">{fill(texts.poweredBy, { product: 'Holdfast' })}</p>}
    </footer>
  )
}
