import type { PresentMs } from '../../limits/clock.ts'
import { claimTeller } from '../../schedule/claimed-starts.ts'
import type { Schedule } from '../../schedule/schedule.ts'
import { fullPeriods, isGroup, seatsLeft, slotRequest, withoutTaken } from '../../schedule/slot-request.ts'
import type { Interval } from '../../scheduling/interval.ts'
import { openStarts } from '../../scheduling/slots.ts'
import { MINUTE_MS } from '../../scheduling/time-units.ts'

/** What is open in a range, as instants. */
export type OpenSlots = {
  readonly eventTypeId: string
  readonly durationMs: number
  /** Ascending. */
  readonly starts: readonly number[]
  /** What is full and can be waited for, ascending; null where nobody can wait. */
  readonly fullStarts: readonly number[] | null
  /** Where bookings share sessions: the seats of one, and those that are left of the sessions there are. */
  readonly seats: { readonly capacity: number; readonly left: ReadonlyMap<number, number> } | null
  /** Whether the cap of a period in the range is reached. */
  readonly isCapped: boolean
}

/** `now` is the present of the event type's side of its organization. */
export function openSlotsOf(
  schedule: Schedule,
  { range, durationMinutes, now }: { range: Interval; durationMinutes: number; now: PresentMs },
): OpenSlots {
  const { eventType, freed } = schedule
  const request = slotRequest(schedule, { range, durationMinutes, now })
  const isClaimed = claimTeller(schedule, request)
  const open = openStarts(request)
  const starts = freed.length === 0 ? open : open.filter((start) => !isClaimed(start))
  return {
    eventTypeId: eventType.id,
    durationMs: durationMinutes * MINUTE_MS,
    starts,
    fullStarts: eventType.waitlistEnabled ? without(openStarts(withoutTaken(request)), starts) : null,
    seats: isGroup(eventType) ? seatsOf(schedule) : null,
    isCapped: fullPeriods(schedule, range).length > 0,
  }
}

/** The same at a later present: nothing but time has passed, so whatever begins before `earliest` is gone. */
export function laterSlots(slots: OpenSlots, earliest: number): OpenSlots {
  const { starts, fullStarts } = slots
  return { ...slots, starts: from(earliest, starts), fullStarts: fullStarts && from(earliest, fullStarts) }
}

function from(earliest: number, starts: readonly number[]): readonly number[] {
  if (starts.length === 0 || starts[0]! >= earliest) return starts
  const first = starts.findIndex((start) => start >= earliest)
  return first < 0 ? [] : starts.slice(first)
}

/** Both ascend. */
function without(all: readonly number[], some: readonly number[]): number[] {
  let at = 0
  return all.filter((start) => {
    while (at < some.length && some[at]! < start) at++
    return some[at] !== start
  })
}

function seatsOf(schedule: Schedule): NonNullable<OpenSlots['seats']> {
  const left = schedule.sessions.map(
    ({ startTime, seatsTaken }) => [startTime, seatsLeft(schedule, seatsTaken)] as const,
  )
  return { capacity: schedule.eventType.maxAttendees, left: new Map(left) }
}

/** The seats that are left at a start; null where nobody shares one. */
export function seatsAt({ seats }: OpenSlots, start: number): number | null {
  return seats && (seats.left.get(start) ?? seats.capacity)
}
