import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { everyMigration } from '../../src/local/every-migration.ts'
import { shardOf } from '../../src/platform/db/ids.ts'
import { buildWorker, openRuntime } from '../support/service.ts'
import { sendJson } from './http.ts'
import { type Measured, measure, percentile } from './load.ts'
import type { Swept } from './shard-worker.ts'
import { bookingOf, createSubject, freshStarts } from './subject.ts'
import { table, tellStatuses } from './table.ts'

const COUNTS = [1, 4, 16]
const CLIENTS = 8
const LOAD_SECONDS = 8
const HANGING_SECONDS = 60
/** Longer than any database that hangs is waited for. */
const RECOVERY_MS = 9_000
/** New organizations go to the smallest database, and a new one is smaller than a page. */
const BALLAST_BYTES = 300_000
const MIGRATIONS = resolve(import.meta.dirname, '../../migrations')

/** Somebody who is booked, and where their database is. */
type Target = {
  readonly eventTypeId: string
  readonly shard: number
  readonly starts: Iterator<number, never>
}

type Simulation = {
  readonly url: string
  readonly targets: readonly Target[]
  /** How many bookings each of the targets has, and whether any start has two. */
  audit(): Promise<{ readonly booked: number; readonly doubled: number }>
  stop(): Promise<void>
}

/** Everything that makes the tables, one statement at a time, as a binding takes them. */
function schemaStatements(): string[] {
  const scratch = new DatabaseSync(':memory:')
  scratch.exec(everyMigration(MIGRATIONS))
  const made = scratch
    .prepare(
      `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
       ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'index' THEN 2 WHEN 'view' THEN 3 ELSE 4 END, rowid`,
    )
    .all() as { sql: string }[]
  return made.map(({ sql }) => sql)
}

async function simulate(bundle: string, directory: string, count: number): Promise<Simulation> {
  const names = Array.from({ length: count }, (_, at) => (at === 0 ? 'DB' : `DB_${at}`))
  const d1Databases = Object.fromEntries(names.map((name) => [name, name.toLowerCase()]))
  const state = join(directory, `databases-${count}`)
  const runtime = await openRuntime(bundle, state, [], undefined, { LOG_LINES: 'off' }, { d1Databases })
  const url = (await runtime.ready).origin
  const databases = await Promise.all(names.map((name) => runtime.getD1Database(name)))
  for (const database of databases) {
    await database.batch(
      [...schemaStatements(), 'CREATE TABLE ballast (bytes BLOB)'].map((sql) => database.prepare(sql)),
    )
  }
  const targets: Target[] = []
  for (let made = 0; made < count; made++) {
    const { eventTypeIds } = await createSubject(url, 1)
    const shard = shardOf(eventTypeIds[0]!)
    targets.push({ eventTypeId: eventTypeIds[0]!, shard, starts: freshStarts() })
    await databases[shard]!.prepare(`INSERT INTO ballast VALUES (zeroblob(${BALLAST_BYTES}))`).run()
  }
  return {
    url,
    targets,
    async audit() {
      const each = await Promise.all(
        databases.map((database) =>
          database
            .prepare(
              'SELECT count(*) AS booked, count(*) - count(DISTINCT event_type_id || start_time) AS doubled FROM bookings',
            )
            .first<{ booked: number; doubled: number }>(),
        ),
      )
      const sum = (of: 'booked' | 'doubled') => each.reduce((all, one) => all + one![of], 0)
      return { booked: sum('booked'), doubled: sum('doubled') }
    },
    stop: () => runtime.dispose(),
  }
}

function book(url: string, targets: readonly Target[], clients: number, seconds: number): Promise<Measured> {
  let turn = 0
  const next = () => {
    const { eventTypeId, starts } = targets[turn++ % targets.length]!
    return bookingOf(url, eventTypeId, starts.next().value)
  }
  return measure(next, { concurrency: clients, seconds, most: Number.POSITIVE_INFINITY })
}

const ask = <T>(url: string, path: string) => sendJson<T>({ method: 'GET', url: `${url}/bench/${path}` })
const made = (...loads: readonly Measured[]) =>
  loads.reduce((sum, { statuses }) => sum + (statuses.get(201) ?? 0), 0)

/** Books in one database after another; then one of them hangs for a minute, while all are booked in and swept. */
async function benchOf({ url, targets, audit }: Simulation): Promise<string[]> {
  const warm = await book(url, targets, CLIENTS, 3)
  const load = await book(url, targets, CLIENTS, LOAD_SECONDS)
  const swept = await ask<Swept>(url, 'sweep')
  const rate = `${Math.round(made(load) / (load.totalMs / 1_000))}`
  const shards = new Set(targets.map(({ shard }) => shard)).size
  const plain = [
    String(shards),
    rate,
    percentile(load, 0.99).toFixed(0),
    `${swept.databases} in ${swept.ms} ms`,
  ]
  if (targets.length === 1) return [...plain, '–', '–', '–', '–', '–']

  const { shard } = targets[Math.floor(targets.length / 2)]!
  const own = targets.filter((one) => one.shard === shard)
  const others = targets.filter((one) => one.shard !== shard)
  await ask(url, `hang?database=${shard === 0 ? 'DB' : `DB_${shard}`}`)
  const [ofOwn, ofOthers, meanwhile] = await Promise.all([
    book(url, own, 2, HANGING_SECONDS),
    book(url, others, CLIENTS - 2, HANGING_SECONDS),
    sleep(5_000).then(() => ask<Swept>(url, 'sweep')),
  ])
  await ask(url, 'hang')
  await sleep(RECOVERY_MS)
  const after = await book(url, own, 2, 2)
  const { booked, doubled } = await audit()
  const acknowledged = made(warm, load, ofOwn, ofOthers, after)
  return [
    ...plain,
    tellStatuses(ofOwn),
    `${(percentile(ofOwn, 1) / 1_000).toFixed(1)} s`,
    tellStatuses(ofOthers),
    `${meanwhile.databases} in ${(meanwhile.ms / 1_000).toFixed(1)} s`,
    `${Math.max(0, acknowledged - booked)} and ${doubled}`,
  ]
}

/** How the service does with one database and with several, and with one of several that does not answer. */
export async function benchShards(): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-shards-'))
  const bundle = await buildWorker(join(directory, 'build'), 'test/bench/shard-worker.ts')
  const rows: string[][] = []
  for (const count of COUNTS) {
    const simulation = await simulate(bundle, directory, count)
    rows.push(await benchOf(simulation))
    await simulation.stop()
  }
  await rm(directory, { recursive: true })
  const head = [
    'Databases',
    'Bookings/s',
    'p99, ms',
    'Swept',
    'One hangs: its own',
    'Longest of these',
    'All others',
    'Swept meanwhile',
    'Lost and doubled',
  ]
  return table(head, rows)
}
