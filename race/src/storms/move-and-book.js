/** @type {import('./storm.d.ts').Storm} */
export const moveAndBook = {
  name: 'move-and-book',
  title: 'Bookings move to a start that others book',
  needs: ['move'],
  async run({ watched, everybody, random, somebody, day, minute }) {
    const eventType = await watched.target.makeEventType({ minutes: 30 })
    /** @type {string[]} */
    const ids = []
    for (let at = 0; at < 6; at++) {
      const booked = await watched.book(eventType, day + (60 + 30 * at) * minute, somebody())
      if (booked.kind === 'made') ids.push(booked.id)
    }
    await everybody((person, at) => {
      const start = day + (12 * 60 + 30 * random.below(4)) * minute
      const id = at % 2 === 0 ? random.pick(ids) : undefined
      return id ? watched.move(eventType, id, start) : watched.book(eventType, start, person)
    })
    return { eventTypes: [eventType], fullUse: false }
  },
}
