import { randomBytes } from 'node:crypto'
import { escapeHtml, hiddenFields, htmlPage } from '../pages.ts'
import type { Call, Reply } from '../world.ts'
import { userOf, type Zoom } from './state.ts'

const CODE_MINUTES = 5

/**
 * The page where a user consents: developers.zoom.us/docs/integrations/oauth. What is wrong with the request is said
 * there and never sent back to the app.
 *
 * `as=<email>` and `deny=1` are shortcuts of this double: what a click on one of the page's buttons does.
 */
export function authorize(zoom: Zoom, { query, base, now }: Call): Reply {
  const { registration, settings } = zoom
  const redirectUri = query.get('redirect_uri') ?? ''
  if (query.get('client_id') !== registration.clientId) return refuseAtPage('Invalid client id')
  if (registration.isDisabled) return refuseAtPage('The app has been disabled')
  if (query.get('response_type') !== 'code') return refuseAtPage('Invalid response type')
  if (!isAllowed(redirectUri, registration.redirectUris)) return refuseAtPage('Invalid redirect url')
  // Scopes are the app's, and asking for others fails: tl-its-umich-edu/remote-office-hours-queue#342,
  // devforum.zoom.us/t/invalid-scope-errors/52654
  const wanted = query.get('scope')?.split(' ').filter(Boolean) ?? []
  if (wanted.some((scope) => !registration.scopes.includes(scope))) return refuseAtPage('Invalid scope')
  const challenge = query.get('code_challenge')
  // `plain` is the default: developers.zoom.us/docs/integrations/oauth
  const method = query.get('code_challenge_method') ?? 'plain'
  if (challenge !== null && !['plain', 'S256'].includes(method))
    return refuseAtPage('Invalid code challenge method')
  // Nothing goes back to the app where an administrator has to allow it first:
  // developers.zoom.us/docs/integrations/end-user-auth (pre-approval request flow)
  if (registration.needsAdminApproval)
    return htmlPage(
      200,
      'This app needs to be approved',
      '<p>Request pre-approval from your administrator.</p>',
    )

  const back = new URL(redirectUri)
  const state = query.get('state')
  if (query.get('deny') === '1') {
    back.searchParams.set('error', 'access_denied')
    if (state !== null) back.searchParams.set('state', state)
    return { status: 302, headers: { Location: back.href } }
  }
  const email = query.get('as')
  if (email === null) return consentPage(zoom, base, query)
  const code = randomBytes(24).toString('base64url')
  zoom.codes.set(code, {
    user: userOf(zoom, email),
    redirectUri,
    challenge,
    method,
    scope: settings.grantedScope ?? registration.scopes.join(' '),
    endsAt: now + CODE_MINUTES * 60_000,
  })
  back.searchParams.set('code', code)
  if (state !== null) back.searchParams.set('state', state)
  return { status: 302, headers: { Location: back.href } }
}

function consentPage(zoom: Zoom, base: string, query: URLSearchParams): Reply {
  const buttons = [...zoom.users.keys()]
    .map(
      (email) =>
        `<p><button name="as" value="${escapeHtml(email)}">Allow as ${escapeHtml(email)}</button></p>`,
    )
    .join('')
  return htmlPage(
    200,
    'Allow this app to use your pretend Zoom account?',
    `<p>This is a double of Zoom on this machine. Scopes: ${escapeHtml(zoom.registration.scopes.join(', '))}</p>
<form action="${escapeHtml(base)}/oauth/authorize">${hiddenFields(query)}${buttons}<p><button name="deny" value="1">Decline</button></p></form>`,
  )
}

/**
 * What a registered address begins like is let in, and a loopback port is not looked at:
 * developers.zoom.us/docs/integrations/oauth (allow list), developers.zoom.us/changelog/platform/pkce-loopback
 */
function isAllowed(redirectUri: string, registered: readonly string[] | null): boolean {
  if (!/^https?:/.test(redirectUri) || !URL.canParse(redirectUri)) return false
  const withoutPort = (url: string) => url.replace(/^(http:\/\/127\.0\.0\.1)(:\d+)?/, '$1')
  return registered?.some((one) => withoutPort(redirectUri).startsWith(withoutPort(one))) ?? true
}

/** As a browser shows it: veritas.com/content/support/en_US/article.100060085 */
function refuseAtPage(errorMessage: string): Reply {
  return { status: 400, json: { status: false, errorCode: 4700, errorMessage, result: null } }
}
