import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
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

  it.each([
    ['have had all migrations', [migrated], true],
    ['lack one', [untilLast], false],
    ['are empty', [''], false],
    ['lack one of them', [migrated, untilLast], false],
    ['are all migrated', [migrated, migrated], true],
  ])('are left to wrangler unless they have had all migrations: they %s', (_, texts, expected) => {
    const state = mkdtempSync(join(tmpdir(), 'holdfast-migrated-'))
    const folder = join(state, 'v3/d1/databases')
    mkdirSync(folder, { recursive: true })
    for (const [index, text] of [...texts, ''].entries()) {
      const file = index === texts.length ? 'metadata.sqlite' : `${index}.sqlite`
      const database = new DatabaseSync(join(folder, file))
      database.exec(text)
      database.close()
    }
    expect(isMigrated(state, FOLDER, texts.length)).toBe(expected)
    expect(isMigrated(state, FOLDER, texts.length + 1)).toBe(false)
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
