import type { Call } from '../world.ts'
import { Refusal } from './graph-reply.ts'
import type { State, Token } from './state.ts'

const CHALLENGE =
  'Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize", client_id="00000003-0000-0000-c000-000000000000"'

const unauthorized = (message: string, more = '') =>
  new Refusal(401, 'InvalidAuthenticationToken', message, { 'WWW-Authenticate': `${CHALLENGE}${more}` })

/**
 * The token of a call. Header and message as users' logs show them: microsofthackathons/tdi#24,
 * microsoftgraph/python-sample-auth#10, merrycodes/Office-E5#6.
 */
export function tokenOf(state: State, call: Call): Token {
  const [scheme = '', said = ''] = (call.headers.authorization ?? '').split(' ')
  if (!said || scheme.toLowerCase() !== 'bearer') throw unauthorized('Access token is empty.')
  const token = state.accessTokens.get(said)
  if (!token) throw unauthorized('CompactToken parsing failed with error code: 80049217')
  if (token.expiresMs <= call.now) {
    const isWork = token.grant.account.settings.kind === 'work'
    throw unauthorized(
      isWork
        ? 'Lifetime validation failed, the token is expired.'
        : 'CompactToken validation failed with reason code: 80049228.',
    )
  }
  if (token.isEnded) throw revoked(call.now)
  return token
}

/** learn.microsoft.com/entra/identity/conditional-access/concept-continuous-access-evaluation */
function revoked(nowMs: number): Refusal {
  const why =
    'Continuous access evaluation resulted in challenge with result: InteractionRequired and code: TokenIssuedBeforeRevocationTimestamp'
  const value = String(Math.floor(nowMs / 1000))
  const claims = Buffer.from(JSON.stringify({ access_token: { nbf: { essential: true, value } } })).toString(
    'base64',
  )
  return unauthorized(why, `, error_description="${why}", error="insufficient_claims", claims="${claims}"`)
}
