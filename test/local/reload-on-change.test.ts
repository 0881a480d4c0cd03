import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changesIn } from '../../src/local/reload-on-change.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'changes-'))
})
afterAll(() => rm(directory, { recursive: true }))

const save = (name: string) => writeFile(join(directory, name), '')

it('files that are saved together are one change, and those saved during a reload are another', async () => {
  const changes = changesIn(directory, 200)
  const first = changes.next()
  // Not watched before the first is asked for.
  await Promise.all(['one.ts', 'two.ts', 'three.ts'].map(save))
  expect((await first).value).toMatch(/^(one|two|three)\.ts$/)
  await save('four.ts')
  await new Promise((go) => setTimeout(go, 300))
  expect((await changes.next()).value).toBe('four.ts')
})
