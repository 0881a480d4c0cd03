import type { RealMs } from '../../platform/limits/clock.ts'
import { HORIZON_MS } from '../schedule/decide-start.ts'
import type { Schedule, ScheduleVersion } from '../schedule/schedule.ts'
import { isGroup } from '../schedule/slot-request.ts'
import { isSameVersion, isStillTrue } from '../schedule/version.ts'

/** Whether a known schedule still shows `start` and the alternatives after it. `now` is the real time. */
export function covers(schedule: Schedule, start: number, now: RealMs): boolean {
  if (!isStillTrue(schedule, now)) return false
  // The seats of a session are known only for the start that it was loaded for.
  if (isGroup(schedule.eventType) && !schedule.seated.has(start)) return false
  return schedule.range.start <= start && start + HORIZON_MS <= schedule.range.end
}

/** Limit of commands that read first, after memory was outdated again and again. */
const MOST_DOUBT = 32

/**
 * The schedule that an EventType object remembers. A decision from it commits only if the version is unchanged. A refusal
 * commits nothing, so it needs a schedule that was true after the request came. Requests that queued up during a load, a
 * commit or a check are refused without a read, and none by what was true before it came.
 */
export class ScheduleMemory {
  #ticks = 0
  #known: { readonly schedule: Schedule; readonly trueAt: number } | null = null
  #doubt = 0
  #doubted = 0
  #isScattered = false

  /** The order of this object's events. */
  tick(): number {
    this.#ticks += 1
    return this.#ticks
  }

  /** The last known schedule, if it covers `start` and the alternatives after it. `now` is the real time. */
  recall(start: number, now: RealMs): Schedule | null {
    return this.latest && covers(this.latest, start, now) ? this.latest : null
  }

  get latest(): Schedule | null {
    return this.#known?.schedule ?? null
  }

  /** Whether it was seen to be true after `tick`. */
  wasTrueAfter(tick: number): boolean {
    return this.#known !== null && this.#known.trueAt >= tick
  }

  get isEmpty(): boolean {
    return this.#known === null
  }

  /**
   * The last known schedule, if loading it again pays off: not if others keep changing it, nor if it was too large to be
   * loaded with the requested range.
   */
  get known(): Schedule | null {
    return this.isDoubted || this.#isScattered || !this.#known ? null : this.#known.schedule
  }

  /** `isLeft` says that the schedule before was too large to be loaded with this one. */
  remember(schedule: Schedule | null, trueAt: number, isLeft = false): void {
    this.#isScattered = this.#known !== null && (this.#isScattered || isLeft)
    this.#known = schedule && { schedule, trueAt }
  }

  /** Returns whether the known schedule has this version, which was read after `tick`; otherwise it is forgotten. */
  confirm(version: ScheduleVersion | undefined, tick: number): boolean {
    const isTrue =
      version !== undefined && this.#known !== null && isSameVersion(this.#known.schedule.version, version)
    this.#known = isTrue && this.#known ? { ...this.#known, trueAt: tick } : null
    return isTrue
  }

  /** Applies a commit after `tick` that led from one version to another. */
  advance(
    from: ScheduleVersion,
    to: ScheduleVersion,
    change: (schedule: Schedule) => Schedule,
    tick: number,
  ): void {
    if (!this.confirm(from, tick) || !this.#known) return
    this.#known = { schedule: { ...change(this.#known.schedule), version: to }, trueAt: tick }
  }

  forget(): void {
    this.#known = null
  }

  /** Whether the next command reads before its commit. */
  get isDoubted(): boolean {
    return this.#doubted > 0
  }

  /** Whether to read before a commit. Each call reduces the doubt. */
  asksFirst(): boolean {
    if (this.#doubted === 0) return false
    this.#doubted -= 1
    return true
  }

  /** The memory was outdated. If others keep changing it, guessing costs more than reading first. */
  doubt(): void {
    this.#doubt = Math.min(MOST_DOUBT, this.#doubt * 2 + 1)
    this.#doubted = this.#doubt
    this.#known = null
  }

  /** A commit from memory succeeded. */
  trust(): void {
    this.#doubt = 0
  }
}
