import { type CapPeriod, capPeriodAt } from '../../../core/caps.ts'
import { zoneTable } from '../../../core/local-time.ts'
import type { Placement } from '../../../engine/schedule/placement.ts'
import type { Host, Schedule } from '../../../engine/schedule/schedule.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import type { BookingRow } from '../../../platform/db/schema/bookings.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import { guardHolds, guardInvitee, type HeldLimit } from './statements.ts'

/**
 * Checks the hosts' limits per day and week again inside the commit that takes their time, because other event types may
 * have booked them. It comes after time is released and before time is taken.
 */
export function hostGuards(
  db: Db,
  { hosts }: Schedule,
  { start, resourceIds }: Pick<Placement, 'start' | 'resourceIds'>,
  now: PresentMs,
): Statement[] {
  const limits = hosts
    .filter(({ resourceId }) => resourceIds.includes(resourceId))
    .flatMap((host) => limitsAt(host, start))
  return limits.length === 0 ? [] : [guardHolds(db, limits, now)]
}

/** The same for several placements of one commit: each limit is lowered by the further ones that count toward it. */
export function hostGuardsOfAll(
  db: Db,
  { hosts }: Schedule,
  placements: readonly Pick<Placement, 'start' | 'resourceIds'>[],
  now: PresentMs,
): Statement[] {
  const all = placements.flatMap(({ start, resourceIds }) =>
    hosts
      .filter(({ resourceId }) => resourceIds.includes(resourceId))
      .flatMap((host) => limitsAt(host, start)),
  )
  const alike = Map.groupBy(all, ({ resourceId, start, end }) => `${resourceId}/${start}/${end}`)
  const limits = [...alike.values()].map((same) => ({ ...same[0]!, most: same[0]!.most - same.length + 1 }))
  return limits.length === 0 ? [] : [guardHolds(db, limits, now)]
}

function limitsAt({ limits, resourceId }: Host, start: number): HeldLimit[] {
  if (limits === null) return []
  const table = zoneTable(limits.timeZone, start, start)
  const limitOf = (period: CapPeriod, most: number | null) =>
    most === null ? [] : [{ resourceId, most, ...capPeriodAt(period, table, start) }]
  return [...limitOf('daily', limits.perDay), ...limitOf('weekly', limits.perWeek)]
}

/** Checks the limit of upcoming bookings per invitee again inside the commit. */
export function inviteeGuards(db: Db, { eventType }: Schedule, row: BookingRow, now: PresentMs): Statement[] {
  // Without an address nobody is counted.
  return eventType.inviteeLimit === null || row.inviteeEmail === ''
    ? []
    : [guardInvitee(db, row, eventType.inviteeLimit, now)]
}
