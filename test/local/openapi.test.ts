import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiDiff, type Diff } from 'api-smart-diff'
import { beforeAll, describe, expect, it } from 'vitest'
import { callsOf } from '../../src/local/reference/described.ts'
import { referenceOf } from '../../src/local/reference/reference.ts'
import { searchIndexOf } from '../../src/local/reference/search-index.ts'

/** Tests change it anywhere. */
type Document = any

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const released: Document = JSON.parse(readFileSync(`openapi/${version}.json`, 'utf8'))

/**
 * Clients must accept fields, values and variants of answers that they do not know, as the docs say. What an answer no longer has,
 * or has as another type, breaks them; so does whatever else breaks a request.
 */
function isBreak({ type, action, path }: Diff): boolean {
  if (type !== 'breaking') return false
  const isSent = path[0] === 'paths' ? !path.includes('responses') : String(path[2]).endsWith('Input')
  if (isSent) return true
  return action === 'remove'
    ? !path.slice(-3, -1).includes('anyOf')
    : action === 'replace' && path.at(-1) === 'type'
}

function breaksOf(document: Document, before: Document = released): string[] {
  return apiDiff(before, document)
    .filter(isBreak)
    .map(({ action, path }) => `${action} ${path.join('/')}`)
}

/** A few endpoints of it and what they refer to: comparing all of them takes seconds. */
const few: Document = (() => {
  const paths = pick(released.paths, ['/v1/availability', '/v1/holds', '/v1/event-types', '/v1/bookings'])
  const names = new Set<string>()
  const follow = (part: unknown) => {
    for (const [, name] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (names.has(name!)) continue
      names.add(name!)
      follow(released.components.schemas[name!])
    }
  }
  follow(paths)
  return {
    ...released,
    paths,
    components: { ...released.components, schemas: pick(released.components.schemas, names) },
  }
})()

function pick(from: Document, names: Iterable<string>): Document {
  return Object.fromEntries([...names].map((name) => [name, from[name]]))
}

describe('the OpenAPI document', () => {
  let current: Document
  beforeAll(() => {
    const directory = mkdtempSync(join(tmpdir(), 'openapi-'))
    const file = join(directory, 'openapi.json')
    execFileSync(process.execPath, ['src/local/dump-openapi.ts', file])
    current = JSON.parse(readFileSync(file, 'utf8'))
    rmSync(directory, { recursive: true })
  }, 60_000)

  it('breaks no client of the released version', () => {
    expect(breaksOf(current)).toEqual([])
  })

  it('is in the reference in short, and in the index of its search: otherwise run npm run reference', () => {
    const [reference, index] = ['public/docs/reference.md', 'public/assets/docs-index.json'].map((file) =>
      readFileSync(file, 'utf8'),
    )
    expect(reference === referenceOf(current)).toBe(true)
    expect(index === searchIndexOf(current)).toBe(true)
    for (const { operation } of callsOf(current)) {
      expect(reference).toContain(`\n### ${operation.summary}\n`)
      expect(index).toContain(`"/docs/reference#/operations/${operation.operationId}"`)
    }
  })

  it.each<[what: string, change: (document: Document) => unknown]>([
    ['an endpoint that is gone', ({ paths }) => delete paths['/v1/availability']],
    [
      'a field of an answer that is gone',
      ({ components }) => delete components.schemas.EventType.properties.title,
    ],
    [
      'a field that must be sent',
      ({ components }) => components.schemas.CreateBookingInput.required.push('notes'),
    ],
    [
      'a field of another type',
      ({ components }) => {
        components.schemas.EventType.properties.title = { type: 'integer' }
      },
    ],
    ['a value that is no longer accepted', ({ components }) => components.schemas.HostChoice.enum.pop()],
  ])('is refused with %s', (_, change) => {
    const document = structuredClone(few)
    change(document)
    expect(breaksOf(document, few)).not.toEqual([])
  })

  it.each<[what: string, change: (document: Document) => unknown]>([
    [
      'a further endpoint',
      ({ paths }) => {
        paths['/v1/further'] = { get: { responses: { 200: { description: 'More.' } } } }
      },
    ],
    [
      'a field that may be sent',
      ({ components }) => {
        components.schemas.CreateBookingInput.properties.further = { type: 'string' }
      },
    ],
    ['a further value of an answer', ({ components }) => components.schemas.HoldStatus.enum.push('further')],
  ])('may have %s', (_, change) => {
    const document = structuredClone(few)
    change(document)
    expect(breaksOf(document, few)).toEqual([])
  })
})
