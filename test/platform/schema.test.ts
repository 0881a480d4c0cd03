import { env } from 'cloudflare:workers'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import fences from '../../docs/fences.md?raw'
import { MAX_HOLD_MS } from '../../src/core/longest-hold.ts'
import { FORTNIGHT_MS } from '../../src/engine/schedule/taken/read-times.ts'
import { amount, chance, SEED } from '../support/chance.ts'
import { unique } from '../support/factories.ts'

const modules: Record<string, Record<string, unknown>> = import.meta.glob(
  '../../src/platform/db/schema/*.ts',
  {
    eager: true,
  },
)
const tables = Object.values(modules)
  .flatMap((exported) => Object.values(exported))
  .filter((value): value is SQLiteTable => is(value, SQLiteTable))
  .map(getTableConfig)

async function rowsOf<Row>(query: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(query)
    .bind(...values)
    .all<Row>()
  return results
}

describe('the tables', () => {
  it('are those that the migrations make', async () => {
    const made = await rowsOf<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
    )
    const others = ['d1_migrations', 'posted_letters']
    const names = made.map(({ name }) => name).filter((name) => !others.includes(name))
    expect(names.sort()).toEqual(tables.map(({ name }) => name).sort())
  })

  it.each(tables.map((table) => [table.name, table] as const))(
    'have the columns and indexes that the migrations give them: %s',
    async (name, { columns, indexes }) => {
      const made = await rowsOf<{ name: string; type: string; notnull: number }>(
        'SELECT name, type, "notnull" FROM pragma_table_info(?)',
        name,
      )
      const told = columns.map((column) => `${column.name} ${column.getSQLType()} ${column.notNull}`)
      expect(
        made.map((each) => `${each.name} ${each.type.toLowerCase()} ${each.notnull === 1}`).sort(),
      ).toEqual(told.sort())
      const indexed = await rowsOf<{ name: string; unique: number; partial: number }>(
        `SELECT name, "unique", partial FROM pragma_index_list(?) WHERE origin = 'c'`,
        name,
      )
      const wanted = indexes.map(({ config }) => [config.name, config.unique, config.where !== undefined])
      const unique = columns.filter((column) => column.isUnique).map((column) => column.uniqueName)
      const found = indexed
        .filter((each) => !unique.includes(each.name))
        .map((each) => [each.name, each.unique === 1, each.partial === 1])
      expect(found.sort()).toEqual(wanted.sort())
    },
  )
})

type Held = {
  readonly resource: string
  readonly keptBy: string
  readonly start: number
  readonly end: number
}

function insertHold({ resource, keptBy, start, end }: Held) {
  return env.DB.prepare(
    'INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, kept_by, meets_at) VALUES (?, ?, ?, ?, ?, ?)',
  )
    .bind(resource, start, end, unique('holder'), keptBy, start)
    .run()
}

describe('the fences of holds', () => {
  it('take no hold to be longer than the service does, and no fortnight', async () => {
    const fences = await rowsOf<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'holds' ORDER BY name LIKE 'holds_unpack_%'",
    )
    const lengths = fences.flatMap(({ sql }) => sql.match(/\b\d{5,}\b/g) ?? []).map(Number)
    expect([...new Set(lengths)]).toEqual([MAX_HOLD_MS, FORTNIGHT_MS])
  })

  it('refuse exactly the holds that overlap another of their resource', async () => {
    const { below, pick } = chance(SEED)
    const resources = [unique('resource'), unique('resource')]
    const taken: Held[] = []
    for (let turn = 0; turn < amount(100, 5_000); turn += 1) {
      const start = below(60)
      const held = {
        resource: pick(resources),
        keptBy: pick(['', 'other']),
        start,
        end: start + 1 + below(6),
      }
      const overlaps = taken.some(
        (one) =>
          one.resource === held.resource &&
          one.keptBy === held.keptBy &&
          one.start < held.end &&
          one.end > held.start,
      )
      const refused = await insertHold(held).then(
        () => null,
        (error: Error) => error.message,
      )
      if (overlaps) expect(refused, JSON.stringify([held, taken])).toContain('SLOT_TAKEN')
      else expect(refused, JSON.stringify([held, taken])).toBeNull()
      if (!overlaps) taken.push(held)
    }
    expect(taken.length).toBeGreaterThan(20)
  })

  it('read as much for a full day as for an empty one', async () => {
    const resource = unique('resource')
    const first = await insertHold({ resource, keptBy: '', start: 0, end: 1 })
    for (let start = 1; start < 40; start += 1) {
      await insertHold({ resource, keptBy: '', start, end: start + 1 })
    }
    const last = await insertHold({ resource, keptBy: '', start: 40, end: 41 })
    expect(last.meta.rows_read - first.meta.rows_read).toBeLessThan(3)
  })
})

describe('the list of the fences', () => {
  it('names every trigger once, and none that is not there', async () => {
    // The tests themselves make one, to see what was posted.
    const triggers = await rowsOf<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql NOT LIKE '%posted_letters%'",
    )
    const listed = [...fences.matchAll(/^\| `([a-z_]+)` +\| \S.*\| \S.*\|$/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual(triggers.map(({ name }) => name).sort())
  })
})
