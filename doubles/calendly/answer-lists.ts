import type { Call, Reply } from '../world.ts'
import type { Caller } from './check-access.ts'
import { membershipOf } from './check-access.ts'
import { refuseMissing, refuseParameter, refusePermission } from './refuse.ts'
import { show, showEventType, uuidIn } from './show-resources.ts'
import { type Calendly, listed, type Resource } from './state.ts'
import { page, sorted } from './turn-pages.ts'

type Scope = { user: string | null; organization: string | null }

/** The scope that `user` and `organization` choose by URI; only admins see what others have. */
function scopeOf(calendly: Calendly, { query }: Call, caller: Caller): Scope | Reply {
  for (const name of ['user', 'organization'] as const) {
    if (query.has(name) && uuidIn(query.get(name), `${name}s`) === null)
      return refuseParameter(name, 'is not a valid URI')
  }
  const user = uuidIn(query.get('user'), 'users')
  const organization = uuidIn(query.get('organization'), 'organizations')
  if (user === null && organization === null) return refuseParameter('user', 'or organization must be given')
  if (organization !== null && organization !== caller.organization.uuid) return refusePermission()
  const isOwn = user === caller.user.uuid
  if (organization !== null && !caller.isAdmin && !isOwn)
    return refusePermission('You do not have permission')
  if (user !== null && membershipOf(calendly, user)?.organization_of !== caller.organization.uuid)
    return refusePermission('This user is not in your organization')
  return { user, organization }
}

const isReply = (value: Scope | Reply): value is Reply => 'status' in value

/** developer.calendly.com/api-docs/calendly-api/event-types/list-event-types */
export function listEventTypes(calendly: Calendly, call: Call, caller: Caller): Reply {
  const scope = scopeOf(calendly, call, caller)
  if (isReply(scope)) return scope
  if (scope.user !== null && scope.user !== caller.user.uuid && !caller.isAdmin) return refusePermission()
  const active = call.query.get('active')
  const all = listed(calendly, 'event_types')
    .filter((one) => one.organization_of === caller.organization.uuid)
    .filter((one) => scope.user === null || one.hosts.includes(scope.user))
    .filter((one) => active === null || String(one.active) === active)
  const inOrder = sorted(all, call.query.get('sort') ?? 'name:asc', 'name')
  if (inOrder === null) return refuseParameter('sort', 'is invalid')
  return paged(calendly, call, inOrder as Resource[], showEventType)
}

/** developer.calendly.com/api-docs/calendly-api/event-types/list-event-type-memberships */
export function listHosts(calendly: Calendly, call: Call, caller: Caller): Reply {
  const uuid = uuidIn(call.query.get('event_type'), 'event_types')
  if (uuid === null) return refuseParameter('event_type', 'must be given')
  const eventType = calendly.resources.event_types.get(uuid)
  if (!eventType || eventType.organization_of !== caller.organization.uuid) return refuseMissing()
  const members = (eventType.hosts as string[]).map(
    (host): Resource => ({
      uuid: `${uuid}-${host}`,
      uri: `@event_type_memberships/${uuid}-${host}`,
      event_type: eventType.uri,
      member: { type: 'users', uri: `@users/${host}`, name: calendly.resources.users.get(host)!.name },
    }),
  )
  return paged(calendly, call, members)
}

export function listMemberships(calendly: Calendly, call: Call, caller: Caller): Reply {
  const scope = scopeOf(calendly, call, caller)
  if (isReply(scope)) return scope
  const { query } = call
  const all = listed(calendly, 'organization_memberships')
    .filter((one) => one.organization_of === caller.organization.uuid)
    .filter((one) => scope.user === null || one.user.uri === `@users/${scope.user}`)
    .filter((one) => (query.get('email') ?? one.user.email) === one.user.email)
    .filter((one) => (query.get('role') ?? one.role) === one.role)
  return paged(calendly, call, all)
}

/** Not in pages: developer.calendly.com/api-docs/calendly-api/availability (list user availability schedules). */
export function listSchedules(calendly: Calendly, call: Call, caller: Caller): Reply {
  const user = uuidIn(call.query.get('user'), 'users')
  if (user === null) return refuseParameter('user', 'must be given')
  const scope = scopeOf(calendly, call, caller)
  if (isReply(scope)) return scope
  if (user !== caller.user.uuid && !caller.isAdmin) return refusePermission()
  const all = listed(calendly, 'user_availability_schedules').filter((one) => one.user === `@users/${user}`)
  return { status: 200, json: { collection: all.map((one) => show(calendly, call.base, one)) } }
}

/** developer.calendly.com/api-docs/calendly-api/scheduled-events/list-scheduled-events */
export function listEvents(calendly: Calendly, call: Call, caller: Caller): Reply {
  const scope = scopeOf(calendly, call, caller)
  if (isReply(scope)) return scope
  const { query } = call
  if (scope.user !== null && scope.user !== caller.user.uuid && scope.organization === null)
    return refusePermission(
      'Please also specify organization when requesting events for a user within your organization.',
    )
  for (const name of ['min_start_time', 'max_start_time'])
    if (query.has(name) && Number.isNaN(Date.parse(query.get(name)!)))
      return refuseParameter(name, 'is not a valid time')
  const [from, to] = [query.get('min_start_time'), query.get('max_start_time')]
  const all = listed(calendly, 'scheduled_events')
    .filter((one) => one.organization_of === caller.organization.uuid)
    .filter((one) => scope.user === null || one.hosts.includes(scope.user))
    .filter((one) => from === null || Date.parse(one.start_time) >= Date.parse(from))
    .filter((one) => to === null || Date.parse(one.start_time) <= Date.parse(to))
    .filter((one) => (query.get('status') ?? one.status) === one.status)
    .filter((one) => !query.has('invitee_email') || isInvited(calendly, one, query.get('invitee_email')!))
  const sort = query.get('sort')
  // Without an order there is none: what was booked first is not what starts first.
  const inOrder = sort === null ? all : sorted(all, sort, 'start_time')
  if (inOrder === null) return refuseParameter('sort', 'is invalid')
  return paged(calendly, call, inOrder as Resource[])
}

const isInvited = (calendly: Calendly, event: Resource, email: string): boolean =>
  listed(calendly, 'invitees').some((one) => one.event_of === event.uuid && one.email === email)

/** developer.calendly.com/api-docs/calendly-api/scheduled-events/list-event-invitees */
export function listInvitees(calendly: Calendly, call: Call, event: Resource): Reply {
  const { query } = call
  const all = listed(calendly, 'invitees')
    .filter((one) => one.event_of === event.uuid)
    .filter((one) => (query.get('status') ?? one.status) === one.status)
    .filter((one) => (query.get('email') ?? one.email) === one.email)
  const inOrder = sorted(all, query.get('sort') ?? 'created_at:asc', 'created_at')
  if (inOrder === null) return refuseParameter('sort', 'is invalid')
  return paged(calendly, call, inOrder as Resource[])
}

function paged(calendly: Calendly, call: Call, all: readonly Resource[], shown = show): Reply {
  const origin = calendly.settings.origin ?? call.base
  return page(
    call,
    origin,
    all.map((one) => shown(calendly, call.base, one)),
  )
}
