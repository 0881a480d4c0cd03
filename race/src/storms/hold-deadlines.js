import { setTimeout as sleep } from 'node:timers/promises'

const SPREAD_MS = 400

/** @type {import('./storm.d.ts').Storm} */
export const holdDeadlines = {
  name: 'hold-deadlines',
  title: 'Holds are confirmed at their deadline, others wait for the start',
  needs: ['holds'],
  async run({ watched, everybody, random, somebody, day, minute }) {
    const eventType = await watched.target.makeEventType({ minutes: 30 })
    /** @type {Promise<unknown>[]} */
    const acts = []
    await everybody(async (person, at) => {
      const start = day + at * 30 * minute
      const hold = await watched.hold(eventType, start)
      if (hold.kind !== 'made') return
      const deadline = 'expiresAt' in hold && hold.expiresAt ? hold.expiresAt : Date.now()
      const around = () => Math.max(0, deadline - Date.now() + (random.next() - 0.5) * SPREAD_MS)
      acts.push(
        sleep(around()).then(() => watched.confirm(eventType, start, hold.id, person)),
        sleep(around()).then(() => watched.book(eventType, start, somebody())),
      )
    })
    await Promise.all(acts)
    return { eventTypes: [eventType], fullUse: false }
  },
}
