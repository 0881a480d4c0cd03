import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { Interval } from '../../src/core/interval.ts'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { reloadHosts } from '../../src/engine/schedule/reload-hosts.ts'
import { isReloadable, reloadSchedule } from '../../src/engine/schedule/reload-schedule.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import { isSameVersion } from '../../src/engine/schedule/version.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { type AskedMs, realNow } from '../../src/platform/limits/clock.ts'
import { call } from '../support/app.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { dayFromNow } from '../support/factories.ts'
import { insertTimeOff } from '../support/hours.ts'
import { DAYS, FIRST, storm as stormOnHours } from '../support/hours-operations.ts'
import { makeWorld as makeHoursWorld, NOW } from '../support/hours-world.ts'
import { storm } from '../support/storm/operations.ts'
import { DAY, HALF_HOUR_MS, makeWorld, type World } from '../support/storm/world.ts'

const ROUNDS = amount(6, 200)
const STRATEGIES = ['round_robin', 'least_recent', 'availability_weighted', 'none']
const RANGE = { start: dayFromNow(1), end: dayFromNow(31) }

/** Changes the time off or the calendar of a member, sometimes with the hours of an event type. */
async function changeSomebody(
  { organization, key, members, hosted }: World,
  { below, pick }: ReturnType<typeof chance>,
) {
  const member = pick(members)
  const start = DAY + below(40) * HALF_HOUR_MS
  if (below(2) === 0) await insertTimeOff(organization, 'live', member, start, start + HALF_HOUR_MS)
  const theirs = '(SELECT id FROM calendar_connections WHERE member_id = ?1)'
  const busy = `INSERT OR IGNORE INTO calendar_busy_times (connection_id, event_id, starts_at, ends_at)
    SELECT value, ?2, ?3, ?4 FROM (SELECT id AS value FROM calendar_connections WHERE member_id = ?1)`
  await env.DB.batch([
    env.DB.prepare(busy).bind(member, `e${below(8)}`, start, start + (1 + below(3)) * HALF_HOUR_MS),
    env.DB.prepare(`DELETE FROM calendar_busy_times WHERE connection_id IN ${theirs} AND event_id = ?2`).bind(
      member,
      `e${below(8)}`,
    ),
    env.DB.prepare(
      'UPDATE calendar_connections SET last_sync_at = coalesce(last_sync_at, 0) + 1 WHERE member_id = ?',
    ).bind(member),
  ])
  if (below(3) === 0) {
    const body = {
      minimum_notice_minutes: below(60),
      ...(below(3) === 0 && { assignment_strategy: pick(STRATEGIES) }),
    }
    await call('PATCH', `/v1/event-types/${pick(hosted)}`, { key, body })
  }
  const path = `/v1/event-types/${pick(hosted)}/hosts`
  if (below(4) === 0) await call('DELETE', `${path}/${member}`, { key })
  if (below(3) === 0) await call('POST', path, { key, body: { member_id: pick(members) } })
  if (below(6) === 0) {
    await env.DB.prepare('UPDATE event_type_hosts SET weight = weight + 1 WHERE event_type_id = ?')
      .bind(pick(hosted))
      .run()
  }
}

/** What open starts depend on. Reloaded hosts may be true for a shorter time, and know nothing of the month's bookings. */
function partsOf({ trueUntil: _, bookingsThisMonth: __, organization, ...parts }: Schedule) {
  const { hoursVersion: ___, ...facts } = organization
  return { ...parts, facts }
}

/** Compares what is reloaded of each event type after every round with what is loaded. */
async function compareRounds(
  ids: readonly string[],
  range: Interval,
  now: () => AskedMs,
  round: (at: number) => Promise<unknown>,
) {
  const db = openDb(env, 'decide')
  const load = async (id: string) => (await loadSchedule(db, id, { range, seatsAt: null }, now())).schedule!
  const known = new Map<string, Schedule>()
  for (const id of ids) known.set(id, await load(id))
  let [reloaded, ofHosts] = [0, 0]
  for (let at = 0; at < ROUNDS; at++) {
    await round(at)
    // What one event type gives back is passed on to others after the answer.
    await new Promise((resolve) => setTimeout(resolve, 50))
    for (const id of ids) {
      const before = known.get(id)!
      const isUsable = isReloadable(before, realNow())
      const again = isUsable ? await reloadSchedule(db, before, { seatsAt: null }, now()) : null
      const hosts = isUsable ? await reloadHosts(db, before, now()) : null
      const loaded = await load(id)
      if (hosts && isSameVersion(hosts.version, loaded.version)) {
        expect(partsOf(hosts)).toEqual(partsOf(loaded))
        ofHosts += 1
      }
      if (again?.schedule && isSameVersion(again.schedule.version, loaded.version)) {
        expect(again.schedule).toEqual(loaded)
        reloaded += 1
      }
      known.set(id, again?.schedule ?? loaded)
    }
  }
  expect(reloaded).toBeGreaterThan(ROUNDS / 2)
  expect(ofHosts).toBeGreaterThan(ROUNDS / 4)
}

describe('schedules that were reloaded by their changes equal loaded ones', () => {
  it.each([
    ['hosts', SEED + 31, false],
    ['hosts and calendars', SEED + 32, true],
  ] as const)(
    'after a storm on %s: seed %i',
    async (_what, seed, withCalendars) => {
      const world = await makeWorld(withCalendars)
      await compareRounds(world.hosted, RANGE, realNow, async (at) => {
        await storm(world, seed + 100 * at, 6)
        await changeSomebody(world, chance(seed + 100 * at))
      })
    },
    SOAK_TIMEOUT_MS,
  )

  it(
    `after a storm on hours and limits: seed ${SEED + 33}`,
    async () => {
      const world = await makeHoursWorld()
      const range = { start: FIRST, end: FIRST + DAYS * 86_400_000 }
      await compareRounds(
        world.types,
        range,
        () => NOW as AskedMs,
        (at) => stormOnHours(world, SEED + 33 + 100 * at, 2, async () => {}),
      )
    },
    SOAK_TIMEOUT_MS,
  )
})
