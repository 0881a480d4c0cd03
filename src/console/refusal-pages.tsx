import { ERRORS, type Refusal } from '../http/errors.ts'
import { textsOf } from '../i18n/console/catalogue.ts'
import { shellTexts } from '../i18n/console/shell.ts'
import { fill } from '../i18n/plural.ts'
import { toldTrouble } from './told.ts'
import { door } from './views/door.tsx'
import { shell } from './views/shell.tsx'
import type { Guest, Knock, Visit } from './visit.ts'

/** Nothing at this address, or nothing that this member may know of. */
export function nothingHere(visit: Visit): Response {
  const texts = textsOf(visit.page.locale, shellTexts)
  return shell({ visit, title: texts.notFoundTitle, status: 404, children: <p>{texts.notFoundText}</p> })
}

export function forbiddenPage(visit: Visit): Response {
  const texts = textsOf(visit.page.locale, shellTexts)
  const text = fill(texts.forbiddenText, { org: visit.member.name })
  return shell({ visit, title: texts.forbiddenTitle, status: 403, children: <p>{text}</p> })
}

/** A form of another session, another organization or another site: it does nothing. */
export function stalePage({ page }: Guest): Response {
  const texts = textsOf(page.locale, shellTexts)
  return door({
    page,
    title: texts.staleTitle,
    lead: texts.staleText,
    status: 403,
    children: (
      <a class="button" href="/console" data-unsent>
        {texts.reload}
      </a>
    ),
  })
}

/** Any other refusal, where no form is there to show it. */
export function refusedHere({ page }: Pick<Knock, 'page'>, refusal: Refusal): Response {
  const texts = textsOf(page.locale, shellTexts)
  const { title = texts.notFoundTitle, fields = {} } = toldTrouble(page.locale, refusal)
  return door({
    page,
    title,
    lead: Object.values(fields).join(' '),
    status: ERRORS[refusal.code].status,
    children: (
      <a class="button" href="/console">
        {texts.back}
      </a>
    ),
  })
}
