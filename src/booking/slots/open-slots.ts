import type { Interval } from '../../core/interval.ts'
import type { SlotRequest } from '../../core/slot-request.ts'
import { openStarts } from '../../core/slots.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time-units.ts'
import { claimTeller } from '../../engine/schedule/claimed-starts.ts'
import { isMonthFull } from '../../engine/schedule/full-month.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import {
  fullPeriods,
  isGroup,
  seatsLeft,
  slotRequest,
  withoutTaken,
} from '../../engine/schedule/slot-request.ts'
import { takesNoBookings } from '../../engine/schedule/takes-no-bookings.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'

const MONTH_MS = 31 * DAY_MS

/** The open starts of a range, as instants. */
export type OpenSlots = {
  readonly eventTypeId: string
  readonly durationMs: number
  /** Ascending. */
  readonly starts: readonly number[]
  /** Full starts with a waitlist, ascending; null without a waitlist. */
  readonly fullStarts: readonly number[] | null
  /** For group event types: the seats of a session, and those left in existing sessions. */
  readonly seats: { readonly capacity: number; readonly left: ReadonlyMap<number, number> } | null
  /** Whether the cap of a period in the range is reached. */
  readonly isCapped: boolean
  /** Whether nothing can be booked at all at the moment: then no start is open, and none is looked for. */
  readonly isClosed: boolean
  /** Whether that is because the month's quota is used up. */
  readonly isMonthFull: boolean
  /** If nothing is open: the first open start after the range, or null if there is none within a year. */
  readonly nextAvailable: number | null
}

/** `now` is the event type's present; one seat is requested by default. */
type Question = {
  readonly range: Interval
  readonly durationMinutes: number
  readonly now: PresentMs
  readonly seats?: number
}

export function openSlotsOf(schedule: Schedule, question: Question): OpenSlots {
  const { eventType } = schedule
  const { range, durationMinutes } = question
  const request = slotRequest(schedule, question)
  const starts = offeredStarts(schedule, request)
  return {
    eventTypeId: eventType.id,
    durationMs: durationMinutes * MINUTE_MS,
    starts,
    fullStarts: eventType.waitlistEnabled ? without(openStarts(withoutTaken(request)), starts) : null,
    seats: seatsOf(schedule),
    isCapped: fullPeriods(schedule, range).length > 0,
    isClosed: false,
    isMonthFull: false,
    nextAvailable: null,
  }
}

/** The same for a new booking. While nothing can be booked at all, the waitlist of full starts stays open. */
export function openToBook(schedule: Schedule, slots: OpenSlots): OpenSlots {
  if (!takesNoBookings(schedule)) return slots
  return { ...slots, starts: [], isClosed: true, isMonthFull: isMonthFull(schedule) }
}

/** Only the open starts, and the seats. */
export function openStartsOf(
  schedule: Schedule,
  question: Question,
): Pick<OpenSlots, 'durationMs' | 'starts' | 'seats'> {
  const request = slotRequest(schedule, question)
  return {
    durationMs: request.durationMs,
    starts: offeredStarts(schedule, request),
    seats: seatsOf(schedule),
  }
}

/** The starts that are not reserved for the waitlist. */
function offeredStarts(schedule: Schedule, request: SlotRequest): readonly number[] {
  const isClaimed = claimTeller(schedule, request)
  const open = openStarts(request)
  return schedule.freed.length === 0 ? open : open.filter((start) => !isClaimed(start))
}

/** The first open start of the range, searched for a month at a time; null if there is none. */
export function firstOpenOf(schedule: Schedule, question: Question): number | null {
  const { range } = question
  for (let start = range.start; start < range.end; start += MONTH_MS) {
    const month = { start, end: Math.min(start + MONTH_MS, range.end) }
    const [first] = openStartsOf(schedule, { ...question, range: month }).starts
    if (first !== undefined) return first
  }
  return null
}

/** The same at a later present: starts before `earliest` are removed. */
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

function seatsOf(schedule: Schedule): OpenSlots['seats'] {
  if (!isGroup(schedule.eventType)) return null
  const left = schedule.sessions.map(
    ({ startTime, seatsTaken }) => [startTime, seatsLeft(schedule, seatsTaken)] as const,
  )
  return { capacity: schedule.eventType.maxAttendees, left: new Map(left) }
}

/** The seats left at a start; null if seats are not shared. */
export function seatsAt({ seats }: Pick<OpenSlots, 'seats'>, start: number): number | null {
  return seats && (seats.left.get(start) ?? seats.capacity)
}
