/** @type {import('./storm.d.ts').Storm} */
export const seats = {
  name: 'seats',
  title: 'A class fills up',
  needs: ['seats'],
  async run({ watched, everybody, random, day, minute }) {
    const eventType = await watched.target.makeEventType({ minutes: 60, seats: 5 })
    await everybody((person) => watched.book(eventType, day + (9 + random.below(3)) * 60 * minute, person))
    return { eventTypes: [eventType] }
  },
}
