import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWorker } from '../support/service.ts'
import { evaluatedAtStart, type Metafile, packageOf } from '../support/start-up.ts'

const KIB = 1_024
/** The console and the tools of agents are opened late: they cost space, and no start. */
const MOST = 640 * KIB

describe('the bundle that is deployed', () => {
  let directory: string
  let bundle: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'holdfast-bundle-'))
    bundle = await buildWorker(directory)
  }, 60_000)

  afterAll(() => rm(directory, { recursive: true }))

  it('weighs at most 640 KiB, as an upload is weighed', async () => {
    expect(gzipSync(await readFile(bundle)).length).toBeLessThanOrEqual(MOST)
  })

  it('keeps what waits in methods, which an engine passes over until they are called, unlike arrow functions', async () => {
    const text = await readFile(bundle, 'utf8')
    const waiting = [...text.matchAll(/\(\{_\(\)\{"use strict"/g)].length
    expect(waiting).toBeGreaterThan(1_000)
    expect(text).not.toContain('"src/')
  })

  async function evaluated(): Promise<readonly string[]> {
    const metafile: Metafile = JSON.parse(await readFile(join(directory, 'whole/bundle-meta.json'), 'utf8'))
    return evaluatedAtStart(metafile, 'src/index.ts')
  }

  it('evaluates of the packages only what writes SQL, before a request needs another', async () => {
    const packages = (await evaluated()).flatMap((file) => packageOf(file) ?? [])
    expect([...new Set(packages)]).toEqual(['drizzle-orm'])
  })

  it('makes no schema of a request or an answer, no page and no job before one is asked for', async () => {
    const late = (await evaluated()).filter((file) =>
      /^src\/(resources\/.*\/(schema|routes)\.ts|http\/openapi\/|pages\/(?!serve\.ts)|jobs\/)/.test(file),
    )
    expect(late).toEqual([])
  })

  it('evaluates no text of a page or a letter before one is to be read', async () => {
    const texts = (await evaluated()).filter((file) => /^src\/(i18n\/(?!tags\.ts)|look\/)/.test(file))
    expect(texts).toEqual([])
  })

  it('evaluates no provider of calendars and meetings before somebody has an account there', async () => {
    const providers = (await evaluated()).filter((file) =>
      /^src\/providers\/(google|microsoft|zoom|caldav|ics)\//.test(file),
    )
    expect(providers).toEqual([])
  })
})
