import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { databaseFile } from '../../src/local/database-files.ts'
import { localDatabases } from '../../src/local/databases.ts'
import { everyMigration } from '../../src/local/every-migration.ts'
import { isMigrated } from '../../src/local/is-migrated.ts'

const FOLDER = resolve(import.meta.dirname, '../../migrations')
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .sort()

/** What `sha256sum` prints for each migration that a release contains. */
const released = readFileSync(join(FOLDER, 'released.sha256'), 'utf8').trimEnd().split('\n')

function line(name: string): string {
  const hash = createHash('sha256').update(readFileSync(join(FOLDER, name)))
  return `${hash.digest('hex')}  ${name}`
}

describe('a migration that was released', () => {
  it('never changes: databases that ran it will not run it again, so a new migration makes the change', () => {
    expect(released.map((each) => line(each.split('  ')[1]!))).toEqual(released)
  })

  it('comes before those that were not: a release adds theirs with (cd migrations && sha256sum *.sql > released.sha256)', () => {
    expect(files.slice(0, released.length)).toEqual(released.map((each) => each.split('  ')[1]))
  })
})

describe('migrations', () => {
  it('have a number each, which is their place', () => {
    const numbers = files.map((name) => /^\d{4}(?=_)/.exec(name)?.[0])
    expect(numbers).not.toContain(undefined)
    expect(new Set(numbers).size).toBe(files.length)
  })
})

describe('the databases of npm start', () => {
  const migrated = everyMigration(FOLDER)
  const untilLast = migrated.slice(0, migrated.lastIndexOf('INSERT INTO d1_migrations'))

  /** Databases of these names, on which these texts were run. */
  const stateWith = (databases: Readonly<Record<string, string>>) => {
    const state = mkdtempSync(join(tmpdir(), 'holdfast-migrated-'))
    for (const [name, text] of Object.entries(databases)) {
      const file = databaseFile(state, name)
      mkdirSync(dirname(file), { recursive: true })
      const database = new DatabaseSync(file)
      database.exec(text)
      database.close()
    }
    return state
  }

  it.each([
    ['have had all migrations', { DB: migrated }, true],
    ['lack one', { DB: untilLast }, false],
    ['are empty', { DB: '' }, false],
    ['lack one of them', { DB: migrated, DB_1: untilLast }, false],
    ['are all migrated', { DB: migrated, DB_1: migrated }, true],
  ])('are left to wrangler unless they have had all migrations: they %s', (_, databases, expected) => {
    const state = stateWith(databases)
    const files = Object.keys(databases).map((name) => databaseFile(state, name))
    expect(isMigrated(files, FOLDER)).toBe(expected)
    expect(isMigrated([...files, databaseFile(state, 'DB_2')], FOLDER)).toBe(false)
    rmSync(state, { recursive: true })
  })

  it('are those that wrangler.toml names now: one that is given its id begins without a table', () => {
    const state = stateWith({ DB: migrated, DB_1: migrated })
    const areMigrated = (...databases: readonly string[]) => {
      const file = join(state, 'wrangler.toml')
      writeFileSync(file, databases.map((lines) => `[[d1_databases]]\n${lines}\n`).join(''))
      return isMigrated(localDatabases(file, state), FOLDER)
    }
    expect(areMigrated('binding = "DB"')).toBe(true)
    expect(areMigrated('binding = "DB"', 'binding = "DB_1"')).toBe(true)
    expect(areMigrated('binding = "DB"', 'binding = "DB_2"')).toBe(false)
    expect(areMigrated('binding = "DB"\ndatabase_id = "5f7cf30e-5a37-4c5e-9d6f-0c7b9b1f4d11"')).toBe(false)
    rmSync(state, { recursive: true })
  })
})

describe('an export of a database', () => {
  const open = (text: string) => {
    const database = new DatabaseSync(':memory:')
    database.exec(text)
    return database
  }
  /** In the order of `wrangler d1 export`: triggers before views. */
  const exported = (database: DatabaseSync) =>
    database
      .prepare(
        `SELECT sql || ';' AS text FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'
         ORDER BY type <> 'table', type, name`,
      )
      .all()
      .map(({ text }) => `${text}\n`)

  it('is taken in by another one after the line that the guide to operating moves a shard with', () => {
    const guide = readFileSync(join(FOLDER, '../docs/operating.md'), 'utf8')
    const program = /^awk '(.+)' shard\.sql/m.exec(guide)![1]!
    const texts = exported(open(everyMigration(FOLDER)))
    expect(() => open(texts.join(''))).toThrow('no such table')
    const ordered = execFileSync('awk', [program], { input: texts.join(''), encoding: 'utf8' })
    expect(exported(open(ordered))).toEqual(texts)
  })
})
