import type { Call, OpenWorld, Reply } from '../world.ts'
import {
  listEvents,
  listEventTypes,
  listHosts,
  listInvitees,
  listMemberships,
  listSchedules,
} from './answer-lists.ts'
import { type Caller, callerOf, limitRate, membershipOf } from './check-access.ts'
import { controlCalendly } from './control-calendly.ts'
import { fillWorld } from './fill-world.ts'
import { refuseMissing, refusePermission } from './refuse.ts'
import { show, showEventType } from './show-resources.ts'
import { type Calendly, holdCalendly, type Resource } from './state.ts'

/** Calendly with a studio of three and somebody alone: what is at api.calendly.com. */
export const openCalendly: OpenWorld = (frame) => {
  const calendly = holdCalendly(frame)
  fillWorld(calendly)
  return {
    answer: (call) => answerCalendly(calendly, call),
    control: (call) => controlCalendly(calendly, call),
  }
}

function answerCalendly(calendly: Calendly, call: Call): Reply {
  const { refusal, headers } = limitRate(calendly, call)
  const reply = refusal ?? answerCaller(calendly, call)
  return { ...reply, headers: { ...headers, ...reply.headers } }
}

function answerCaller(calendly: Calendly, call: Call): Reply {
  const found = callerOf(calendly, call)
  if ('refusal' in found) return found.refusal
  const { caller } = found
  if (call.method !== 'GET') return refuseMissing()
  const [, collection = '', uuid, inner, innerUuid, ...rest] = call.path.split('/')
  if (rest.length > 0) return refuseMissing()
  if (uuid === undefined) return answerList(calendly, call, caller, collection)
  if (inner === undefined) return answerOne(calendly, call, caller, collection, uuid)
  const event = calendly.resources.scheduled_events.get(uuid)
  if (collection !== 'scheduled_events' || inner !== 'invitees' || !event) return refuseMissing()
  if (!isSeen(event, caller)) return refusePermission('You are not allowed to view this event')
  if (innerUuid === undefined) return listInvitees(calendly, call, event)
  const invitee = calendly.resources.invitees.get(innerUuid)
  return invitee?.event_of === uuid ? answered(show(calendly, call.base, invitee)) : refuseMissing()
}

function answerList(calendly: Calendly, call: Call, caller: Caller, collection: string): Reply {
  switch (collection) {
    case 'event_types':
      return listEventTypes(calendly, call, caller)
    case 'event_type_memberships':
      return listHosts(calendly, call, caller)
    case 'organization_memberships':
      return listMemberships(calendly, call, caller)
    case 'user_availability_schedules':
      return listSchedules(calendly, call, caller)
    case 'scheduled_events':
      return listEvents(calendly, call, caller)
    default:
      return refuseMissing()
  }
}

function answerOne(calendly: Calendly, call: Call, caller: Caller, collection: string, uuid: string): Reply {
  if (!Object.hasOwn(calendly.resources, collection) || collection === 'invitees') return refuseMissing()
  const all = calendly.resources[collection as keyof Calendly['resources']]
  const one = collection === 'users' && uuid === 'me' ? caller.user : all.get(uuid)
  if (!one) return refuseMissing()
  if (!isInOrganization(calendly, collection, one, caller)) return refusePermission()
  if (collection === 'scheduled_events' && !isSeen(one, caller))
    return refusePermission('You are not allowed to view this event')
  const shown = collection === 'event_types' ? showEventType : show
  return answered(shown(calendly, call.base, one))
}

function isInOrganization(calendly: Calendly, collection: string, one: Resource, { organization }: Caller) {
  if (collection === 'organizations') return one.uuid === organization.uuid
  const user =
    collection === 'users' ? one.uuid : collection === 'user_availability_schedules' && one.hosts[0]
  const of = user ? membershipOf(calendly, user)?.organization_of : one.organization_of
  return of === organization.uuid
}

const isSeen = (event: Resource, { user, organization, isAdmin }: Caller): boolean =>
  event.organization_of === organization.uuid && (isAdmin || event.hosts.includes(user.uuid))

const answered = (resource: unknown): Reply => ({ status: 200, json: { resource } })
