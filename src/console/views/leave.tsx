import { withCookie } from '../../pages/session-cookie.ts'
import { textsOf } from '../../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../../platform/i18n/console/shell.ts'
import { fill } from '../../platform/i18n/plural.ts'
import type { SignedInRequest } from '../request.ts'
import { entryPage } from './entry-page.tsx'

/**
 * Continues to a page of a provider after a form was sent. Browsers do not let a form be answered by a redirect to another site
 * (`form-action`), so this page leads there, automatically or by its link.
 */
export function leaveFor({ page }: SignedInRequest, url: string, ...cookies: readonly string[]): Response {
  const texts = textsOf(page.locale, shellTexts)
  return entryPage({
    page: withCookie(page, ...cookies),
    title: fill(texts.leaving, { host: new URL(url).host }),
    lead: texts.leavingText,
    goesOnTo: url,
    children: (
      <a class="button wide" href={url} rel="noreferrer">
        {texts.goOn}
      </a>
    ),
  })
}
