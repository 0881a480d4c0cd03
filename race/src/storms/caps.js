/** @type {import('./storm.d.ts').Storm} */
export const caps = {
  name: 'caps',
  title: 'A day has room for so many',
  needs: ['caps'],
  async run({ watched, everybody, day, minute }) {
    const eventType = await watched.target.makeEventType({ minutes: 15, capPerDay: 7 })
    // Starts of their own, so that only the cap is in their way.
    await everybody((person, at) => watched.book(eventType, day + at * 15 * minute, person))
    return { eventTypes: [eventType] }
  },
}
