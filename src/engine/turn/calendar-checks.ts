import type { Interval } from '../../core/interval.ts'
import type { Calendar } from '../schedule/calendar.ts'
import type { CalendarCheck } from '../schedule/calendar-times.ts'

/** A check and the object's tick at which it began. */
export type TakenCheck = CalendarCheck & {
  readonly tick: number
  /** Our own events that stand elsewhere than their bookings: they are not in `busy`. */
  readonly moved: readonly BusyEvent[]
}

/** What blocks time at this moment. */
export type BusyEvent = { readonly uid: string; readonly busy: readonly Interval[] }

export type CheckRequest = {
  readonly range: Interval
  /** A check that began after this tick is as fresh as a new one. */
  readonly since: number
  readonly tick: () => number
  /** When to give up waiting. */
  readonly deadline: number
  /** Whether an event is one of our own bookings and where it should be, as far as the schedule says. */
  readonly isOwnEvent: (uid: string, busy: readonly Interval[]) => boolean
}

/** What one of our events blocks that was written to a calendar and was moved into another one, which nobody connected. */
export type Elsewhere = Interval & { readonly connectionId: string; readonly uid: string }

/** Reads calendars at this moment. */
export type CalendarChecks = {
  /** The calendars' answers; those that do not answer in time are missing. It never throws. */
  ask(
    connections: readonly Calendar['connection'][],
    wanted: CheckRequest,
  ): Promise<ReadonlyMap<string, TakenCheck>>
  /** What no answer of these calendars has. */
  elsewhere(connectionIds: readonly string[], range: Interval): PromiseLike<readonly Elsewhere[]>
}
