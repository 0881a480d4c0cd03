const LENGTHS = [15, 30, 45, 60]

/** @type {import('./storm.d.ts').Storm} */
export const overlappingLengths = {
  name: 'overlapping-lengths',
  title: 'Starts of different lengths overlap',
  needs: ['lengths'],
  async run({ watched, everybody, random, day, minute }) {
    const eventType = await watched.target.makeEventType({ minutes: 15, lengths: LENGTHS })
    await everybody((person) => {
      const start = day + (8 * 60 + 15 * random.below(16)) * minute
      return watched.book(eventType, start, { ...person, minutes: random.pick(LENGTHS) })
    })
    return { eventTypes: [eventType] }
  },
}
