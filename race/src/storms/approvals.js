/** @type {import('./storm.d.ts').Storm} */
export const approvals = {
  name: 'approvals',
  title: 'Requests that overlap are approved at once',
  needs: ['approval', 'hosts'],
  async run({ watched, everybody, random, day, minute }) {
    const hosts = [await watched.target.makeHost()]
    const asks = await watched.target.makeEventType({ minutes: 30, hosts, approval: true })
    const books = await watched.target.makeEventType({ minutes: 60, hosts })
    const hour = () => day + (8 + random.below(8)) * 60 * minute
    await everybody(async (person, at) => {
      if (at % 2 === 1) return watched.book(books, hour(), person)
      const request = await watched.book(asks, hour() + random.below(2) * 30 * minute, person)
      return request.kind === 'made' && watched.approve(asks, request.id)
    })
    return { eventTypes: [asks, books] }
  },
}
