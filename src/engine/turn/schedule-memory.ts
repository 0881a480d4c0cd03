import type { RealMs } from '../../platform/limits/clock.ts'
import { HORIZON_MS } from '../schedule/decide-start.ts'
import type { Schedule, ScheduleVersion } from '../schedule/schedule.ts'
import { isGroup } from '../schedule/slot-request.ts'
import { isSameVersion, isStillTrue } from '../schedule/version.ts'

/** How many commands at most ask first, once what was known turned out to be old again and again. */
const MOST_DOUBT = 32

/**
 * What an EventType object knows of its schedule without asking. Whatever is decided from it is committed only if the
 * version is still the same. A refusal commits nothing: it needs a schedule that was seen to be true after the request
 * came. So everybody who queued up while one was loaded, committed or asked about is refused without a read, and no
 * request is ever refused by what was true before it came.
 */
export class ScheduleMemory {
  #ticks = 0
  #known: { readonly schedule: Schedule; readonly trueAt: number } | null = null
  #doubt = 0
  #doubted = 0
  #isScattered = false

  /** The moment something happened, in the order of this object's events. */
  tick(): number {
    this.#ticks += 1
    return this.#ticks
  }

  /** The schedule that was last known, where it tells of `start` and of what to offer after it. `now` is the real time. */
  recall(start: number, now: RealMs): Schedule | null {
    if (!this.#known || !isStillTrue(this.#known.schedule, now)) return null
    const { schedule } = this.#known
    // Who sits in a session is known of the start it was loaded for.
    if (isGroup(schedule.eventType) && !schedule.seated.has(start)) return null
    return schedule.range.start <= start && start + HORIZON_MS <= schedule.range.end ? schedule : null
  }

  /** Whether it was seen to be true at a moment after `tick`. */
  wasTrueAfter(tick: number): boolean {
    return this.#known !== null && this.#known.trueAt >= tick
  }

  get isEmpty(): boolean {
    return this.#known === null
  }

  /**
   * What was last known, as far as it is worth knowing again: where others keep changing it, it soon is not, and where it
   * was too much to be loaded with what was asked for, it would be so again.
   */
  get known(): Schedule | null {
    return this.#doubted > 0 || this.#isScattered || !this.#known ? null : this.#known.schedule
  }

  /** `isLeft` says that what was known before was too much to be loaded with this. */
  remember(schedule: Schedule | null, trueAt: number, isLeft = false): void {
    this.#isScattered = this.#known !== null && (this.#isScattered || isLeft)
    this.#known = schedule && { schedule, trueAt }
  }

  /** Tells whether what is known has this version, which was asked for after `tick`; else it is forgotten. */
  confirm(version: ScheduleVersion | undefined, tick: number): boolean {
    const isTrue =
      version !== undefined && this.#known !== null && isSameVersion(this.#known.schedule.version, version)
    this.#known = isTrue && this.#known ? { ...this.#known, trueAt: tick } : null
    return isTrue
  }

  /** Applies what was committed after `tick` and led from one version to another. */
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

  /** Whether to ask before anything is committed. Whoever asks takes a little of the doubt away. */
  asksFirst(): boolean {
    if (this.#doubted === 0) return false
    this.#doubted -= 1
    return true
  }

  /** What was known was old. Where others keep changing it, guessing costs more than asking first. */
  doubt(): void {
    this.#doubt = Math.min(MOST_DOUBT, this.#doubt * 2 + 1)
    this.#doubted = this.#doubt
    this.#known = null
  }

  /** What was committed without asking was still true. */
  trust(): void {
    this.#doubt = 0
  }
}
