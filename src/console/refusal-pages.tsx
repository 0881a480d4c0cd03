import type { Page } from '../pages/page.ts'
import { failed } from '../pages/refusal-pages.tsx'
import type { Refusal } from '../platform/http/errors.ts'
import { textsOf } from '../platform/i18n/console/catalogue.ts'
import { shellTexts } from '../platform/i18n/console/shell.ts'
import { counted } from '../platform/i18n/format.ts'
import { fill } from '../platform/i18n/plural.ts'
import { ERRORS } from '../platform/reasons/error-codes.ts'
import type { AnonymousRequest, MemberRequest, SignedInRequest } from './request.ts'
import { troubleOf } from './trouble.ts'
import { entryPage } from './views/entry-page.tsx'
import { shell } from './views/shell.tsx'

/** Nothing at this address, or nothing that this member may know of. */
export function nothingHere(request: MemberRequest): Response {
  const texts = textsOf(request.page.locale, shellTexts)
  return shell({ request, title: texts.notFoundTitle, status: 404, children: <p>{texts.notFoundText}</p> })
}

export function forbiddenPage(request: MemberRequest): Response {
  const texts = textsOf(request.page.locale, shellTexts)
  const text = fill(texts.forbiddenText, { org: request.member.name })
  return shell({ request, title: texts.forbiddenTitle, status: 403, children: <p>{text}</p> })
}

/** A form of another session, another organization or another site: it does nothing. */
export function stalePage({ page }: SignedInRequest): Response {
  const texts = textsOf(page.locale, shellTexts)
  return entryPage({
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
export function refusedHere({ page }: Pick<AnonymousRequest, 'page'>, refusal: Refusal): Response {
  const texts = textsOf(page.locale, shellTexts)
  const { title = texts.notFoundTitle, fields = {} } = troubleOf(page.locale, refusal)
  return entryPage({
    page,
    title,
    lead: Object.values(fields).join(' '),
    status: ERRORS[refusal.code].status,
    children: (
      <a class="button" href="/console" data-unsent={isForm(page.ctx.request) || undefined}>
        {texts.back}
      </a>
    ),
  })
}

export function tooManyHere(page: Page, retryAfter: number): Response {
  const { tooManyTitle, tryAgain, goBack } = page.locale.texts
  const isSent = isForm(page.ctx.request)
  return entryPage({
    page,
    title: tooManyTitle,
    lead: counted(page.locale, 'tooManyText', retryAfter),
    status: 429,
    headers: { 'Retry-After': String(retryAfter) },
    children: (
      <a
        class="button"
        href={isSent ? '/console' : `${page.url.pathname}${page.url.search}`}
        data-unsent={isSent || undefined}
      >
        {isSent ? goBack : tryAgain}
      </a>
    ),
  })
}

/** Nothing is known to have come of a form: its fields are filled in again. */
export function failedHere(request: Request, requestId: string, isPassing: boolean): Response {
  const back = { to: '/console', attribute: 'data-unsent', script: '/assets/console.js' }
  return failed(request, requestId, isPassing, isForm(request) ? back : undefined)
}

/** The console's script restores what was sent where it finds `data-unsent`. */
function isForm({ method }: Request): boolean {
  return method === 'POST'
}
