import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { isHeldBy } from './hostless-sessions.ts'
import type { Placement } from './placement.ts'
import type { Hold, Holds, Schedule } from './schedule.ts'
import { tagOf } from './taken/read-times.ts'

/** Under which id the time of a booking or hold is held: its session's, or its own. */
export function holderOf(row: Pick<BookingRow, 'id' | 'sessionId'>): string {
  return row.sessionId ?? row.id
}

export type Taker = Pick<
  BookingRow,
  'id' | 'sessionId' | 'eventTypeId' | 'calendarConnectionId' | 'updatedAt'
>

export function takenBy(
  row: Pick<Taker, 'id' | 'sessionId'>,
  { resourceIds, hold, start }: Placement,
  expiresAt: number | null,
): Hold[] {
  return resourceIds.map((resourceId) => ({
    resourceId,
    start: hold.start,
    end: hold.end,
    holder: tagOf(holderOf(row)),
    keptBy: '',
    meetsAt: start,
    expiresAt,
  }))
}

/** Only the lists of the resources that are taken are other ones then. They stay in order, so that nobody has to sort them. */
export function withHolds(holds: Holds, taken: readonly Hold[]): Holds {
  const after = new Map(holds)
  for (const hold of taken) {
    const others = after.get(hold.resourceId) ?? []
    const at = others.findLastIndex(({ start }) => start < hold.start) + 1
    after.set(hold.resourceId, others.toSpliced(at, 0, hold))
  }
  return after
}

export function withoutHolds(holds: Holds, isGone: (hold: Hold) => boolean): Holds {
  const after = new Map(holds)
  for (const [id, ofResource] of holds) {
    if (ofResource.some(isGone))
      after.set(
        id,
        ofResource.filter((hold) => !isGone(hold)),
      )
  }
  return after
}

/** The schedule without what a booking or session holds at that start. */
export function withoutHolder(schedule: Schedule, holderId: string, start: number): Schedule {
  const isTheirs = isHeldBy(holderId, start)
  return {
    ...schedule,
    holds: withoutHolds(schedule.holds, isTheirs),
    kept: schedule.kept.filter((one) => !isTheirs(one)),
  }
}

/** The schedule with the time that `placement` takes, held by that holder. */
export function withHolder(schedule: Schedule, holderId: string, placement: Placement): Schedule {
  const taken = takenBy({ id: holderId, sessionId: null }, placement, null)
  return { ...schedule, holds: withHolds(schedule.holds, taken) }
}
