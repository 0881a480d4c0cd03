import type { Interval } from '../../scheduling/interval.ts'
import type { Schedule } from '../availability/schedule.ts'

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
    return schedule.range.start <= start && start < schedule.range.end ? schedule : null
  }

  remember(schedule: Schedule | null, loadedFrom: number): void {
    this.#known = schedule && { schedule, loadedFrom }
  }

  /** Applies a booking that was committed. */
  take(holderId: string, start: number, hold: Interval): void {
    if (!this.#known) return
    const { schedule, loadedFrom } = this.#known
    const { eventType } = schedule
    this.#known = {
      loadedFrom,
      schedule: {
        ...schedule,
        holds: [...schedule.holds, { holderId, startsAt: hold.start, endsAt: hold.end }],
        bookedStarts: [...schedule.bookedStarts, { start, count: 1 }],
        bookingsThisMonth: schedule.bookingsThisMonth + (eventType.isTest ? 0 : 1),
        eventType: { ...eventType, activeBookings: eventType.activeBookings + 1 },
      },
    }
  }

  forget(): void {
    this.#known = null
  }
}
