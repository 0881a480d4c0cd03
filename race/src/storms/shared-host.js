/** @type {import('./storm.d.ts').Storm} */
export const sharedHost = {
  name: 'shared-host',
  title: 'Two event types share one host',
  needs: ['hosts'],
  async run({ watched, everybody, random, day, minute }) {
    const hosts = [await watched.target.makeHost()]
    const short = await watched.target.makeEventType({ minutes: 30, hosts })
    const long = await watched.target.makeEventType({ minutes: 60, hosts })
    await everybody((person) => {
      const start = day + (8 + random.below(4)) * 60 * minute
      return random.next() < 0.5
        ? watched.book(short, start + random.below(2) * 30 * minute, person)
        : watched.book(long, start, person)
    })
    return { eventTypes: [short, long] }
  },
}
