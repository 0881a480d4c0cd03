const BOOKINGS_EACH = 4

/** @type {import('./storm.d.ts').Storm} */
export const killAndRestart = {
  name: 'kill-and-restart',
  title: 'The process ends in the middle of a rush',
  needs: ['restart'],
  async run({ watched, everybody, random, somebody, day, minute }) {
    const eventType = await watched.target.makeEventType({ minutes: 30 })
    const enough = 1 + random.below(40)
    let made = 0
    // Its failure is a value until the callers are done, because nothing awaits it before.
    const restart = async () => watched.target.restart?.().catch((/** @type {Error} */ error) => error)
    /** @type {Promise<Error | void | undefined> | undefined} */
    let restarted
    await everybody(async (_, at) => {
      for (let own = 0; own < BOOKINGS_EACH; own++) {
        const start = day + (at * BOOKINGS_EACH + own) * 30 * minute
        const { kind } = await watched.book(eventType, start, somebody())
        if (kind === 'made') made++
        if (made >= enough) restarted ??= restart()
      }
    })
    const failure = await restarted
    if (failure) throw failure
    // Callers who heard nothing may have a booking or not: only what was acknowledged is judged.
    return { eventTypes: [eventType], fullUse: false }
  },
}
