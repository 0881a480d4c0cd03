import { type Measured, measure, median } from './load.ts'
import type { Service } from './service.ts'
import { bookingOf, createSubject, freshStarts } from './subject.ts'
import { table, tellStatuses } from './table.ts'

const RACERS = 500
const ROUNDS = 5
const ALL_AT_ONCE = { concurrency: RACERS, seconds: 60, most: RACERS }

/** All at once, over connections that are open already, on a slot next to those that were raced for before. */
export async function race(url: string, eventTypeId: string, starts: Iterator<number>): Promise<Measured> {
  const start = starts.next().value as number
  return measure(() => bookingOf(url, eventTypeId, start), ALL_AT_ONCE)
}

export async function benchRacers(service: Service): Promise<string[]> {
  const { url, floors, untilQuiet } = service
  const { eventTypeIds } = await createSubject(url, 1)
  const [eventTypeId] = eventTypeIds as [string]
  const starts = freshStarts()
  const [races, refusals]: [Measured[], Measured[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const raced = await race(url, eventTypeId, starts)
    await untilQuiet()
    const refused = await race(floors.oneQuestion, eventTypeId, starts)
    // The first round only warms up.
    if (round > 0) {
      races.push(raced)
      refusals.push(refused)
    }
  }
  // One that is counted waits for nobody's letters, or they would be counted too.
  const { roundTrips, rowsRead } = await service.count(() => race(url, eventTypeId, starts))
  const told = `${RACERS} parallel \`POST /v1/bookings\` on one slot (${tellStatuses(races[0]!)})`
  return table(
    ['Race', 'Seconds in all, median (least–most)', 'Round trips of all', 'Rows read by all'],
    [
      [
        `${RACERS} at a Worker with one object call, with static files beside it`,
        secondsOf(refusals),
        '–',
        '–',
      ],
      [told, secondsOf(races), String(roundTrips), String(rowsRead)],
    ],
  )
}

function secondsOf(races: readonly Measured[]): string {
  const seconds = races.map(({ totalMs }) => totalMs / 1_000).sort((a, b) => a - b)
  return `${median(seconds).toFixed(2)} (${seconds[0]!.toFixed(2)}–${seconds.at(-1)!.toFixed(2)})`
}
