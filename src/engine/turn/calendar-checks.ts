import type { Interval } from '../../core/interval.ts'
import type { Calendar } from '../schedule/calendar.ts'
import type { CalendarCheck } from '../schedule/calendar-times.ts'

/** A check and the moment of the object's time at which it began. */
export type TakenCheck = CalendarCheck & { readonly tick: number }

export type CheckRequest = {
  readonly range: Interval
  /** A check that began after this tick is as fresh as a new one. */
  readonly since: number
  readonly tick: () => number
  /** Until when there is an answer, or none. */
  readonly deadline: number
  /** Events with these UIDs stand for bookings. */
  readonly ownUids: ReadonlySet<string>
}

/** Asks calendars what they hold at this moment. */
export type CalendarChecks = {
  /** What the calendars say; those that do not answer in time are missing from it. It never fails. */
  ask(
    connections: readonly Calendar['connection'][],
    wanted: CheckRequest,
  ): Promise<ReadonlyMap<string, TakenCheck>>
}
