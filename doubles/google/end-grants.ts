import type { Call, Reply } from '../world.ts'
import { refuseOAuth } from './refuse.ts'
import type { Grant, State } from './state.ts'

export function grantIsLive(grant: Grant, now: number): boolean {
  return grant.ended === null && (grant.endsAt === null || grant.endsAt > now)
}

/**
 * `POST /revoke`, with the token in the form or in the query: developers.google.com/identity/protocols/oauth2/web-server#tokenrevoke.
 * An access token takes its refresh token with it. The app leaves the person's account as a whole, so that all its other
 * tokens end as well, those of another connection of the same person too.
 */
export function revoke(state: State, call: Call): Reply {
  const token = new URLSearchParams(call.body).get('token') ?? call.query.get('token')
  if (!token) throw refuseOAuth(400, 'invalid_request', 'Missing required parameter: token')
  const access = state.tokens.get(token)
  const isLiveAccess = access && access.expiresAt > call.now
  const grant = isLiveAccess ? access.grant : state.grants.find(({ refreshToken }) => refreshToken === token)
  if (!grant || !grantIsLive(grant, call.now)) {
    throw refuseOAuth(400, 'invalid_token', 'Token expired or revoked')
  }
  for (const one of state.grants) {
    const isSame = one.mail === grant.mail && one.clientId === grant.clientId
    if (one === grant || isSame) endGrant(one, 'revoked')
  }
  return { status: 200, json: {} }
}

export function endGrant(grant: Grant, how: NonNullable<Grant['ended']>): void {
  grant.ended ??= how
}

/** What a person has not ended yet. */
export function liveGrants(state: State, mail: string, clientId: string, now: number): Grant[] {
  return state.grants.filter(
    (grant) => grant.mail === mail && grant.clientId === clientId && grantIsLive(grant, now),
  )
}
