import type { AssignedHost } from '../../platform/db/schema/assigned-host.ts'
import { calendarsOf } from './calendar-times.ts'
import type { Host, Schedule } from './schedule.ts'

/** The hosts of a new meeting: all in `sure`, and `size` of the pool. Both are sorted by priority, then age. */
export type Team = { readonly sure: readonly Host[]; readonly pool: readonly Host[]; readonly size: number }

/** Without a strategy everybody takes part. A host who was chosen by name is one of the pool's share. */
export function teamOf({ eventType, hosts }: Schedule): Team {
  if (eventType.assignmentStrategy === 'none') return { sure: hosts, pool: [], size: 0 }
  const pool = hosts.filter(({ part }) => part === 'pool')
  if (pool.length === hosts.length) return { sure: [], pool, size: eventType.poolSize }
  const chosen = hosts.filter(({ part }) => part === 'chosen')
  const required = hosts.filter(({ part }) => part === 'required')
  const isAllRequired = required.length === hosts.length
  const size = isAllRequired ? 0 : eventType.poolSize - chosen.length
  return { sure: [...chosen, ...required], pool, size }
}

/** Whether each booking has one host of the pool, and nobody else. */
export function isOfOne({ eventType, hosts }: Schedule): boolean {
  const isPool = hosts.every(({ part }) => part !== 'required')
  return eventType.assignmentStrategy !== 'none' && eventType.poolSize === 1 && isPool
}

/** Whether the pool has fewer hosts than take part. */
export function lacksHosts(schedule: Schedule): boolean {
  const { pool, size } = teamOf(schedule)
  return pool.length < size
}

/** Whether a host takes part in every booking. */
export function isRequired({ eventType }: Schedule, { part }: Host): boolean {
  return eventType.assignmentStrategy === 'none' || part === 'required'
}

/** Whether a host takes part in every booking that is asked for. */
export function isSure(schedule: Schedule, host: Host): boolean {
  return isRequired(schedule, host) || host.part === 'chosen'
}

/** The hosts of whom one can be given a meeting that lost its host: who was chosen by name, or the pool. */
export function candidatesOf(schedule: Schedule): readonly Host[] {
  const named = schedule.hosts.filter(({ part }) => part === 'chosen')
  return named.length > 0 ? named : teamOf(schedule).pool
}

type Hosted = { readonly assignedHost: AssignedHost | null; readonly coHosts: readonly AssignedHost[] | null }

/** Everybody who hosts a meeting: the assigned host first. */
export function hostsOf({ assignedHost, coHosts }: Hosted): readonly AssignedHost[] {
  return [...(assignedHost === null ? [] : [assignedHost]), ...(coHosts ?? [])]
}

/** The calendars of everybody who hosts a meeting; all that are known if all hosts take part, or nobody. */
export function calendarsOfTeam(schedule: Schedule, hosted: Hosted) {
  const hosts = hostsOf(hosted)
  const isOfAll = schedule.eventType.assignmentStrategy === 'none' || hosts.length === 0
  if (isOfAll) return calendarsOf(schedule, null)
  return hosts.flatMap(({ member_id }) => calendarsOf(schedule, member_id))
}

export function coHostsOrNull(coHosts: readonly AssignedHost[]): readonly AssignedHost[] | null {
  return coHosts.length === 0 ? null : coHosts
}
