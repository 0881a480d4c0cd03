import { setTimeout as sleep } from 'node:timers/promises'

const ATTEMPTS = 3
const PATIENCE_MS = 40
/** How often a target that still works on an earlier attempt is asked again, and how long it is left alone before. */
const REPEATS = 20
const PAUSE_MS = 100

/** @type {import('./storm.d.ts').Storm} */
export const lostAnswers = {
  name: 'lost-answers',
  title: 'Answers are lost, and the same request is sent again',
  needs: ['retries'],
  async run({ watched, everybody, random, day, minute }) {
    const eventType = await watched.target.makeEventType({ minutes: 30, seats: 1 })
    await everybody(async (person, at) => {
      const start = day + at * 30 * minute
      const again = { ...person, retryKey: `${person.email}-${start}` }
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        // Nobody hears these answers, so they count neither as made nor as refused.
        const signal = AbortSignal.timeout(1 + random.below(PATIENCE_MS))
        await watched.target.book(eventType, start, { ...again, signal })
      }
      for (let left = REPEATS; left > 1; left--) {
        if ((await watched.target.book(eventType, start, again)).kind === 'made') break
        await sleep(PAUSE_MS)
      }
      return watched.book(eventType, start, again, 'made')
    })
    return { eventTypes: [eventType] }
  },
}
