import { availableParallelism } from 'node:os'
import { benchAvailability } from './availability.ts'
import { benchBooking, countBooking } from './booking.ts'
import { benchCalendars } from './calendars.ts'
import { benchCost } from './cost.ts'
import { benchHeap } from './heap.ts'
import { benchHours } from './hours.ts'
import { closeConnections } from './http.ts'
import { benchImport } from './import.ts'
import { benchLarge } from './large.ts'
import { benchNewcomer } from './newcomer.ts'
import { benchPaint } from './paint.ts'
import { benchPeer } from './peer.ts'
import { benchRacers } from './racers.ts'
import { benchRush } from './rush.ts'
import { buildOnce, type Service } from './service.ts'
import { benchShards } from './shards.ts'
import { benchSlots } from './slots.ts'
import { benchStartUp } from './start-up.ts'
import { benchTeams } from './teams.ts'
import { benchWebhooks } from './webhooks.ts'

type Part = (open: Awaited<ReturnType<typeof buildOnce>>['open']) => Promise<string[]>

/** Each with a service of its own, so that none meets what another one left behind. */
const alone =
  (bench: (service: Service) => Promise<string[]>): Part =>
  async (open) => {
    const service = await open()
    try {
      return await bench(service)
    } finally {
      await service.stop()
    }
  }

const PARTS: Readonly<Record<string, Part>> = {
  availability: alone(benchAvailability),
  booking: alone(benchBooking),
  counts: alone(countBooking),
  racers: alone(benchRacers),
  rush: benchRush,
  newcomer: alone(benchNewcomer),
  hours: alone(benchHours),
  slots: async () => benchSlots(),
  teams: benchTeams,
  heap: benchHeap,
  shards: () => benchShards(),
  startup: () => benchStartUp(),
  webhooks: () => benchWebhooks(),
  calendars: (open) => benchCalendars(open),
  large: benchLarge,
  paint: alone(benchPaint),
  peer: alone(benchPeer),
  cost: (open) => alone(benchCost)(() => open({ BILLED: 'on', LOG_LINES: 'on' })),
  import: benchImport,
}

/** These take as long as all the others together, or need a browser. */
const ONLY_WHEN_ASKED = ['rush', 'large', 'shards', 'paint', 'import', 'peer', 'cost', 'teams', 'heap']

const named = process.argv.slice(2)
const wanted = named.length > 0 ? named : Object.keys(PARTS).filter((name) => !ONLY_WHEN_ASKED.includes(name))
const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}.`)
  process.exit(1)
}

const build = await buildOnce()
console.log(`Eight clients, ${availableParallelism()} processors shared with them.`)
for (const [name, bench] of Object.entries(PARTS)) {
  if (!wanted.includes(name)) continue
  const began = performance.now()
  const lines = await bench(build.open)
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(`\n\`npm run bench -- ${name}\`, ${seconds} s\n\n${lines.join('\n')}`)
}
closeConnections()
await build.remove()
