import type { AssignedHost } from '../../platform/db/schema/assigned-host.ts'
import type { Hold, Host, Schedule, Session } from './schedule.ts'
import { tagOf } from './taken/read-times.ts'
import { isRequired } from './team.ts'

/*
 * If a host leaves the organization, their sessions have no host, and the event type keeps their time. The next invitee who
 * joins gives the session another host.
 */

export function isHostless({ kept }: Schedule, { id, assignedHost, startTime }: Session): boolean {
  return assignedHost === null && kept.some(isHeldBy(id, startTime))
}

/** The hosts whose time is held for a meeting, in the order of priority, then age. */
export function hostsHeldBy({ hosts, holds }: Schedule, holderId: string, start: number): readonly Host[] {
  const isTheirs = isHeldBy(holderId, start)
  return hosts.filter(({ resourceId }) => holds.get(resourceId)?.some(isTheirs))
}

/** Those of them who can take the place of the assigned host: with a pool, only hosts of the pool. */
export function heirsOf(schedule: Schedule, holderId: string, start: number): readonly Host[] {
  const held = hostsHeldBy(schedule, holderId, start)
  const hasPool = schedule.hosts.some((host) => !isRequired(schedule, host))
  return hasPool ? held.filter((host) => !isRequired(schedule, host)) : held
}

/** Returns whether a hold is of this holder and its meeting begins at `start`. */
export function isHeldBy(holderId: string, start: number): (hold: Hold) => boolean {
  const tag = tagOf(holderId)
  return ({ holder, meetsAt }) => holder === tag && meetsAt === start
}

export function asAssigned({ id, userId, email, name }: Host): AssignedHost {
  return { member_id: id, user_id: userId, email, name }
}
