import type { RealMs } from '../../platform/limits/clock.ts'
import { HORIZON_MS } from '../schedule/decide-start.ts'
import type { CurrentVersion, Schedule, ScheduleVersion } from '../schedule/schedule.ts'
import { isGroup } from '../schedule/slot-request.ts'
import { type Concerns, concernsOf, isCurrent, isStillTrue } from '../schedule/version.ts'

/** Whether a known schedule still shows `start` and the alternatives after it. `now` is the real time. */
export function covers(schedule: Schedule, start: number, now: RealMs): boolean {
  if (!isStillTrue(schedule, now)) return false
  // The seats of a session are known only for the start that it was loaded for.
  if (isGroup(schedule.eventType) && !schedule.seated.has(start)) return false
  return schedule.range.start <= start && start + HORIZON_MS <= schedule.range.end
}

type Known = { readonly schedule: Schedule; readonly concerns: Concerns; readonly trueAt: number }

/** Limit of commands that read first, after memory was outdated again and again. */
const MOST_DOUBT = 32

/**
 * The schedule that an EventType object remembers. A decision from it commits only if the version is unchanged. A refusal
 * commits nothing, so it needs a schedule that was true after the request came. Requests that queued up during a load, a
 * commit or a check are refused without a read, and none by what was true before it came.
 */
export class ScheduleMemory {
  #ticks = 0
  #known: Known | null = null
  #outdated: Schedule | null = null
  #doubt = 0
  #doubted = 0
  #timesLoaded = 0

  /** The order of this object's events. */
  tick(): number {
    this.#ticks += 1
    return this.#ticks
  }

  /**
   * The last known schedule, if it covers `start` and the alternatives after it, and everything up to `until`. `now` is the
   * real time.
   */
  recall(start: number, now: RealMs, until = start): Schedule | null {
    return this.latest && covers(this.latest, start, now) && until < this.latest.range.end
      ? this.latest
      : null
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

  /** The last known schedule, if loading it again may pay off: not if others keep changing it. */
  get known(): Schedule | null {
    return this.isDoubted || !this.#known ? null : this.#known.schedule
  }

  /** How many times were loaded around single starts since what was known was too large to be loaded with them. */
  get timesLoaded(): number {
    return this.#timesLoaded
  }

  /** What was last known, outdated or not, to load only what has changed since then. */
  get base(): Schedule | null {
    return this.#known?.schedule ?? this.#outdated
  }

  remember(schedule: Schedule | null, trueAt: number, timesLoaded = 0): void {
    this.#timesLoaded = timesLoaded
    this.#known = schedule && { schedule, concerns: concernsOf(schedule), trueAt }
    this.#outdated = null
  }

  /** Returns whether the known schedule holds in this version, which was read after `tick`; otherwise it is forgotten. */
  confirm(version: CurrentVersion | undefined, tick: number): boolean {
    if (!version || !this.#known || !isCurrent(this.#known.schedule.version, this.#known.concerns, version)) {
      this.forget()
      return false
    }
    const { own, shared } = version
    const schedule = { ...this.#known.schedule, version: { own, shared } }
    this.#known = { ...this.#known, schedule, trueAt: tick }
    return true
  }

  /** Applies a commit after `tick` that led from one version to another. */
  advance(
    from: ScheduleVersion,
    { own, shared }: ScheduleVersion,
    change: (schedule: Schedule) => Schedule,
    tick: number,
  ): void {
    if (!this.#known || !this.confirm({ changes: '', ...from }, tick)) return
    const schedule = { ...change(this.#known.schedule), version: { own, shared } }
    this.#known = { ...this.#known, schedule, trueAt: tick }
  }

  forget(): void {
    this.#outdated = this.base
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
    this.forget()
  }

  /** A commit from memory succeeded. */
  trust(): void {
    this.#doubt = 0
  }
}
