import { readFile } from 'node:fs/promises'
import { SourceMap } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, inject, it } from 'vitest'
import { bundleWithout, evaluatedAtStart, type Metafile, minified, packageOf } from '../support/start-up.ts'

const KIB = 1_024
const MOST = 867 * KIB

/**
 * What may be opened late, costs space and no start, and what of it each may take, KiB: with one or two to spare, because any change
 * may order all files otherwise, and compress them so. Without them everything can be booked.
 */
const APART = {
  'the console': [/^src\/console\//, 182],
  'the tools of agents': [/^src\/mcp\//, 30],
  'the documentation': [/^src\/(pages\/docs|platform\/http\/openapi)\//, 12],
} as const
const SERVICE_MOST = 654 * KIB

describe('the bundle that is deployed', () => {
  const { bundle } = inject('built')
  const whole = join(dirname(bundle), 'whole')

  it('is at most 867 KiB, measured as for an upload', async () => {
    expect(gzipSync(await readFile(bundle)).length).toBeLessThanOrEqual(MOST)
  })

  it('keeps lazy code in methods, which an engine skips until they are called, unlike arrow functions', async () => {
    const text = await readFile(bundle, 'utf8')
    const waiting = [...text.matchAll(/\(\{_\(\)\{/g)].length
    expect(waiting).toBeGreaterThan(1_000)
    expect(text).not.toContain('"src/')
  })

  it('has a source map that finds the line of every error that our code throws', async () => {
    const [text, map] = await Promise.all([readFile(bundle, 'utf8'), readFile(`${bundle}.map`, 'utf8')])
    const payload = JSON.parse(map)
    const sources = new SourceMap(payload)
    const lines = text.split('\n')
    const found = lines.flatMap((line, at) =>
      [...line.matchAll(/throw new Error\(/g)].flatMap(({ index }) => {
        const entry = sources.findEntry(at, index)
        if (!('originalSource' in entry) || entry.originalSource.includes('node_modules')) return []
        const source = payload.sourcesContent[payload.sources.indexOf(entry.originalSource)] as string
        return [source.split('\n')[entry.originalLine]]
      }),
    )
    expect(found.length).toBeGreaterThan(10)
    expect(found.filter((line) => !line?.includes('throw'))).toEqual([])
  })

  it('is at most 654 KiB without the console, the tools of agents and the documentation', async () => {
    const names = Object.values(APART).map(([{ source }]) => source)
    expect(await weightWithout(new RegExp(names.join('|')))).toBeLessThanOrEqual(SERVICE_MOST)
  }, 120_000)

  it.each(Object.entries(APART))(
    'keeps %s within its limit',
    async (_name, [files, most]) => {
      const [all, others] = [gzipSync(await readFile(bundle)).length, await weightWithout(files)]
      expect(all - others).toBeLessThanOrEqual(most * KIB)
      expect(all - others).toBeGreaterThan(KIB)
    },
    120_000,
  )

  async function weightWithout(names: RegExp): Promise<number> {
    const text = await readFile(join(whole, 'index.js'), 'utf8')
    return gzipSync(await minified(bundleWithout(text, await metafile(), 'src/index.ts', names))).length
  }

  async function metafile(): Promise<Metafile> {
    return JSON.parse(await readFile(join(whole, 'bundle-meta.json'), 'utf8'))
  }

  async function evaluated(): Promise<readonly string[]> {
    return evaluatedAtStart(await metafile(), 'src/index.ts')
  }

  it('evaluates of the packages only what writes SQL and what finds routes, before a request needs another', async () => {
    const packages = (await evaluated()).flatMap((file) => packageOf(file) ?? [])
    expect([...new Set(packages)].sort()).toEqual(['drizzle-orm', 'itty-router'])
  })

  it('makes no schema of a request or an answer, no page and no job before one is asked for', async () => {
    const late = (await evaluated()).filter((file) =>
      /^src\/((operations|delivery|people|calendars|booking|money|outbox)\/.*(schema|routes)\.ts|platform\/http\/openapi\/|pages\/(?!serve\.ts)|worker\/jobs\/)/.test(
        file,
      ),
    )
    expect(late).toEqual([])
  })

  it('evaluates nothing that decides about bookings before an object is asked for something', async () => {
    const decides = (await evaluated()).filter((file) =>
      /^src\/(core\/slots|engine\/turn\/turns|worker\/objects\/.*keeper)/.test(file),
    )
    expect(decides).toEqual([])
  })

  it('evaluates no text of a page or an email before one is to be read', async () => {
    const texts = (await evaluated()).filter((file) =>
      /^src\/platform\/(i18n\/(?!tags\.ts)|look\/)/.test(file),
    )
    expect(texts).toEqual([])
  })

  it('evaluates no provider of calendars and meetings before somebody has an account there', async () => {
    const providers = (await evaluated()).filter((file) =>
      /^src\/calendars\/(google|microsoft|zoom|caldav|ics)\//.test(file),
    )
    expect(providers).toEqual([])
  })
})
