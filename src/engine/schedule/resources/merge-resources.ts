import type { Schedule } from '../schedule.ts'
import { markOf } from '../version.ts'
import type { DecodeFrom, Resources } from './decode-resources.ts'

/**
 * The resources of a known schedule after some of its hosts changed: `read` has them as they are now. Everything else stays
 * the same object.
 */
export function mergeResources(
  { eventType, hosts, calendars, holds }: Schedule,
  read: Resources,
  changed: ReadonlySet<string>,
  { ahead }: Pick<DecodeFrom, 'ahead'>,
): Resources {
  const isChanged = (memberId: string) => changed.has(markOf(memberId))
  const now = new Map(read.hosts.map((host) => [host.id, host]))
  const held = new Map(holds)
  held.delete(eventType.id)
  for (const { id, resourceId } of hosts) if (isChanged(id)) held.delete(resourceId)
  for (const { connection } of calendars) if (isChanged(connection.memberId)) held.delete(connection.id)
  for (const [resourceId, times] of read.holds) held.set(resourceId, times)
  const others = calendars.filter(({ connection }) => !isChanged(connection.memberId))
  return {
    hours: read.hours,
    closed: read.closed,
    hosts: hosts.map((known) => {
      const { addedAt, ...host } = now.get(known.id) ?? known
      const activeBookings = ahead.get(host.id)?.[1] ?? 0
      const isSame = host === known && activeBookings === known.activeBookings
      return isSame ? known : { ...host, addedAt: known.addedAt, activeBookings }
    }),
    calendars: [...others, ...read.calendars].sort((one, other) =>
      one.connection.id < other.connection.id ? -1 : 1,
    ),
    holds: held,
    expired: read.expired,
  }
}
