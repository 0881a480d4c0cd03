import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { lastingPort } from '../support/lasting-port.ts'
import { migrateState, SERVICE_KEY } from '../support/service.ts'
import { sendJson } from './http.ts'
import { measure, median } from './load.ts'
import { type Service, untilStill } from './service.ts'
import { bookingOf, createSubject, type Subject } from './subject.ts'
import { table } from './table.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const ROUNDS = 3
const BOOKINGS = 100
const CLIENTS = 8
const HALF_HOUR_MS = 1_800_000
const DAY_MS = 48 * HALF_HOUR_MS

type Way = { readonly name: string; readonly url: string; readonly subject: Subject; readonly book: Book }
type Book = (way: Way, first: number) => Promise<number>

/**
 * The same bookings in three ways: as everywhere else here, from a process of its own, and against the development
 * server that `npm start` runs. All of them take turns.
 */
export async function benchNewcomer(service: Service): Promise<string[]> {
  const dev = await startDev()
  const ways: readonly Way[] = [
    {
      name: 'As above: the runtime itself, callers in its process',
      book: here,
      ...(await subjectAt(service.url)),
    },
    {
      name: 'The runtime itself, callers in a process of their own',
      book: elsewhere,
      ...(await subjectAt(service.url)),
    },
    {
      name: 'What a newcomer measures: `npm start`, callers in a process of their own',
      book: elsewhere,
      ...(await subjectAt(dev.url)),
    },
  ]
  const answered = ways.map((): number[] => [])
  const out = ways.map((): number[] => [])
  let first = Math.floor(Date.now() / DAY_MS + 3) * DAY_MS
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, way] of ways.entries()) {
      const began = performance.now()
      const ms = await way.book(way, first)
      const still = await untilStill(way.url)
      if (round === 0) continue
      answered[at]!.push((BOOKINGS / ms) * 1_000)
      out[at]!.push((BOOKINGS / (still - began)) * 1_000)
    }
    first += BOOKINGS * HALF_HOUR_MS
  }
  await dev.stop()
  const rows = ways.map(({ name }, at) => [
    name,
    median(answered[at]!).toFixed(0),
    ratio(answered[at]!, answered[0]!),
    median(out[at]!).toFixed(0),
  ])
  return table(
    [
      '`POST /v1/bookings` with an API key',
      'Answered, per second',
      'of the first',
      'All of it out, per second',
    ],
    rows,
  )
}

function ratio(own: readonly number[], others: readonly number[]): string {
  return `${Math.round(median(own.map((rate, at) => rate / others[at]!)) * 100)} %`
}

async function subjectAt(url: string) {
  return { url, subject: await createSubject(url, 1) }
}

const here: Book = async ({ url, subject }, first) => {
  let sent = 0
  const next = () => bookingOf(url, subject.eventTypeIds[0]!, first + sent++ * HALF_HOUR_MS, subject.key)
  const { totalMs, statuses } = await measure(next, { concurrency: CLIENTS, seconds: 600, most: BOOKINGS })
  expectBooked(Object.fromEntries(statuses))
  return totalMs
}

const elsewhere: Book = async ({ url, subject }, first) => {
  const script = join(import.meta.dirname, 'newcomer-client.ts')
  const args = [script, url, subject.eventTypeIds[0]!, subject.key, String(first), String(BOOKINGS)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { ms, statuses } = JSON.parse(stdout) as { ms: number; statuses: Record<number, number> }
  expectBooked(statuses)
  return ms
}

function expectBooked(statuses: Readonly<Record<number, number>>): void {
  if (statuses[201] !== BOOKINGS) throw new Error(`not all were booked: ${JSON.stringify(statuses)}`)
}

/** What `npm start` runs, with the paths of the bench. */
async function startDev() {
  const state = await mkdtemp(join(tmpdir(), 'bench-dev-'))
  await migrateState(state)
  const port = await lastingPort()
  const wrangler = join(
    dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
    'bin/wrangler.js',
  )
  const args = ['dev', 'test/bench/counted-worker.ts', '--port', String(port), '--persist-to', state]
  const child = spawn(process.execPath, [wrangler, ...args, '--var', `SERVICE_KEY:${SERVICE_KEY}`], {
    cwd: ROOT,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
  })
  const end = () => process.kill(-child.pid!, 'SIGINT')
  process.once('exit', end)
  const url = `http://localhost:${port}`
  await untilHealthy(child, url)
  const stop = async () => {
    const gone = once(child, 'close')
    process.off('exit', end)
    end()
    await gone
    await rm(state, { recursive: true, force: true })
  }
  return { url, stop }
}

async function untilHealthy(child: ChildProcess, url: string): Promise<void> {
  while (child.exitCode === null) {
    try {
      await sendJson({ method: 'GET', url: `${url}/health` })
      return
    } catch {
      await new Promise((done) => setTimeout(done, 200))
    }
  }
  throw new Error('wrangler dev ended before the service was up')
}
