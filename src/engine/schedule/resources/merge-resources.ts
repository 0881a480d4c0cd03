import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { HOUR_MS } from '../../../core/time-units.ts'
import type { Calendar } from '../calendar.ts'
import type { Hold, Room, Schedule } from '../schedule.ts'
import { changesIn, markOf } from '../version.ts'
import type { DecodeFrom, Resources } from './decode-resources.ts'
import { unitIdOf } from './rooms.ts'

/** What was read again of a member or a room. */
type Changed = {
  /** The holds that start after the first and before the second instant. */
  readonly held: readonly [after: number, before: number]
  readonly hasBusy: boolean
}

/**
 * The resources of a known schedule after `changes`: `read` has those of the hosts and rooms that changed as they are now. Everything else
 * stays the same object.
 */
export function mergeResources(
  { eventType, hosts, calendars, closing, rooms, holds }: Schedule,
  read: Resources,
  changes: string,
  { ahead }: Pick<DecodeFrom, 'ahead'>,
): Resources {
  const members = changedIn(changes)
  const changedOf = (memberId: string) => members.get(markOf(memberId))
  const held = new Map(holds)
  held.delete(eventType.id)
  const replace = (resourceId: string, changed: Changed | undefined) => {
    if (!changed) return
    const now = heldNow(holds.get(resourceId) ?? [], read.holds.get(resourceId) ?? [], changed)
    if (now.length > 0) held.set(resourceId, now)
    else held.delete(resourceId)
  }
  for (const { id, resourceId } of hosts) replace(resourceId, changedOf(id))
  for (const { connection } of calendars) replace(connection.id, changedOf(connection.memberId))
  const roomsNow = new Map(read.rooms.map((room) => [room.id, room]))
  for (const room of rooms) {
    const most = Math.max(room.quantity, roomsNow.get(room.id)?.quantity ?? 0)
    for (let unit = 1; unit <= most; unit++) replace(unitIdOf(room.id, unit), changedOf(room.id))
  }
  const hostsNow = new Map(read.hosts.map((host) => [host.id, host]))
  const closingNow = new Map(read.closing.map((calendar) => [calendar.connection.id, calendar]))
  const calendarsNow = new Map(read.calendars.map((calendar) => [calendar.connection.id, calendar]))
  return {
    hours: read.hours,
    closed: read.closed,
    closing: closing.map((known) => closingNow.get(known.connection.id) ?? known),
    hosts: hosts.map((known) => {
      const host = hostsNow.get(known.id) ?? known
      const activeBookings = ahead.get(host.id)?.[1] ?? 0
      const isSame = host === known && activeBookings === known.activeBookings
      return isSame ? known : { ...host, addedAt: known.addedAt, activeBookings }
    }),
    calendars: calendars.map((known): Calendar => {
      const calendar = calendarsNow.get(known.connection.id) ?? known
      const hasBusy = changedOf(known.connection.memberId)?.hasBusy ?? false
      return hasBusy || calendar === known ? calendar : { ...calendar, busy: known.busy }
    }),
    rooms: rooms.map((known): Room => {
      const room = roomsNow.get(known.id) ?? known
      const hasBusy = changedOf(known.id)?.hasBusy ?? false
      return hasBusy || room === known ? room : { ...room, feeds: known.feeds }
    }),
    holds: held,
    expired: read.expired,
    unpacked: read.unpacked,
  }
}

function changedIn(changes: string): Map<string, Changed> {
  const byMark = Map.groupBy(changesIn(changes), ({ mark }) => mark)
  return new Map(
    [...byMark].map(([mark, ofMember]) => {
      const hours = ofMember.flatMap((change) => change.hours ?? [])
      const held = [Math.min(...hours) * HOUR_MS - MAX_HOLD_MS, (Math.max(...hours) + 1) * HOUR_MS] as const
      return [mark, { held, hasBusy: ofMember.some(({ isMore }) => isMore) }]
    }),
  )
}

/** In the order in which they start, as the database returns them. */
function heldNow(
  known: readonly Hold[],
  read: readonly Hold[],
  { held: [after, before] }: Changed,
): readonly Hold[] {
  const others = known.filter(({ start }) => start <= after || start >= before)
  if (read.length === 0 && others.length === known.length) return known
  return [...others, ...read].sort((one, other) => one.start - other.start)
}
