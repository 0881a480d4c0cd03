import type { Schedule } from '../schedule/schedule.ts'
import { isGroup } from '../schedule/slot-request.ts'

/**
 * What an EventType object knows of its schedule without asking. A schedule whose loading began after a
 * request arrived is as fresh for that request as one loaded for it alone, so everybody who queued up while
 * it was loaded is answered from it: a stampede on one slot costs one read, and no request is ever judged by
 * what was true before it came. What this object commits is applied to it; what frees time forgets it.
 */
export class ScheduleMemory {
  #ticks = 0
  #known: { readonly schedule: Schedule; readonly loadedFrom: number } | null = null

  /** The moment something happened, in the order of this object's events. */
  tick(): number {
    this.#ticks += 1
    return this.#ticks
  }

  recall(arrivedAt: number, start: number): Schedule | null {
    if (!this.#known || this.#known.loadedFrom < arrivedAt) return null
    const { schedule } = this.#known
    // Who sits in a session is known of the start it was loaded for.
    if (isGroup(schedule.eventType) && !schedule.seated.has(start)) return null
    return schedule.range.start <= start && start < schedule.range.end ? schedule : null
  }

  remember(schedule: Schedule | null, loadedFrom: number): void {
    this.#known = schedule && { schedule, loadedFrom }
  }

  /** Applies what was committed. */
  apply(change: (schedule: Schedule) => Schedule): void {
    if (this.#known) this.#known = { ...this.#known, schedule: change(this.#known.schedule) }
  }

  forget(): void {
    this.#known = null
  }
}
