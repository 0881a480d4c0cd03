import { env } from 'cloudflare:workers'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import fences from '../../docs/fences.md?raw'
import { MAX_HOLD_MS } from '../../src/scheduling/longest-hold.ts'

const modules: Record<string, Record<string, unknown>> = import.meta.glob('../../src/db/schema/*.ts', {
  eager: true,
})
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

describe('the fences of holds', () => {
  it('take no hold to be longer than the service does', async () => {
    const fences = await rowsOf<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'holds'",
    )
    const lengths = fences.flatMap(({ sql }) => sql.match(/\b\d{5,}\b/g) ?? []).map(Number)
    expect(lengths.length).toBeGreaterThan(1)
    expect([...new Set(lengths)]).toEqual([MAX_HOLD_MS])
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
