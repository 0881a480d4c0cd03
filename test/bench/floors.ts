import { join } from 'node:path'
import type { V4WorkerOptions } from 'miniflare'

const EMPTY = `export default { fetch: () => new Response('ok') }`

const ONE_SELECT = `export default {
  fetch: async (request, env) => Response.json(await env.DB.prepare('SELECT 1').first()),
}`

/** The round trips that a booking cannot do without, and nothing else. */
const ONE_OBJECT = `import { DurableObject } from 'cloudflare:workers'

const INSERT = 'INSERT INTO floor (id, at) VALUES (?, ?)'

export class Floor extends DurableObject {
  async book() {
    const { DB } = this.env
    await DB.batch([DB.prepare('SELECT 1'), DB.prepare('SELECT at FROM floor LIMIT 1')])
    const insert = DB.prepare(INSERT)
    await DB.batch(Array.from({ length: 10 }, () => insert.bind(crypto.randomUUID(), Date.now())))
  }
}

export default {
  async fetch(request, env) {
    if (request.method === 'PUT') await env.DB.exec('CREATE TABLE IF NOT EXISTS floor (id TEXT PRIMARY KEY, at INTEGER)')
    else await env.FLOOR.getByName('one').book()
    return Response.json({})
  },
}`

export type FloorName = 'empty' | 'oneSelect' | 'oneObject'

/** Workers that do what no service can do without; they run in the same process as what is measured. */
export function floorWorkers(directory: string): V4WorkerOptions[] {
  const worker = (name: FloorName, contents: string) => ({
    name,
    modules: [{ type: 'ESModule' as const, path: join(directory, `${name}.js`), contents }],
    modulesRoot: directory,
    compatibilityDate: '2026-11-01',
    d1Databases: { DB: { id: `DB-${name}` } },
  })
  return [
    worker('empty', EMPTY),
    worker('oneSelect', ONE_SELECT),
    {
      ...worker('oneObject', ONE_OBJECT),
      durableObjects: { FLOOR: { className: 'Floor', useSQLite: true } },
    },
  ]
}
