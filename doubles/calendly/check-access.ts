import type { Call, Reply } from '../world.ts'
import { refusePermission, refusePlan, refuseRate, refuseToken } from './refuse.ts'
import { type Calendly, listed, type Resource, type Token } from './state.ts'

export type Caller = {
  readonly user: Resource
  readonly organization: Resource
  readonly isAdmin: boolean
}

/** A read scope is named like its collection: developer.calendly.com/docs/authentication/scopes. */
const SCOPES: Readonly<Record<string, string>> = {
  users: 'users:read',
  organizations: 'organizations:read',
  organization_memberships: 'organizations:read',
  event_types: 'event_types:read',
  event_type_memberships: 'event_types:read',
  user_availability_schedules: 'availability:read',
  scheduled_events: 'scheduled_events:read',
}

/** The owner of the token, or the refusal. */
export function callerOf(calendly: Calendly, call: Call): { caller: Caller } | { refusal: Reply } {
  const [, bearer = ''] = /^Bearer (.+)$/i.exec(call.headers.authorization ?? '') ?? []
  const token = calendly.tokens.find((one) => one.token === bearer)
  const user = token && calendly.resources.users.get(token.user)
  if (!token || !user) return { refusal: refuseToken('is invalid') }
  if (token.state !== 'valid')
    return { refusal: refuseToken(token.state === 'expired' ? 'expired' : 'was revoked') }
  const membership = membershipOf(calendly, user.uuid)!
  const organization = calendly.resources.organizations.get(membership.organization_of)!
  const refusal = refusalOf(calendly, call, token)
  if (refusal) return { refusal }
  return { caller: { user, organization, isAdmin: membership.role !== 'user' } }
}

function refusalOf(calendly: Calendly, { path }: Call, { scopes }: Token): Reply | null {
  const scope = SCOPES[path.split('/')[1]!]
  if (scope && scopes && !scopes.includes(scope)) return refusePermission()
  const { gatedPaths, gatedPlan } = calendly.settings
  return gatedPaths.some((start) => path.startsWith(start)) ? refusePlan(gatedPlan) : null
}

export const membershipOf = (calendly: Calendly, user: string): Resource | undefined =>
  listed(calendly, 'organization_memberships').find((one) => one.user.uri === `@users/${user}`)

/** Counts the request, with the headers that every answer has; seconds until the minute is over, not a time. */
export function limitRate(calendly: Calendly, { headers, now }: Call) {
  const minute = Math.floor(now / 60_000)
  const key = `${headers.authorization} ${minute}`
  const token = calendly.tokens.find((one) => headers.authorization?.endsWith(one.token))
  const membership = token && membershipOf(calendly, token.user)
  const organization = membership && calendly.resources.organizations.get(membership.organization_of)
  const limit = calendly.settings.requestsPerMinute[organization?.stage === 'free' ? 'free' : 'paid']
  const count = (calendly.minutes.get(key) ?? 0) + 1
  if (calendly.minutes.size > 500) calendly.minutes.clear()
  calendly.minutes.set(key, count)
  return {
    refusal: count > limit ? refuseRate() : null,
    headers: {
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(Math.max(0, limit - count)),
      'X-RateLimit-Reset': String(60 - Math.floor((now % 60_000) / 1000)),
    },
  }
}
