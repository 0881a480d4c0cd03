import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { isReloadable, reloadSchedule } from '../../src/engine/schedule/reload-schedule.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { amount, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { dayFromNow } from '../support/factories.ts'
import { storm } from '../support/storm/operations.ts'
import { makeWorld } from '../support/storm/world.ts'

const ROUNDS = amount(12, 400)
const WANTED = { range: { start: dayFromNow(1), end: dayFromNow(31) }, seatsAt: null }

it.each([
  ['hosts', SEED + 31, false],
  ['hosts and calendars', SEED + 32, true],
] as const)(
  'a storm on %s leaves schedules that were reloaded by their changes equal to loaded ones: seed %i',
  async (_what, seed, withCalendars) => {
    const world = await makeWorld(withCalendars)
    const db = openDb(env, 'decide')
    const load = async (id: string) => (await loadSchedule(db, id, WANTED, realNow())).schedule!
    const known = new Map<string, Schedule>()
    for (const id of world.hosted) known.set(id, await load(id))
    let reloaded = 0
    for (let round = 0; round < ROUNDS; round++) {
      await storm(world, seed + 100 * round, 6)
      // What one event type gives back is passed on to others after the answer.
      await new Promise((resolve) => setTimeout(resolve, 50))
      for (const id of world.hosted) {
        const before = known.get(id)!
        const again = isReloadable(before, realNow())
          ? await reloadSchedule(db, before, { seatsAt: null }, realNow())
          : null
        const now = await load(id)
        if (
          again &&
          again.schedule!.version.own === now.version.own &&
          again.schedule!.version.shared === now.version.shared
        ) {
          expect(again.schedule).toEqual(now)
          reloaded += 1
        }
        known.set(id, again?.schedule ?? now)
      }
    }
    expect(reloaded).toBeGreaterThan(ROUNDS)
  },
  SOAK_TIMEOUT_MS,
)
