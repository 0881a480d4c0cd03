import { cookiesOf } from '../pages/open-page.ts'
import type { Page } from '../pages/page.ts'
import { consoleLanguage } from '../platform/i18n/console/catalogue.ts'
import { type Locale, localeFor } from '../platform/i18n/locale.ts'
import { isLanguage } from '../platform/i18n/tags.ts'

/**
 * How somebody reads the console: the language that they chose in this browser, else their own as a member, else the
 * browser's. Where we do not speak it here, English.
 */
export function consoleLocale(page: Page, memberTag: string | null): Locale {
  const { request } = page.ctx
  const chosen = [page.url.searchParams.get('lang'), cookiesOf(request).get('hf_lang')].find(isLanguage)
  const accepted = request.headers.get('accept-language')
  const found =
    memberTag !== null && !chosen ? localeFor(null, memberTag) : localeFor(chosen ?? null, accepted)
  const spoken = found.language === consoleLanguage(found.language) ? found : localeFor('en', null)
  const { clock } = page.locale
  return { ...spoken, ...(clock && { clock }) }
}
