const BOOKED_BEFORE = 12
const TRIED = 24

/** @type {import('./storm.d.ts').Storm} */
export const offeredStarts = {
  name: 'offered-starts',
  title: 'What is offered can be booked, and nothing else',
  needs: ['open', 'cancel'],
  async run({ watched, random, somebody, day, minute }) {
    const eventType = await watched.target.makeEventType({ minutes: 30 })
    for (let count = 0; count < BOOKED_BEFORE; count++) {
      await watched.book(eventType, day + random.below(48) * 30 * minute, somebody())
    }
    for (let tried = 0; tried < TRIED; tried++) {
      const offered = await watched.target.open(eventType, day, day + 24 * 60 * minute)
      if (offered.length === 0) break
      const start = random.pick(offered)
      const booked = await watched.book(eventType, start, somebody(), 'offered')
      if (booked.kind === 'made' && tried % 4 === 0) await watched.cancel(eventType, booked.id)
    }
    return { eventTypes: [eventType], fullUse: false }
  },
}
