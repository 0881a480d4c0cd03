/** @type {import('./storm.d.ts').Storm} */
export const oneStart = {
  name: 'one-start',
  title: 'Everybody books one start',
  needs: [],
  async run({ watched, everybody, day, minute }) {
    const eventType = await watched.target.makeEventType({ minutes: 30 })
    const start = day + 10 * 60 * minute
    await everybody((person) => watched.book(eventType, start, person))
    return { eventTypes: [eventType] }
  },
}
