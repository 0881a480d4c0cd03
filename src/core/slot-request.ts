import type { SlotRules } from './hold.ts'
import type { Interval } from './interval.ts'
import type { OpenHours } from './open-hours.ts'
import type { Person } from './person.ts'

export type SlotRequest = SlotRules & {
  /** Starts are searched for in `[range.start, range.end)`. */
  readonly range: Interval
  /** From one step of a grid to the next. */
  readonly stepMs: number
  /**
   * Hours that must all be open; a grid starts at each window that they share, and without any nothing is open. Null: the
   * hours are those of `oneOf`, and each window of each of them starts a grid.
   */
  readonly hours: readonly OpenHours[] | null
  /** Further hours that must be open and start no grid. */
  readonly within?: readonly OpenHours[]
  /** Time off of somebody whom every start needs: a meeting must not touch it, its buffers may. In any order. */
  readonly closed?: readonly Interval[]
  /** The present plus the minimum notice. */
  readonly earliestStart: number
  /** Holds and external busy times of what every start needs, in any order; they may overlap. */
  readonly busy: readonly Interval[]
  /** Where one of several people is enough. Without any of them nothing is open. */
  readonly oneOf?: readonly Person[]
  /**
   * Meetings that are held already and that bookings share, by their start: whether another one may join. Their
   * seats decide alone, for a session's own hold is no reason to close it.
   */
  readonly sessions?: ReadonlyMap<number, boolean>
  /** No start lies in one of these. */
  readonly fullPeriods: readonly Interval[]
  /** No new meeting begins in one of these, but those that are held already may be joined. */
  readonly fullForNew?: readonly Interval[]
}
