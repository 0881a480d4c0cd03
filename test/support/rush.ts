import { patienceWith } from '../../src/platform/db/patience.ts'
import type { Json } from './app.ts'
import { databaseThrough } from './database-through.ts'
import { serviceWith } from './service-with.ts'

const LOOK_MS = 2
const LONG_MS = 60_000
/** Nobody else comes after so many. */
const MOST_LOOKS = 40
const LOST = 'D1_ERROR: Network connection lost.'

/** What a turn loads a schedule with, or commits. */
function isOfTurn(query: string): boolean {
  return /^\s*(select e\.\*|insert into guard|insert into "guard")/i.test(query)
}

type Trip = {
  /** Which of the commits of more than one command it is, from 0; null if it is another round trip. */
  readonly together: number | null
  readonly queries: readonly string[]
}

/** What happens to a round trip: an answer is lost, or nothing arrives; anything else may happen before it. */
type End = 'before' | 'after' | null
type Meets = (trip: Trip) => End | Promise<End>

/**
 * The service, whose database lets no turn pass before all callers are there, as if it were far away. `meets` says what
 * happens to each round trip.
 */
export function rushedService(meets: Meets = () => null, settings: Json = {}) {
  const trips: Trip[] = []
  let expected = 0
  let together = 0
  const DB = databaseThrough(async (ask, queries) => {
    if (queries.some(isOfTurn)) {
      // Some are answered before a turn.
      let [known, looks] = [0, 0]
      while (known < expected && looks < MOST_LOOKS) {
        await new Promise((go) => setTimeout(go, LOOK_MS))
        looks = service.underWay() === known ? looks + 1 : 0
        known = service.underWay()
      }
      expected = 0
    }
    const trip = { together: bookedIn(queries) > 1 ? together++ : null, queries }
    trips.push(trip)
    const end = await meets(trip)
    if (end === 'before') throw new Error(LOST)
    const answer = await ask()
    if (end === 'after') throw new Error(LOST)
    return answer
  })
  // How fast the machine is does not matter.
  patienceWith(DB, LONG_MS)
  const service = serviceWith({ DB, answerMs: LONG_MS, ...settings })
  return {
    ...service,
    trips,
    /** All at once: nobody is answered before everybody has asked. */
    rush: async <T>(calls: readonly (() => Promise<T>)[]): Promise<T[]> => {
      trips.length = 0
      expected = calls.length
      return Promise.all(calls.map((call) => call()))
    },
  }
}

/** How many bookings or holds are made in a round trip. */
export function bookedIn(queries: readonly string[]): number {
  return queries.filter((query) => /^\s*insert into "(bookings|slot_holds)"/i.test(query)).length
}
