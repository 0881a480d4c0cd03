import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

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
