import { because, type Refusal } from '../../platform/http/errors.ts'
import type { Host, Schedule } from './schedule.ts'
import { hostsOf, isOfOne } from './team.ts'

/** The schedule as one of its hosts has it: only what they can take is open, and nobody joins another host's session. */
export function ofHost(schedule: Schedule, memberId: string): Schedule {
  const { eventType, hosts, sessions } = schedule
  const isAsked = ({ id }: Host) => id === memberId
  return {
    ...schedule,
    hosts: isOfOne(schedule)
      ? hosts.filter(isAsked)
      : hosts.map((host) => (isAsked(host) ? { ...host, part: 'chosen' } : host)),
    sessions: sessions.map((session) =>
      hostsOf(session).some(({ member_id }) => member_id === memberId)
        ? session
        : { ...session, seatsTaken: eventType.maxAttendees },
    ),
  }
}

/** The host in whose calendar the event of a booking is; null if nobody can be chosen in their place. */
export function hostToKeep({ eventType, hosts }: Schedule, hostId: string | null): string | null {
  const takesPartAnyway = hosts.some(({ id, part }) => id === hostId && part === 'required')
  return eventType.assignmentStrategy === 'none' || takesPartAnyway ? null : hostId
}

/** A host who was chosen by name stays with a booking, as long as they can be chosen; null without one. */
export function chosenHost(
  { eventType, hosts }: Schedule,
  { hostChosen, assignedHostId }: { readonly hostChosen: boolean; readonly assignedHostId: string | null },
): string | null {
  const isOfPool = hosts.some(({ id, part }) => id === assignedHostId && part !== 'required')
  return hostChosen && isOfPool && eventType.assignmentStrategy !== 'none' ? assignedHostId : null
}

/**
 * Why a caller cannot choose this member, or must choose one; null if the choice is fine. Hosts who always take part are not
 * chosen.
 */
export function refuseHost(
  { eventType, hosts }: Schedule,
  memberId: string | null,
  isKeyless: boolean,
): Refusal | null {
  if (memberId === null) return null
  if (isKeyless && eventType.hostChoice === 'none') return because('no_host_choice')
  const host = hosts.find(({ id }) => id === memberId)
  if (!host) return because('not_a_host')
  if (eventType.assignmentStrategy === 'none') return because('takes_all_hosts')
  return host.part === 'required' ? because('takes_part_anyway') : null
}
