import type { Call, Reply } from '../world.ts'
import { refuseToken } from './answer-errors.ts'
import { parametersOf, refuseApp } from './authenticate-app.ts'
import { tellRemoval } from './notify-app.ts'
import { type Grant, liveGrant, type User, type Zoom } from './state.ts'

/**
 * POST /oauth/revoke with an access token: developers.zoom.us/docs/integrations/oauth. It removes the app from the user's account
 * and notifies: devforum.zoom.us/t/zoom-api-how-to-revoke-app-access-when-user-wants-to-disconnect-your-app-and-zoom-app/18432
 */
export function answerRevoke(zoom: Zoom, call: Call): Reply {
  const parameters = parametersOf(call)
  const refusal = refuseApp(zoom, call, parameters)
  if (refusal) return refusal
  const token = parameters.get('token') ?? ''
  const grant = zoom.grants.find(
    ({ accessTokens, ending }) => ending === null && (accessTokens.get(token) ?? 0) > call.now,
  )
  if (!grant) return refuseToken('invalid_request', 'Invalid Token!')
  remove(zoom, grant)
  return { status: 200, json: { status: 'success' } }
}

/** What a test lets happen to what the account granted. */
export function endGrant(zoom: Zoom, user: User, how: string): Reply {
  const grant = liveGrant(zoom, user)
  switch (how) {
    // At marketplace.zoom.us/user/installed.
    case 'revoked':
      if (grant) remove(zoom, grant)
      break
    case 'expired':
    case 'disabled':
      if (grant) grant.ending = how
      break
    case 'removed':
      if (grant) grant.ending = 'removed'
      zoom.users.delete(user.email)
      break
    default:
      return { status: 400, json: { error: 'Must be revoked, expired, disabled or removed.' } }
  }
  return { status: 204 }
}

function remove(zoom: Zoom, grant: Grant): void {
  grant.ending = 'revoked'
  tellRemoval(zoom, grant.user)
}
