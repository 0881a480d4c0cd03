import type { Call, Reply } from '../world.ts'
import { refuse } from './refuse.ts'
import { type Cal, listed, type Stored } from './state.ts'

const MINUTE = 60_000

/** cal.com/docs/api-reference/v2/introduction (API keys begin with `cal_`) */
export function callerOf(cal: Cal, call: Call): { user: Stored } | { refusal: Reply } {
  const { authorization } = call.headers
  if (!authorization)
    return {
      refusal: refuse(
        call,
        401,
        "ApiAuthStrategy - No authentication method provided. Either pass an API key as 'Bearer' header or OAuth client credentials as 'x-cal-secret-key' and 'x-cal-client-id' headers",
      ),
    }
  const bearer = authorization.replace('Bearer ', '')
  if (!bearer.startsWith('cal_'))
    return { refusal: refuse(call, 401, 'ApiAuthStrategy - access token - Invalid Access Token.') }
  const key = cal.keys.find((one) => one.key === bearer)
  const user = key && cal.records.users.get(key.userId)
  // The limits look first.
  if (!key || !user) return { refusal: refuse(call, 401, 'CustomThrottlerGuard - Invalid API Key') }
  if (key.state === 'expired')
    return { refusal: refuse(call, 401, 'ApiAuthStrategy - api key - Your api key is expired') }
  return { user }
}

/** Counts the request. The names of the headers end with that of the limit; the reset is seconds. */
export function limitRate(cal: Cal, call: Call): { refusal: Reply | null; headers: Record<string, string> } {
  const key = call.headers.authorization ?? ''
  const minute = Math.floor(call.now / MINUTE)
  const count = (cal.minutes.get(`${key} ${minute}`) ?? 0) + 1
  if (cal.minutes.size > 500) cal.minutes.clear()
  cal.minutes.set(`${key} ${minute}`, count)
  const limit = cal.settings.requestsPerMinute
  const isBlocked = (cal.blocked.get(key) ?? 0) > call.now
  if (!isBlocked && count > limit) cal.blocked.set(key, call.now + MINUTE)
  const end = Math.max(cal.blocked.get(key) ?? 0, (minute + 1) * MINUTE)
  const isRefused = isBlocked || count > limit
  return {
    refusal: isRefused
      ? refuse(call, 429, 'CustomThrottlerGuard - Too many requests. Please try again later.')
      : null,
    headers: {
      'X-RateLimit-Limit-Default': String(limit),
      'X-RateLimit-Remaining-Default': String(isRefused ? 0 : limit - count),
      'X-RateLimit-Reset-Default': String(Math.ceil((end - call.now) / 1000)),
    },
  }
}

const ROLES = ['MEMBER', 'ADMIN', 'OWNER']

/** cal.com/docs/api-reference/v2/access-control; null where the caller has at least that role in the team. */
export function refuseRole(cal: Cal, call: Call, user: Stored, teamId: number, role: string): Reply | null {
  const membership = listed(cal, 'memberships').find((one) => one.userId === user.id && one.teamId === teamId)
  if (!membership)
    return refuse(call, 403, `RolesGuard - User is not a member of the team with id=${teamId}.`)
  if (ROLES.indexOf(membership.role) >= ROLES.indexOf(role)) return null
  return refuse(
    call,
    403,
    `RolesGuard - user with id=${user.id} does not have the minimum required role=TEAM_${role} within team with id=${teamId}.`,
  )
}
