import { join, resolve } from 'node:path'
import type { V4WorkerOptions } from 'miniflare'

const EMPTY = `export default { fetch: () => new Response('ok') }`

const ONE_SELECT = `export default {
  fetch: async (request, env) => Response.json(await env.DB.prepare('SELECT 1').first()),
}`

/** The round trips that a booking cannot do without, and nothing else. */
const FLOOR = `import { DurableObject } from 'cloudflare:workers'

const INSERT = 'INSERT INTO floor (id, at) VALUES (?, ?)'

export class Floor extends DurableObject {
  ask() {}

  async book() {
    const { DB } = this.env
    await DB.batch([DB.prepare('SELECT 1'), DB.prepare('SELECT at FROM floor LIMIT 1')])
    const insert = DB.prepare(INSERT)
    await DB.batch(Array.from({ length: 10 }, () => insert.bind(crypto.randomUUID(), Date.now())))
  }
}

const book = (request, env) => request.method === 'PUT'
  ? env.DB.exec('CREATE TABLE IF NOT EXISTS floor (id TEXT PRIMARY KEY, at INTEGER)')
  : env.FLOOR.getByName('one').book()
`

/** What somebody cannot do without who is told that a slot is taken. */
const ONE_QUESTION = `${FLOOR}
export default {
  async fetch(request, env) {
    await request.text()
    await env.FLOOR.getByName('one').ask()
    return Response.json({}, { status: 409 })
  },
}`

const ONE_OBJECT = `${FLOOR}
export default {
  async fetch(request, env) {
    await book(request, env)
    return Response.json({})
  },
}`

/** The same, and what follows from it: a message, and the letter that its consumer sends. */
const ONE_LETTER = `${FLOOR}
export default {
  async fetch(request, env) {
    await book(request, env)
    if (request.method !== 'PUT') await env.EVENTS.send({ id: crypto.randomUUID() })
    return Response.json({})
  },
  async queue({ messages }, env) {
    const [from, to] = ['floor@example.com', 'ada@example.com']
    const letter = { from, to, subject: 'Booked', text: 'x'.repeat(600), html: '<p>' + 'x'.repeat(3000) }
    await Promise.all(messages.map(() => env.EMAIL.send(letter)))
  },
}`

export const FLOORS = ['empty', 'oneSelect', 'behindFiles', 'oneObject', 'oneLetter', 'everything'] as const

/** What a race is measured beside. */
const RACED = 'oneQuestion'

export const ALL_FLOORS = [...FLOORS, RACED] as const
export type FloorName = (typeof ALL_FLOORS)[number]

/** Those that send a letter when they have answered. */
export const LETTER_FLOORS: readonly FloorName[] = ['oneLetter', 'everything']

const PUBLIC = resolve(import.meta.dirname, '../../public')

/** Workers that do what no service can do without; they run in the same process as what is measured. */
export function floorWorkers(directory: string): V4WorkerOptions[] {
  const worker = (name: FloorName, contents: string) => ({
    name,
    modules: [{ type: 'ESModule' as const, path: join(directory, `${name}.js`), contents }],
    modulesRoot: directory,
    compatibilityDate: '2026-11-01',
    d1Databases: { DB: { id: `DB-${name}` } },
  })
  const assets = {
    directory: PUBLIC,
    routerConfig: { has_user_worker: true, static_routing: { user_worker: ['/*'] } },
  }
  const durableObjects = { FLOOR: { className: 'Floor', useSQLite: true } }
  const letters = (name: FloorName) => ({
    ...worker(name, ONE_LETTER),
    durableObjects,
    queueProducers: { EVENTS: { queueName: name.toLowerCase() } },
    queueConsumers: { [name.toLowerCase()]: { maxBatchSize: 20, maxBatchTimeout: 1 } },
    email: { send_email: [{ name: 'EMAIL' }] },
  })
  return [
    worker('empty', EMPTY),
    worker('oneSelect', ONE_SELECT),
    { ...worker('behindFiles', ONE_SELECT), assets },
    { ...worker(RACED, ONE_QUESTION), durableObjects, assets },
    { ...worker('oneObject', ONE_OBJECT), durableObjects },
    letters('oneLetter'),
    { ...letters('everything'), assets },
  ]
}
