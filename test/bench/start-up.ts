import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildWorker } from '../support/service.ts'
import { evaluatedAtStart, type Metafile, packageOf } from '../support/start-up.ts'
import { median } from './load.ts'
import { table } from './table.ts'

const RUNS = 25
const HEAVIEST = 8
const KIB = 1_024

/** CPU time of one start. */
export type Start = { readonly compileMs: number; readonly evaluateMs: number }

/**
 * What the bundle costs each isolate before its first request; beside it, run by run, a bundle from before, which
 * `BUNDLE_BEFORE` names.
 */
export async function benchStartUp(): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-start-'))
  try {
    const bundle = await buildWorker(directory)
    const metafile: Metafile = JSON.parse(await readFile(join(directory, 'whole/bundle-meta.json'), 'utf8'))
    const before = process.env.BUNDLE_BEFORE
    const bundles = [...(before ? [['Before', before] as const] : []), ['The service', bundle] as const]
    const starts = new Map<string, Start[]>(bundles.map(([name]) => [name, []]))
    for (let run = 0; run < RUNS; run++) {
      for (const [name, path] of bundles) starts.get(name)!.push(await startOnce(path))
    }
    const head = ['CPU of a start, ms, least / median', 'Compiled', 'Evaluated', 'Both']
    return [...table(head, [...starts].map(rowOf)), '', ...table(SIZES_HEAD, sizes(metafile))]
  } finally {
    await rm(directory, { recursive: true })
  }
}

async function startOnce(bundle: string): Promise<Start> {
  const once = join(import.meta.dirname, 'start-once.ts')
  const args = ['--no-warnings', '--experimental-vm-modules', once, bundle]
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout)
}

function rowOf([name, starts]: readonly [string, readonly Start[]]): string[] {
  const cell = (times: readonly number[]) => `${Math.min(...times).toFixed(0)} / ${median(times).toFixed(0)}`
  return [
    name,
    cell(starts.map(({ compileMs }) => compileMs)),
    cell(starts.map(({ evaluateMs }) => evaluateMs)),
    cell(starts.map(({ compileMs, evaluateMs }) => compileMs + evaluateMs)),
  ]
}

const SIZES_HEAD = [
  'What weighs most before it is minified, KiB',
  'Evaluated at the start',
  'When it is needed',
]

function sizes(metafile: Metafile): string[][] {
  const [output] = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined)
  const eager = new Set(evaluatedAtStart(metafile, output!.entryPoint!))
  const weights = new Map<string, { now: number; later: number }>()
  for (const [file, { bytesInOutput }] of Object.entries(output!.inputs)) {
    const name = packageOf(file) ?? 'the service itself'
    const weight = weights.get(name) ?? { now: 0, later: 0 }
    weight[eager.has(file) ? 'now' : 'later'] += bytesInOutput
    weights.set(name, weight)
  }
  return [...weights]
    .sort(([, a], [, b]) => b.now + b.later - a.now - a.later)
    .slice(0, HEAVIEST)
    .map(([name, weight]) => [name, ...[weight.now, weight.later].map((bytes) => (bytes / KIB).toFixed(0))])
}
