import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Received, startReceiver } from '../support/receiver.ts'
import { buildWorker, migrateState, openRuntime } from '../support/service.ts'
import type { Count } from './counted-worker.ts'
import { sendJson } from './http.ts'
import { measure } from './load.ts'
import { bookingOf, createSubject, freshStarts } from './subject.ts'

const BOOKINGS = 1_000
const EVENT_TYPES = 20

type State = {
  readonly deliveries: number
  readonly attempts: number
  readonly most: number
  readonly delivered: number
  readonly failed: number
  readonly early: number
}

/**
 * Books against an endpoint that fails every third call; the lines of a markdown table. The first two attempts
 * come when they come; what waits for a third or later one (5 minutes to 10 hours) is called for at once.
 */
export async function benchWebhooks(): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-webhooks-'))
  const bundle = await buildWorker(join(directory, 'build'), 'test/bench/webhook-worker.ts')
  await migrateState(directory)
  const [receiver, runtime] = await Promise.all([
    startReceiver(),
    openRuntime(bundle, directory, [], undefined, { LOG_LINES: 'off' }),
  ])
  const url = (await runtime.ready).origin
  const ask = <T>(path: string) => sendJson<T>({ method: 'GET', url: url + path })

  const { key, eventTypeIds } = await createSubject(url, EVENT_TYPES)
  const hook = `${receiver.url}/bench`
  await sendJson({
    method: 'POST',
    url: `${url}/v1/webhooks`,
    headers: { Authorization: `Bearer ${key}` },
    body: { url: hook, events: ['booking.created'] },
  })
  await fetch(hook, { method: 'PUT', body: JSON.stringify({ refusesEvery: 3 }) })

  const starts = freshStarts()
  let turn = 0
  await ask('/bench/count?on=1')
  const began = performance.now()
  const seconds = () => ((performance.now() - began) / 1_000).toFixed(1)
  const next = () => bookingOf(url, eventTypeIds[turn++ % EVENT_TYPES]!, starts.next().value)
  await measure(next, { concurrency: 8, seconds: 600, most: BOOKINGS })
  const booked = seconds()

  let afterTwo: { readonly seconds: string; readonly delivered: number } | null = null
  let state: State
  do {
    await new Promise((done) => setTimeout(done, 250))
    state = await ask<State>('/bench/state')
    if (state.deliveries < BOOKINGS || state.early > 0) continue
    afterTwo ??= { seconds: seconds(), delivered: state.delivered }
    await ask('/bench/hurry')
  } while (state.delivered + state.failed < BOOKINGS)
  const all = seconds()

  const { roundTrips } = await ask<Count>('/bench/counted')
  const received = (await (await fetch(hook)).json()) as Received[]
  const taken = received.filter(({ status, body }) => status === 200 && body.includes('booking.created'))
  const duplicates = taken.length - new Set(taken.map(({ headers }) => headers['webhook-id'])).size
  await runtime.dispose()
  await receiver.stop()
  await rm(directory, { recursive: true })

  return [
    `| ${BOOKINGS.toLocaleString('en')} bookings, one endpoint that fails every third call | |`,
    '| --- | ---: |',
    `| All booked after | ${booked} s |`,
    `| Two attempts at each made after | ${afterTwo!.seconds} s, ${afterTwo!.delivered} delivered |`,
    `| All delivered (${state.failed} given up), later waits skipped, after | ${all} s |`,
    `| Attempts; most for one delivery | ${state.attempts}; ${state.most} |`,
    `| Delivered twice | ${duplicates} |`,
    `| D1 round trips per delivery; per attempt | ${(roundTrips / BOOKINGS).toFixed(2)}; ${(roundTrips / state.attempts).toFixed(2)} |`,
  ]
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log((await benchWebhooks()).join('\n'))
}
