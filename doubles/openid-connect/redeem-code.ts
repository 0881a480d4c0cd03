import { createHash } from 'node:crypto'
import type { Call, Reply } from '../world.ts'
import { refuseClient, refuseToken } from './authenticate-client.ts'
import { repeated } from './check-request.ts'
import { idTokenClaims } from './make-claims.ts'
import { lacksQuery } from './show-configuration.ts'
import { signToken } from './sign-token.ts'
import { type Code, changed, type Provider, randomId } from './state.ts'

/** The token endpoint: Core 3.1.3, RFC 6749 4.1.3 and 5. */
export function answerToken(provider: Provider, call: Call): Reply {
  if (lacksQuery(provider, call)) return refuseToken('invalid_request', 'The address lacks its own query.')
  // Neither may be in the address: RFC 6749 2.3.1 and 3.2
  if (['client_secret', 'code', 'code_verifier'].some((name) => call.query.has(name)))
    return refuseToken('invalid_request', 'Send parameters in the body.')
  if (!call.headers['content-type']?.startsWith('application/x-www-form-urlencoded'))
    return refuseToken('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  const form = new URLSearchParams(call.body)
  const twice = repeated(form)
  if (twice) return refuseToken('invalid_request', `There is more than one ${twice}.`)
  const refusal = refuseClient(provider, call, form)
  if (refusal) return refusal
  const type = form.get('grant_type')
  if (type === null) return refuseToken('invalid_request', 'The grant_type is missing.')
  if (type !== 'authorization_code')
    return refuseToken('unsupported_grant_type', `There is no grant of ${type}.`)
  return redeemCode(provider, call, form)
}

function redeemCode(provider: Provider, call: Call, form: URLSearchParams): Reply {
  const given = form.get('code')
  if (given === null) return refuseToken('invalid_request', 'The code is missing.')
  const code = provider.codes.get(given)
  if (!code) return refuseToken('invalid_grant', 'Code not valid')
  if (code.isSpent) {
    // «The authorization server MUST deny the request and SHOULD revoke (when possible) all tokens previously issued»: RFC
    // 6749 4.1.2; what it did to a client of Keycloak: keycloak/keycloak#29527
    for (const grant of provider.grants) if (grant.code === code) grant.ending = 'the code was used again'
    return refuseToken('invalid_grant', 'Code not valid')
  }
  // Whatever is wrong with the exchange: the documents leave it open, and Google spends it.
  code.isSpent = true
  if (code.endsAt <= call.now) return refuseToken('invalid_grant', 'Code is expired')
  // Some add to it what the answer brought along: 3scale/porta#3859
  if (form.get('redirect_uri') !== code.redirectUri)
    return refuseToken('invalid_grant', 'Incorrect redirect_uri')
  const mistake = refuseVerifier(code, form.get('code_verifier'))
  return mistake ?? issue(provider, code, call.now)
}

/** RFC 7636 4.1 and 4.6; a verifier without a challenge is refused too: RFC 9700 4.8.2 (a downgrade). */
function refuseVerifier({ challenge }: Code, verifier: string | null): Reply | null {
  if (challenge === null)
    return verifier === null
      ? null
      : refuseToken('invalid_grant', 'There was no challenge for this verifier.')
  if (verifier === null) return refuseToken('invalid_grant', 'The code_verifier is missing.')
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier))
    return refuseToken('invalid_grant', 'The code_verifier is not valid.')
  const made = createHash('sha256').update(verifier).digest('base64url')
  return made === challenge.value ? null : refuseToken('invalid_grant', 'PKCE verification failed')
}

/** Core 3.1.3.3. */
function issue(provider: Provider, code: Code, now: number): Reply {
  const { settings } = provider
  const accessToken = randomId()
  const seconds = 3600
  provider.grants.push({ code, accessToken, endsAt: now + seconds * 1000, ending: null })
  return {
    status: 200,
    json: changed(
      {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: seconds,
        scope: code.scopes.join(' '),
        id_token: signToken(provider, idTokenClaims(provider, code, accessToken, now)),
      },
      settings.tokenChanges,
    ),
    headers: { 'Cache-Control': 'no-store', Pragma: 'no-cache' },
  }
}
