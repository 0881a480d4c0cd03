import { BLIP_SECONDS } from '../platform/http/answer.ts'
import type { Refusal } from '../platform/http/errors.ts'
import { counted } from '../platform/i18n/format.ts'
import { localeFor } from '../platform/i18n/locale.ts'
import { fill } from '../platform/i18n/plural.ts'
import { ERRORS, type ErrorCode } from '../platform/reasons/error-codes.ts'
import { fresh, manner as kept, linkTo } from './links.ts'
import type { Page } from './page.ts'
import type { PageRoute } from './page-route.ts'
import { html } from './respond.ts'
import { Document } from './views/document.tsx'
import { Notice } from './views/notice.tsx'

type Ending = {
  readonly status: number
  /** What the embedding site is notified of. */
  readonly code: ErrorCode
  readonly title: string
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
  readonly back?: { readonly to: string; readonly text: string }
}

const MISSING = { status: 404, code: 'not_found' } as const

function refuse(page: Page, { status, code, title, text, headers = {}, back }: Ending): Response {
  return html(
    page,
    <Document page={page} title={title} isPrivate>
      <div class="card narrow" data-failed={code}>
        <Notice title={title} icon="calendar" tone="plain">
          <p>{text}</p>
          {back && (
            <p>
              <a class="button" href={back.to}>
                {back.text}
              </a>
            </p>
          )}
        </Notice>
      </div>
    </Document>,
    { status, headers, isPrivate: true, isFrameable: true },
  )
}

type BookingPage = { readonly title: string; readonly slug: string; readonly orgSlug: string }

/** `known` is where the same can be booked. */
export function notFoundPage(page: Page, known: BookingPage | null = null): Response {
  const { notFoundTitle, notFoundText, linkInvalidTitle, linkInvalidText } = page.locale.texts
  const isForAll = /^\/(book|docs)(\/|$)/.test(page.url.pathname)
  if (!isForAll || page.url.searchParams.has('token')) {
    const back = known && {
      to: linkTo(page.url, kept(page.url), `/book/${known.orgSlug}/${known.slug}`),
      text: `${page.locale.texts.bookAgain}: ${known.title}`,
    }
    return refuse(page, { ...MISSING, title: linkInvalidTitle, text: linkInvalidText, ...(back && { back }) })
  }
  return refuse(page, { ...MISSING, title: notFoundTitle, text: notFoundText })
}

/** Refusals that no page has its own words for. */
export function refusedPage(page: Page, { code }: Refusal): Response {
  const { failedTitle, refusedOtherwise } = page.locale.texts
  return refuse(page, {
    status: ERRORS[code].status,
    code,
    title: failedTitle,
    text: refusedOtherwise,
  })
}

/** The page exists, but nothing can be booked on it now. A search engine sees a missing page. */
export function unavailable(page: Page, { orgName, orgSlug, hasListing }: Owner): Response {
  const { unavailableTitle, unavailableText, seeAll } = page.locale.texts
  const listing = `/book/${orgSlug}`
  const isElsewhere = hasListing && plainPath(page.url.pathname) !== listing
  return refuse(page, {
    ...MISSING,
    title: unavailableTitle,
    text: fill(unavailableText, { org: orgName }),
    ...(isElsewhere && {
      back: { to: linkTo(page.url, fresh(), listing), text: fill(seeAll, { org: orgName }) },
    }),
  })
}
type Owner = { readonly orgName: string; readonly orgSlug: string; readonly hasListing: boolean }

function plainPath(pathname: string): string {
  return pathname.replace(/\/$/, '')
}

export function tooMany(page: Page, retryAfter: number): Response {
  const text = counted(page.locale, 'tooManyText', retryAfter)
  const headers = { 'Retry-After': String(retryAfter) }
  const { tooManyTitle, tryAgain } = page.locale.texts
  const isAskedAgain = page.ctx.request.method === 'GET'
  const back = { to: `${page.url.pathname}${page.url.search}`, text: tryAgain }
  return refuse(page, {
    status: 429,
    code: 'rate_limit_exceeded',
    title: tooManyTitle,
    text,
    headers,
    ...(isAskedAgain && { back }),
  })
}

export function notAllowed(page: Page, place: PageRoute): Response {
  const { notAllowedTitle, notAllowedText } = page.locale.texts
  const allowed = [...(place.GET ? ['GET', 'HEAD'] : []), ...(place.POST ? ['POST'] : [])]
  const headers = { Allow: allowed.join(', ') }
  return refuse(page, {
    status: 405,
    code: 'bad_request',
    title: notAllowedTitle,
    text: notAllowedText,
    headers,
  })
}

export function crossSite(page: Page): Response {
  const { crossSiteTitle: title, crossSiteText: text } = page.locale.texts
  const to = linkTo(page.url, { ...kept(page.url), embed: null, host: null })
  const back = { to, text: page.locale.texts.goBack }
  return refuse(page, {
    status: 403,
    code: 'forbidden',
    title,
    text,
    ...(page.url.pathname.startsWith('/book/') && { back }),
  })
}

/** What leads back, with the script that takes along what was sent. */
type WayBack = { readonly to: string; readonly attribute: string; readonly script: string }

/** Uses nothing that could fail too. */
export function failed(request: Request, requestId: string, isPassing: boolean, back?: WayBack): Response {
  const { language, direction, texts } = localeFor(null, request.headers.get('accept-language'))
  const text = fill(texts.failedText, { id: requestId })
  const link = back ? `<p><a class="button" href="${back.to}" ${back.attribute}>${texts.goBack}</a></p>` : ''
  const script = back ? `<script type="module" src="${back.script}"></script>` : ''
  const body = `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${texts.failedTitle}</title><link rel="stylesheet" href="/assets/page.css">${script}</head><body><main id="main"><div class="card narrow"><div class="notice bad"><h1>${texts.failedTitle}</h1><p>${text}</p>${link}</div></div></main></body></html>`
  return new Response(body, {
    status: isPassing ? 503 : 500,
    headers: {
      ...(isPassing && { 'Retry-After': String(BLIP_SECONDS) }),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'self'; ${back ? "script-src 'self'; " : ''}base-uri 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'X-Request-Id': requestId,
    },
  })
}
