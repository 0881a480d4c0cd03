import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { buildWorker } from '../support/service.ts'

const KIB = 1_024
const MOST = 450 * KIB

describe('the bundle that is deployed', () => {
  it('weighs at most 450 KiB, as an upload is weighed', { timeout: 60_000 }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'holdfast-bundle-'))
    const bundle = await readFile(await buildWorker(directory))
    await rm(directory, { recursive: true })
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(MOST)
  })
})
