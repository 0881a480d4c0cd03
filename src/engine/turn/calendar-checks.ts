import type { Interval } from '../../core/interval.ts'
import type { Calendar } from '../schedule/calendar.ts'
import type { Look } from '../schedule/calendar-times.ts'

/** A look and the moment of the object's time at which it began. */
export type TakenLook = Look & { readonly tick: number }

export type LookWanted = {
  readonly range: Interval
  /** A look that began after this tick is as fresh as a new one. */
  readonly since: number
  readonly tick: () => number
  /** Until when there is an answer, or none. */
  readonly deadline: number
  /** Events with these UIDs stand for bookings. */
  readonly ownUids: ReadonlySet<string>
}

/** Asks calendars what they hold at this moment. */
export type Looks = {
  /** What the calendars say; those that do not answer in time are missing from it. It never fails. */
  ask(
    connections: readonly Calendar['connection'][],
    wanted: LookWanted,
  ): Promise<ReadonlyMap<string, TakenLook>>
}
