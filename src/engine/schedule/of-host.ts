import { because, type Refusal } from '../../platform/http/errors.ts'
import type { Schedule } from './schedule.ts'

/** The schedule as one of its hosts has it: only what they can take is open, and nobody joins another host's session. */
export function ofHost(schedule: Schedule, memberId: string): Schedule {
  const { eventType, hosts, sessions } = schedule
  return {
    ...schedule,
    hosts: hosts.filter(({ id }) => id === memberId),
    sessions: sessions.map((session) =>
      session.assignedHost?.member_id === memberId
        ? session
        : { ...session, seatsTaken: eventType.maxAttendees },
    ),
  }
}

/** The host in whose calendar the event of a booking is; null if all hosts take part. */
export function hostToKeep({ eventType }: Schedule, hostId: string | null): string | null {
  return eventType.assignmentStrategy === 'none' ? null : hostId
}

/**
 * Why a caller cannot choose this member, or must choose one; null if the choice is fine. All hosts take part in a
 * collective meeting.
 */
export function refuseHost(
  { eventType, hosts }: Schedule,
  memberId: string | null,
  isKeyless: boolean,
): Refusal | null {
  if (memberId === null) return null
  if (isKeyless && eventType.hostChoice === 'none') return because('no_host_choice')
  if (!hosts.some(({ id }) => id === memberId)) return because('not_a_host')
  return eventType.assignmentStrategy === 'none' ? because('takes_all_hosts') : null
}
