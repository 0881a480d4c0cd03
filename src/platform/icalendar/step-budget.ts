import { CalendarError } from './calendar-error.ts'

/** An event that takes too many steps, or happens too often, to be followed. It is left out. */
export class TooManyOccurrences extends CalendarError {
  constructor() {
    super('overlong', 'An event of the calendar takes too long to read.')
  }
}

/** A calendar whose events take too many steps together. It is not read at all. */
export class TooMuchWork extends CalendarError {
  constructor() {
    super('overlong', 'The calendar repeats so many events so often that it takes too long to read.')
  }
}

/**
 * A step is about a tenth of a microsecond: checking whether a rule happens on a day takes one. Six hundred
 * series that repeat on every day of the coming year stay within the budget of a calendar.
 */
const STEPS_OF_CALENDAR = 15_000_000
const STEPS_OF_EVENT = 2_000_000
/** Other requests in the same isolate wait no longer than this and one event. */
const STEPS_BETWEEN_BREAKS = 300_000

/** Limits the steps for reading one calendar, because the clock does not advance while a Worker computes. */
export class StepBudget {
  #left: number
  #leftOfEvent = STEPS_OF_EVENT
  #sinceBreak = 0

  constructor(steps: number = STEPS_OF_CALENDAR) {
    this.#left = steps
  }

  /** Throws TooMuchWork when the calendar took too many steps, TooManyOccurrences when the event did. */
  spend(steps: number): void {
    this.#left -= steps
    this.#leftOfEvent -= steps
    this.#sinceBreak += steps
    // Not `<`: NaN is too much.
    if (!(this.#left >= 0)) throw new TooMuchWork()
    if (!(this.#leftOfEvent >= 0)) throw new TooManyOccurrences()
  }

  /** Await it before each event. It lets other requests run where the events before took long. */
  async nextEvent(): Promise<void> {
    this.#leftOfEvent = STEPS_OF_EVENT
    if (this.#sinceBreak < STEPS_BETWEEN_BREAKS) return
    this.#sinceBreak = 0
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
