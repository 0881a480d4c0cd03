import { CalendarError } from '../calendar/calendar-client.ts'

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
 * A step is about a tenth of a microsecond: to look whether a rule happens on a day takes one. Six hundred
 * series that repeat every day of the year to come are within what a calendar may take.
 */
const STEPS_OF_CALENDAR = 15_000_000
const STEPS_OF_EVENT = 2_000_000
/** Others in the same isolate wait no longer than this and one event. */
const STEPS_BETWEEN_BREAKS = 300_000

/**
 * What all that is read of one calendar at one time may take, however its owner spreads it over events. Time itself
 * would be no measure: it stands still while a Worker computes.
 */
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
    // Not `<`: what is no number is too much.
    if (!(this.#left >= 0)) throw new TooMuchWork()
    if (!(this.#leftOfEvent >= 0)) throw new TooManyOccurrences()
  }

  /** To be awaited before each event. Others have their turn where those before took long. */
  async nextEvent(): Promise<void> {
    this.#leftOfEvent = STEPS_OF_EVENT
    if (this.#sinceBreak < STEPS_BETWEEN_BREAKS) return
    this.#sinceBreak = 0
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
