/** @type {import('./storm.d.ts').Storm} */
export const cancelAndBook = {
  name: 'cancel-and-book',
  title: 'A booking is cancelled while everybody wants its start',
  needs: ['cancel'],
  async run({ watched, everybody, somebody, day, minute }) {
    const eventType = await watched.target.makeEventType({ minutes: 30 })
    const start = day + 14 * 60 * minute
    const first = await watched.book(eventType, start, somebody())
    await everybody(async (person, at) => {
      if (at % 10 === 0 && first.kind === 'made') await watched.cancel(eventType, first.id)
      const own = await watched.book(eventType, start, person)
      // Some give back what they got.
      if (own.kind === 'made' && at % 3 === 0) await watched.cancel(eventType, own.id)
    })
    return { eventTypes: [eventType], fullUse: false }
  },
}
