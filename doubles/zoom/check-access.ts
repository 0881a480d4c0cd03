import type { Call, Reply } from '../world.ts'
import { refuse } from './answer-errors.ts'
import type { Grant, Zoom } from './state.ts'

/** What an operation needs: one of these, or of theirs for an administrator's app. */
export type Need = { readonly granular: string; readonly classic: string }

/**
 * 401 with code 124 for every token that is not the current one.
 * devforum.zoom.us/t/randomly-receiving-invalid-access-token-for-server-to-server-oauth/74432, MacsiDigital/laravel-zoom#22,
 * prschmid/zoomus#286 («Access token is expired.»)
 */
export function grantOf(zoom: Zoom, { headers, now }: Call): Grant | Reply {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  const grant = zoom.grants.find(({ accessTokens }) => accessTokens.has(token))
  const endsAt = grant?.accessTokens.get(token) ?? 0
  if (!grant || grant.ending !== null || endsAt === 0 || zoom.registration.isDisabled)
    return refuse(401, 124, 'Invalid access token.')
  if (endsAt <= now) return refuse(401, 124, 'Access token is expired.')
  return grant
}

/**
 * 400 with code 4711 that names what would do: JubaerHossain/zoom-laravel#15, lanec/zoom-batch-downloader#34,
 * devforum.zoom.us/t/granular-scopes-specification-change-of-scope-setting-for-creating-oauth-apps-on-the-developer-site/108207.
 * Granular and classic scopes: developers.zoom.us/docs/integrations/oauth-scopes-overview
 */
export function refuseScope(zoom: Zoom, grant: Grant, { granular, classic }: Need): Reply | null {
  const granted = grant.scope.split(' ')
  if (granted.includes(granular) || granted.includes(classic)) return null
  const named = isGranular(zoom) ? granular : classic
  return lacking([named, `${named}:admin`])
}

/**
 * An app that users add themselves says `me`: any other user, and its own by id, is an administrator's app's to name.
 * developers.zoom.us/docs/api/using-zoom-apis (the me keyword)
 */
export function refuseUser(zoom: Zoom, userId: string, { granular, classic }: Need): Reply | null {
  if (userId === 'me') return null
  return lacking([`${isGranular(zoom) ? granular : classic}:admin`])
}

function isGranular(zoom: Zoom): boolean {
  return zoom.registration.scopes.some((scope) => scope.split(':').length > 2)
}

function lacking(scopes: readonly string[]): Reply {
  return refuse(400, 4711, `Invalid access token, does not contain scopes:[${scopes.join(', ')}].`)
}
