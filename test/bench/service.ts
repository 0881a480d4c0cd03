import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildWorker, migrateState, openRuntime } from '../support/service.ts'
import type { Count } from './counted-worker.ts'
import { ALL_FLOORS, type FloorName, floorWorkers, LETTER_FLOORS } from './floors.ts'
import { sendJson } from './http.ts'

const STILL_MS = 1_500

export type Service = {
  readonly url: string
  readonly floors: Readonly<Record<FloorName, string>>
  /** Resolves when what was booked so far is out: letters, events, and whatever else the queues carry. */
  untilQuiet(): Promise<void>
  /** What `work` asks of the database, until it resolves. */
  count(work: () => Promise<unknown>): Promise<Count>
  /** From now on, each round trip to the database takes so long. */
  moveAway(ms: number): Promise<void>
  /** Runs the sweep of that instant. */
  sweep(at: number): Promise<void>
  /** Has the object of an account ask one of its calendars now. */
  syncCalendar(accountId: string, connectionId: string): Promise<void>
  stop(): Promise<void>
}

/** The production build and an empty, migrated state; services are opened from it, each with a copy of its own. */
export async function buildOnce() {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  const state = join(directory, 'state')
  const [bundle] = await Promise.all([
    buildWorker(join(directory, 'build'), 'test/bench/counted-worker.ts'),
    migrateState(state),
  ])
  let opened = 0
  return {
    open: async (
      settings: Readonly<Record<string, string>> = {},
      other: string = bundle,
    ): Promise<Service> => {
      opened += 1
      const own = join(directory, `state-${opened}`)
      await cp(state, own, { recursive: true })
      // The floors write no lines either.
      return openService(other, own, { LOG_LINES: 'off', ...settings })
    },
    remove: () => rm(directory, { recursive: true }),
  }
}

async function openService(
  bundle: string,
  state: string,
  settings: Readonly<Record<string, string>>,
): Promise<Service> {
  const runtime = await openRuntime(bundle, state, floorWorkers(state), undefined, settings)
  const urlOf = async (name: string) => (await runtime.unsafeGetDirectURL(name)).origin
  const url = await urlOf('holdfast')
  const named = await Promise.all(ALL_FLOORS.map(async (name) => [name, await urlOf(name)] as const))
  const floors = Object.fromEntries(named) as Record<FloorName, string>
  for (const name of ['oneObject', ...LETTER_FLOORS] as const)
    await sendJson({ method: 'PUT', url: floors[name] })
  const ask = <T>(path: string) => sendJson<T>({ method: 'GET', url: `${url}/bench/${path}` })
  return {
    url,
    floors,
    untilQuiet: async () => void (await untilStill(url)),
    async count(work) {
      await ask('count?on=1')
      await work()
      const counted = await ask<Count>('counted')
      await ask('count')
      return counted
    },
    moveAway: (ms) => ask(`away?ms=${ms}`),
    sweep: (at) => ask(`sweep?at=${at}`),
    syncCalendar: (account, connection) => ask(`sync?account=${account}&connection=${connection}`),
    stop: () => runtime.dispose(),
  }
}

/** Waits until the service at the URL uses neither its database nor its queues any more; since when, on the clock of `performance`. */
export async function untilStill(url: string): Promise<number> {
  const ask = () => sendJson<number>({ method: 'GET', url: `${url}/bench/uses` })
  let [uses, since] = [await ask(), performance.now()]
  while (performance.now() - since < STILL_MS) {
    await sleep(100)
    const now = await ask()
    if (now !== uses) [uses, since] = [now, performance.now()]
  }
  return since
}
