import type { AssignedHost } from '../../platform/db/schema/bookings.ts'
import type { Host, Schedule, Session } from './schedule.ts'

/*
 * If a host leaves the organization, their sessions have no host, and the event type keeps their time. The next invitee who
 * joins gives the session another host.
 */

export function isHostless({ holds }: Schedule, { id, assignedHost }: Session): boolean {
  return assignedHost === null && holds.some(({ holderId, keptBy }) => holderId === id && keptBy !== '')
}

/** The hosts of a collective meeting whose time is held for it, in the order of priority, then age. */
export function hostsHeldBy({ hosts, holds }: Schedule, holderId: string): readonly Host[] {
  const held = new Set(
    holds.filter((one) => one.holderId === holderId && one.keptBy === '').map(({ resourceId }) => resourceId),
  )
  return hosts.filter(({ resourceId }) => held.has(resourceId))
}

export function asAssigned({ id, userId, email }: Host): AssignedHost {
  return { member_id: id, user_id: userId, email }
}
