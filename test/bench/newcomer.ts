import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lastingPort } from '../support/lasting-port.ts'
import { sendJson } from './http.ts'
import { measure, median } from './load.ts'
import { type Service, untilStill } from './service.ts'
import { bookingOf, createSubject, type Subject } from './subject.ts'
import { table } from './table.ts'

const ROUNDS = 3
const BOOKINGS = 100
const CLIENTS = 8
const HALF_HOUR_MS = 1_800_000
const DAY_MS = 48 * HALF_HOUR_MS

type Way = { readonly name: string; readonly url: string; readonly subject: Subject; readonly book: Book }
type Book = (way: Way, first: number) => Promise<number>

/**
 * The same bookings in three ways: as everywhere else here, from a process of its own, and against what `npm start` runs.
 * All of them take turns.
 */
export async function benchNewcomer(service: Service): Promise<string[]> {
  const dev = await startCounted()
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

export type Started = { readonly url: string; readonly process: number; stop(): Promise<void> }

/** What `npm start` runs, with the paths of the bench, in a process of its own. */
export async function startCounted(): Promise<Started> {
  const state = await mkdtemp(join(tmpdir(), 'bench-start-'))
  const port = await lastingPort()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'start-counted.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(port), HOLDFAST_STATE: state },
  })
  const end = () => void child.kill('SIGINT')
  process.once('exit', end)
  const url = `http://127.0.0.1:${port}`
  await untilHealthy(child, url)
  const stop = async () => {
    const gone = once(child, 'close')
    process.off('exit', end)
    end()
    await gone
    await rm(state, { recursive: true, force: true })
  }
  return { url, process: child.pid!, stop }
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
  throw new Error('the service ended before it was up')
}
