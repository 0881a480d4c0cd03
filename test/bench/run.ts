import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWorker, migrateState, openRuntime } from '../support/service.ts'
import { addHosts, freeBookings } from './hosts.ts'
import { closeConnections, type Request, sendJson } from './http.ts'
import { type Measured, measure } from './load.ts'
import { benchSlots } from './slots.ts'
import { bookingOf, createSubject, freshStarts, monthOf } from './subject.ts'
import { TABLE_HEAD, tableRow, tellStatuses } from './table.ts'
import { benchWebhooks } from './webhooks.ts'

const CONCURRENCY = 8
const STAMPEDE = 500
const SPREAD = 20
const WARM_UP = { concurrency: CONCURRENCY, seconds: 2, most: 200 }
const FULL = { concurrency: CONCURRENCY, seconds: 5, most: Number.POSITIVE_INFINITY }
const HOSTS = [1, 10, 50]
/** There are some 300 free times among those that a host is busy at. */
const NEAR = { ...FULL, most: 180 }
/** A key of the largest plan may call 2,000 times a minute. */
const WITH_KEY = { ...FULL, most: 1_500 }

const EMPTY = `export default { fetch: () => new Response('ok') }`
const ONE_SELECT = `export default {
  fetch: async (request, env) => Response.json(await env.DB.prepare('SELECT 1').first()),
}`

const directory = await mkdtemp(join(tmpdir(), 'bench-'))
const bundle = await buildWorker(join(directory, 'build'), 'test/bench/counted-worker.ts')
await migrateState(directory)

const plain = (name: string, contents: string) => ({
  name,
  modules: [{ type: 'ESModule' as const, path: join(directory, `${name}.js`), contents }],
  modulesRoot: directory,
  compatibilityDate: '2026-11-01',
  d1Databases: { DB: { id: 'DB' } },
})
const runtime = await openRuntime(bundle, directory, [plain('empty', EMPTY), plain('one-select', ONE_SELECT)])
const urlOf = async (name: string) => (await runtime.unsafeGetDirectURL(name)).origin
const [service, empty, oneSelect] = await Promise.all(['holdfast', 'empty', 'one-select'].map(urlOf))
const roundTrips = () => sendJson<number>({ method: 'GET', url: `${service}/bench/round-trips` })

const { key, eventTypeIds } = await createSubject(service!, SPREAD + 3 + HOSTS.length)
const hosted = eventTypeIds.slice(SPREAD + 3)
const [single, keyed, stormed, ...spread] = eventTypeIds.slice(0, SPREAD + 3) as [
  string,
  string,
  string,
  ...string[],
]
const starts = freshStarts()
let turn = 0
const month = await sendJson<{ slots: unknown[] }>(monthOf(service!, single))
const openSlots = month.slots.length

async function row(name: string, next: () => Request, clients = FULL, known?: number): Promise<string> {
  await measure(next, { ...WARM_UP, most: Math.min(WARM_UP.most, clients.most / 2) })
  const before = await roundTrips()
  const measured = await measure(next, clients)
  const isFailed = [...measured.statuses.keys()].some((status) => status >= 300)
  const told = isFailed ? `${name} (${tellStatuses(measured)})` : name
  const taken = known === undefined ? (await roundTrips()) - before : known * measured.requests
  return tableRow({ name: told, measured, roundTrips: taken })
}

/** All at once, over connections that are open already, on a slot next to one that was stormed before. */
async function stampede(): Promise<string> {
  const all = { concurrency: STAMPEDE, seconds: 60, most: STAMPEDE }
  const storm = (start: number): Promise<Measured> => measure(() => bookingOf(service!, stormed, start), all)
  await storm(starts.next().value)
  const before = await roundTrips()
  const measured = await storm(starts.next().value)
  const told = `${tellStatuses(measured)}; ${(measured.totalMs / 1_000).toFixed(2)} s in all`
  const name = `${STAMPEDE} parallel \`POST /v1/bookings\` on one slot (${told})`
  return tableRow({ name, measured, roundTrips: (await roundTrips()) - before })
}

async function hostRows(count: number, eventTypeId: string): Promise<string[]> {
  await addHosts(service!, key, eventTypeId, count)
  const bookings = freeBookings(service!, eventTypeId)
  const told = `${count} host${count === 1 ? '' : 's'} with 200 bookings${count === 1 ? '' : ' each'}`
  return [
    await row(`\`GET /v1/availability\`, a month, ${told}`, () => monthOf(service!, eventTypeId)),
    await row(`\`POST /v1/bookings\`, ${told}`, () => bookings.next().value, NEAR),
  ]
}

const [, , chosen] = process.argv
const general = async () => [
  await row('An empty Worker', () => ({ method: 'GET', url: empty! }), FULL, 0),
  await row('A Worker with one D1 `SELECT 1`', () => ({ method: 'GET', url: oneSelect! }), FULL, 1),
  await row(`\`GET /v1/availability\`, a month, ${openSlots.toLocaleString('en')} open slots`, () =>
    monthOf(service!, single),
  ),
  await row('`POST /v1/bookings`, one event type', () => bookingOf(service!, single, starts.next().value)),
  await row(`\`POST /v1/bookings\`, ${SPREAD} event types`, () => {
    turn = (turn + 1) % spread.length
    return bookingOf(service!, spread[turn]!, starts.next().value)
  }),
  await row(
    '`POST /v1/bookings` with an API key, one event type',
    () => bookingOf(service!, keyed, starts.next().value, key),
    WITH_KEY,
  ),
  await stampede(),
]
const rows = chosen === 'hosts' ? [] : await general()
for (const [at, count] of HOSTS.entries()) rows.push(...(await hostRows(count, hosted[at]!)))
closeConnections()
await runtime.dispose()
await rm(directory, { recursive: true })

console.log(
  `\`npm run bench\`: ${CONCURRENCY} clients, ${availableParallelism()} processors shared with them.\n`,
)
console.log([...TABLE_HEAD, ...rows].join('\n'))
if (chosen !== 'hosts') {
  console.log(`\n${benchSlots().join('\n')}`)
  console.log(`\n${(await benchWebhooks()).join('\n')}`)
}
