import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Page } from './page.ts'

type Manner = {
  readonly status?: number
  /** Holds a token or personal data: no cache stores it, no search engine lists it. */
  readonly isPrivate?: boolean
  /** May be shown inside other sites. */
  readonly isFrameable?: boolean
  /** Shows pages of its own inside itself. */
  readonly framesOwn?: boolean
  /** Loads the payment provider's form, the only foreign code there is. */
  readonly takesPayment?: boolean
  /** Runs no script and loads nothing from elsewhere; its form may redirect to this address. */
  readonly isBare?: { readonly formLeadsTo: string | null }
  /** Shows the API reference, whose viewer writes one style element. */
  readonly showsReference?: boolean
  /** An email as its reader gets it, for a frame of ours: its styles, its images and nothing else. */
  readonly showsEmail?: true
  readonly headers?: Readonly<Record<string, string>>
}

/** The one style element that the viewer makes, by its hash: nothing else may be written into the page. */
const VIEWER_STYLE = "'sha256-MBVp6JYxbC/wICelYC6eULCRpgi9kGezXXSaq/TS2+I='"

// https://docs.stripe.com/security/guide#content-security-policy
const PROVIDER_SCRIPT = 'https://js.stripe.com https://*.js.stripe.com'
const PROVIDER_FRAMES = 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com'
const PROVIDER_API = 'https://api.stripe.com'

export function html(page: Page, document: VNode, manner: Manner = {}): Response {
  const headers = headersFor(page, manner)
  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(`<!doctype html>${renderToString(document)}`, { status: manner.status ?? 200, headers })
}

/** The browser has the page already. Headers that fit the page stay: each has another nonce, and some may be framed. */
export function notModified(page: Page, tag: string): Response {
  const headers = headersFor(page, { headers: { ETag: tag } })
  for (const name of ['Content-Security-Policy', 'X-Frame-Options']) headers.delete(name)
  return new Response(null, { status: 304, headers })
}

/** After a form was sent: redirects to a page that can be reloaded. */
export function seeOther(page: Page, location: string): Response {
  const headers = headersFor(page, { isPrivate: true })
  headers.set('Location', location)
  return new Response(null, { status: 303, headers })
}

export function plain(page: Page, type: string, text: BodyInit | null, manner: Manner = {}): Response {
  const headers = headersFor(page, manner)
  headers.set('Content-Type', `${type}; charset=utf-8`)
  return new Response(text, { status: manner.status ?? 200, headers })
}

/** What somebody uploaded: it is an image and nothing else, for every site that shows it. */
export function image(page: Page, type: string, bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, {
    headers: {
      'X-Request-Id': page.ctx.requestId,
      'Content-Type': type,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  })
}

function headersFor(page: Page, manner: Manner): Headers {
  const headers = new Headers({
    'X-Request-Id': page.ctx.requestId,
    'Content-Security-Policy': contentSecurityPolicy(page, manner),
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Cache-Control': manner.isPrivate ? 'no-store' : 'private, no-cache',
    Vary: 'Accept, Accept-Language, Cookie',
    ...manner.headers,
  })
  if (manner.showsEmail) headers.set('X-Frame-Options', 'SAMEORIGIN')
  else if (!isFramed(page, manner)) headers.set('X-Frame-Options', 'DENY')
  if (manner.isPrivate || (manner.status ?? 200) >= 400) headers.set('X-Robots-Tag', 'noindex, nofollow')
  for (const cookie of page.cookies) headers.append('Set-Cookie', cookie)
  return headers
}

const EMAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src https:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"

function isFramed(page: Page, manner: Manner): boolean {
  return page.isEmbedded && manner.isFrameable === true
}

function contentSecurityPolicy(page: Page, manner: Manner): string {
  const pays = manner.takesPayment === true
  if (manner.showsEmail) return EMAIL_POLICY
  if (manner.isBare) return bareSecurityPolicy(page, manner.isBare.formLeadsTo)
  const directives = [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${isFramed(page, manner) ? '*' : "'none'"}`,
    `script-src 'self'${pays ? ` ${scriptSource(page)}` : ''}`,
    `style-src 'self' 'nonce-${page.nonce}'${manner.showsReference ? ` ${VIEWER_STYLE}` : ''}`,
    `connect-src 'self'${pays ? ` ${PROVIDER_API}` : ''}`,
    `img-src 'self' https:${manner.showsReference ? ' data:' : ''}`,
    ...(pays ? [`frame-src ${PROVIDER_FRAMES}`] : []),
    ...(manner.framesOwn ? ["frame-src 'self'"] : []),
  ]
  return directives.join('; ')
}

function scriptSource({ ctx }: Page): string {
  const { STRIPE_SCRIPT_URL: own } = ctx.env
  return own ? new URL(own).origin : PROVIDER_SCRIPT
}

function bareSecurityPolicy(page: Page, formLeadsTo: string | null): string {
  // Browsers hold the redirect that answers a form against this too.
  const beyond = formLeadsTo === null ? '' : ` ${new URL(formLeadsTo).origin}`
  return [
    "default-src 'none'",
    "base-uri 'none'",
    `form-action 'self'${beyond}`,
    "frame-ancestors 'none'",
    `style-src 'self' 'nonce-${page.nonce}'`,
    "img-src 'self'",
  ].join('; ')
}
