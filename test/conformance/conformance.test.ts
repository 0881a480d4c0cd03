import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { type Service, startService } from '../support/service.ts'
import { CHECKS, EVERYWHERE, SCENARIOS } from './does-not-apply.ts'

const SUITE = join(import.meta.dirname, 'node_modules/.bin/conformance')

type Check = { readonly id: string; readonly status: string; readonly errorMessage?: string }

let directory: string
let service: Service

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'holdfast-conformance-'))
  const state = join(directory, 'state')
  service = await startService(await takeBuilt(state), state)
})

afterAll(async () => {
  await service?.kill()
  await rm(directory, { recursive: true, force: true })
})

/** Runs every scenario of a revision; the checks that were made, by scenario. */
async function checksOf(revision: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const out = join(directory, revision)
  const url = new URL('/mcp', service.url).href
  const args = ['server', '--url', url, '--suite', 'all', '--spec-version', revision, '-o', out]
  // It ends with 1 because some scenarios do not apply.
  await promisify(execFile)(SUITE, args, { maxBuffer: 64 * 1024 * 1024 }).catch(() => undefined)
  const made = await readdir(out)
  const found = made.map(async (name): Promise<[string, Check[]]> => {
    const [, scenario = name] = /^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? []
    return [scenario, JSON.parse(await readFile(join(out, name, 'checks.json'), 'utf8'))]
  })
  return new Map(await Promise.all(found))
}

describe.each([
  ['2026-07-28', ['server-stateless', 'tools-list', 'caching', 'http-header-validation']],
  ['2025-11-25', ['server-initialize', 'ping', 'tools-list', 'server-session-lifecycle']],
  ['2025-06-18', ['server-initialize', 'ping', 'tools-list']],
])('the official suite for %s', (revision, applying) => {
  it('finds nothing that the server does wrong', async () => {
    const scenarios = await checksOf(revision)
    expect([...scenarios.keys()]).toEqual(expect.arrayContaining([...applying]))
    const failed = [...scenarios].flatMap(([scenario, checks]) =>
      checks
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .filter(({ id }) => id === EVERYWHERE || !(scenario in SCENARIOS || id in CHECKS))
        .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage ?? ''}`),
    )
    expect(failed).toEqual([])
    for (const scenario of applying) {
      const passed = scenarios.get(scenario)!.filter(({ status }) => status === 'SUCCESS')
      expect([scenario, passed.length > 0 || scenario === 'server-session-lifecycle']).toEqual([
        scenario,
        true,
      ])
    }
  })
})
