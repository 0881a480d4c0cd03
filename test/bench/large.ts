import { availabilityRunners, EVENT_TYPES } from './availability.ts'
import { bookingRunners } from './booking.ts'
import { type Compared, compare, type Runner } from './compare.ts'
import type { Count } from './counted-worker.ts'
import { sendJson } from './http.ts'
import { median } from './load.ts'
import { race } from './racers.ts'
import type { Service } from './service.ts'
import { createSubject, freshStarts } from './subject.ts'
import { table } from './table.ts'

const ROUNDS = 5
const RACES = 5
const COUNTED = 10

/**
 * What was measured before, in an organization that has only just begun and in one after 100,000 bookings: two
 * services, which take turns.
 */
export async function benchLarge(open: () => Promise<Service>): Promise<string[]> {
  const services = [await open(), await open()] as const
  const subjects = await Promise.all(services.map(({ url }) => createSubject(url, EVENT_TYPES)))
  const began = performance.now()
  await sendJson({
    method: 'POST',
    url: `${services[1].url}/bench/history?event_type_id=${subjects[1]!.eventTypeIds[0]}`,
  })
  const filled = ((performance.now() - began) / 1_000).toFixed(0)

  const runners = await Promise.all(
    services.map(async (service, at) => [
      ...bookingRunners(service, subjects[at]!),
      ...(await availabilityRunners(service, subjects[at]!)),
    ]),
  )
  const rows: string[][] = []
  for (const [at, small] of runners[0]!.entries()) {
    const pair: readonly Runner[] = [
      { ...small, name: 'small' },
      { ...runners[1]![at]!, name: 'large' },
    ]
    const [, large] = (await compare(pair, ROUNDS)) as [Compared, Compared]
    const [low, middle, high] = large.ratios.small!.map((ratio) => ratio.toFixed(2)) as [
      string,
      string,
      string,
    ]
    rows.push([
      large.failures ? `${small.name} (${large.failures})` : small.name,
      `${middle} (${low}–${high})`,
    ])
  }
  rows.push([
    '500 racers, small divided by large',
    await compareRaces(
      services,
      subjects.map(({ eventTypeIds }) => eventTypeIds[2]!),
    ),
  ])
  const counts = await countBoth(services, runners)
  await Promise.all(services.map((service) => service.stop()))
  const head = `Rate with 100,000 bookings, 1,000 event types and 50,000 entries (filled in ${filled} s), divided by that of a new organization`
  return [...table([head, 'Median (quartiles)'], rows), '', ...table(COUNTED_HEAD, counts)]
}

const COUNTED_HEAD = [
  'What the database is asked, new organization → with 100,000 bookings',
  'Round trips',
  'Rows read',
  'Rows written',
]

/** The same requests in both, one after another, until all that follows from them is out. */
async function countBoth(
  services: readonly Service[],
  runners: readonly (readonly Runner[])[],
): Promise<string[][]> {
  const rows: string[][] = []
  for (const [at, { name }] of runners[0]!.entries()) {
    const counted: Count[] = []
    for (const [of, service] of services.entries()) {
      const { next, prepare, settle } = runners[of]![at]!
      await sendJson(next())
      await settle?.()
      await prepare?.()
      const count = await service.count(async () => {
        for (let asked = 0; asked < COUNTED; asked++) await sendJson(next())
        await settle?.()
      })
      counted.push(count)
    }
    const both = (of: keyof Count) => counted.map((count) => (count[of] / COUNTED).toFixed(1)).join(' → ')
    rows.push([name, both('roundTrips'), both('rowsRead'), both('rowsWritten')])
  }
  return rows
}

async function compareRaces(services: readonly Service[], eventTypeIds: readonly string[]): Promise<string> {
  const starts = services.map(() => freshStarts())
  const ratios: number[] = []
  for (let round = 0; round <= RACES; round++) {
    const seconds: number[] = []
    for (const [at, service] of services.entries()) {
      seconds.push((await race(service.url, eventTypeIds[at]!, starts[at]!)).totalMs)
      await service.untilQuiet()
    }
    if (round > 0) ratios.push(seconds[0]! / seconds[1]!)
  }
  ratios.sort((a, b) => a - b)
  return `${median(ratios).toFixed(2)} (${ratios[1]!.toFixed(2)}–${ratios.at(-2)!.toFixed(2)})`
}
