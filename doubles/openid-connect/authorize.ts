import type { Call, Json, Reply } from '../world.ts'
import { type Refused, refuseAtPage, refuseRequest, scopesOf } from './check-request.ts'
import { choosePage, errorPage } from './choose-page.ts'
import { issuerFor } from './name-issuer.ts'
import { lacksQuery } from './show-configuration.ts'
import { changed, type Person, type Provider, personOf, randomId } from './state.ts'

/**
 * The authorization endpoint: Core 3.1.2, by GET or POST. A signed-in person continues at once; otherwise, or with a `prompt`, a
 * page asks, whose buttons are `as=<login>` and `deny=1` in the query.
 */
export function authorize(provider: Provider, call: Call): Reply {
  if (lacksQuery(provider, call)) return errorPage('The address lacks its own query.')
  const asked = call.method === 'POST' ? new URLSearchParams(call.body) : call.query
  const mistake = refuseAtPage(provider, asked)
  if (mistake) return errorPage(mistake)
  const refusal = refuseRequest(provider, asked) ?? provider.settings.refusal
  if (refusal) return sendBack(provider, asked, null, refusal)
  if (asked.get('deny') === '1')
    return sendBack(provider, asked, null, {
      error: 'access_denied',
      error_description: 'The resource owner denied the request.',
    })
  const prompt = asked.get('prompt')
  const login = asked.get('as') ?? (prompt === null || prompt === 'none' ? provider.settings.signedIn : null)
  if (login !== null) return sendCode(provider, asked, personOf(provider, login), call.now)
  if (prompt === 'none')
    return sendBack(provider, asked, null, {
      error: 'login_required',
      error_description: 'Nobody is signed in.',
    })
  return choosePage(provider, asked)
}

function sendCode(provider: Provider, asked: URLSearchParams, person: Person, now: number): Reply {
  const value = randomId()
  const challenge = asked.get('code_challenge')
  provider.codes.set(value, {
    value,
    person,
    redirectUri: asked.get('redirect_uri')!,
    challenge: challenge === null ? null : { value: challenge, method: 'S256' },
    scopes: scopesOf(asked),
    nonce: asked.get('nonce'),
    wantsAuthTime: asked.has('max_age'),
    endsAt: now + provider.settings.codeLifetimeSeconds * 1000,
    isSpent: false,
  })
  return sendBack(provider, asked, person, { code: value })
}

/** With `state` as it came (RFC 6749 4.1.2) and, of refusals too, `iss` (RFC 9207 2). The query of the way back stays. */
function sendBack(
  provider: Provider,
  asked: URLSearchParams,
  person: Person | null,
  said: Refused | Json,
): Reply {
  const { settings } = provider
  const back = new URL(asked.get('redirect_uri')!)
  const state = asked.get('state')
  const issuer = issuerFor(provider, person ?? personOf(provider, settings.signedIn ?? 'owner@example.com'))
  const answer = changed(
    {
      ...said,
      ...(state !== null && { state }),
      ...(settings.namesIssuer && { iss: issuer }),
      ...settings.usualAnswer,
    },
    settings.answerChanges,
  )
  for (const [name, value] of Object.entries(answer)) back.searchParams.append(name, String(value))
  return { status: 302, headers: { Location: back.href, 'Cache-Control': 'no-store' } }
}
