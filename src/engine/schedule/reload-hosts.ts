import type { Db } from '../../platform/db/client.ts'
import { isTooBig } from '../../platform/db/passing-failure.ts'
import type { AskedMs, RealMs } from '../../platform/limits/clock.ts'
import { baseOf, changedSince } from './load-schedule.ts'
import { type Ahead, decodeResources } from './resources/decode-resources.ts'
import { mergeResources } from './resources/merge-resources.ts'
import type { Schedule } from './schedule.ts'
import { selectVersion } from './statements.ts'
import { windowsAround } from './taken/around.ts'
import { deadlinesOf } from './true-until.ts'
import { latestChanges } from './version.ts'

/**
 * Loads a known schedule again for a question about open starts, if only its hosts have changed: without the event type's own
 * part. Null if that has changed, too, or if everybody may have.
 */
export async function reloadHosts(db: Db, known: Schedule, now: AskedMs): Promise<Schedule | null> {
  const { range, eventType, organization } = known
  const base = baseOf(range)
  const asked = [selectVersion(db, eventType.id), changedSince(db, known, now)] as const
  const [[current], rows] = await db.batch(asked).catch((error) => {
    if (isTooBig(error)) return [[], []] as const
    throw error
  })
  if (!current || current.own !== known.version.own) return null
  const changes = latestChanges(known.version, current)
  if (changes === null) return null
  const ahead = new Map(
    known.hosts.map(({ id, activeBookings }): [string, Ahead] => [id, [id, activeBookings, 0]]),
  )
  const around = windowsAround(range, eventType)
  const read = decodeResources(rows, { base, around, organizationZone: organization.timezone, ahead })
  if (read.expired.length > 0) return null
  const { hosts, calendars, closing, rooms, holds } = mergeResources(known, read, changes, { ahead })
  const own = known.holds.get(eventType.id)
  const deadlines = deadlinesOf({ next_expiry: null }, [...read.holds.values()])
  return {
    ...known,
    version: { own: current.own, shared: current.shared },
    // A sandbox clock of its own does not move.
    trueUntil: (organization.sandboxNow === null
      ? Math.min(known.trueUntil, ...deadlines)
      : known.trueUntil) as RealMs,
    hosts,
    calendars,
    closing,
    rooms,
    holds: own ? new Map([...holds, [eventType.id, own]]) : holds,
  }
}
