import type { SlotRules } from './hold.ts'
import type { Interval } from './interval.ts'
import type { OpenHours } from './open-hours.ts'
import type { Person } from './person.ts'
import type { Needed } from './units.ts'

export type SlotRequest = SlotRules & {
  /** Starts are searched for in `[range.start, range.end)`. */
  readonly range: Interval
  /** The distance between two steps of a grid. */
  readonly stepMs: number
  /**
   * Hours that must all be open; each window that they share starts a grid, and without any nothing is open. Null: the
   * hours are those of `within` and `anyOf`; each window that enough of these share starts a grid.
   */
  readonly hours: readonly OpenHours[] | null
  /** More hours that must be open, without a grid of their own. */
  readonly within?: readonly OpenHours[]
  /** Time off of the people whom every start needs: meetings must not overlap it, buffers may. In any order. */
  readonly closed?: readonly Interval[]
  /** The present plus the minimum notice. */
  readonly earliestStart: number
  /** Holds and external busy times of the resources that every start needs, in any order; they may overlap. */
  readonly busy: readonly Interval[]
  /** The same by resource, if the list of one that did not change stays the same object. */
  readonly taken?: readonly (readonly Interval[])[]
  /** People of whom `count` are enough, or one. If the list is too short, nothing is open. */
  readonly anyOf?: readonly Person[]
  readonly count?: number
  /** Units of rooms and equipment that a new meeting takes; a session has its own. */
  readonly needed?: Needed
  /**
   * Existing sessions by their start: whether another booking may join. Only their seats count: a session's own hold does
   * not close it.
   */
  readonly sessions?: ReadonlyMap<number, boolean>
  /** No start lies in one of these. */
  readonly fullPeriods: readonly Interval[]
  /** No new session begins in one of these, but existing ones can be joined. */
  readonly fullForNew?: readonly Interval[]
}
