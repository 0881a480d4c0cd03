import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { reloadHosts } from '../../src/engine/schedule/reload-hosts.ts'
import { isReloadable, reloadSchedule } from '../../src/engine/schedule/reload-schedule.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import { isSameVersion } from '../../src/engine/schedule/version.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { amount, chance, SEED, SOAK_TIMEOUT_MS } from '../support/chance.ts'
import { dayFromNow } from '../support/factories.ts'
import { insertTimeOff } from '../support/hours.ts'
import { storm } from '../support/storm/operations.ts'
import { DAY, HALF_HOUR_MS, makeWorld, type World } from '../support/storm/world.ts'

const ROUNDS = amount(12, 400)
const WANTED = { range: { start: dayFromNow(1), end: dayFromNow(31) }, seatsAt: null }

/** Changes the time off or the calendar of a member, sometimes with the hours of an event type. */
async function changeSomebody(
  { organization, members, hosted }: World,
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
    env.DB.prepare('UPDATE calendar_connections SET last_sync_at = ?2 WHERE member_id = ?1').bind(
      member,
      start,
    ),
  ])
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
    let [reloaded, ofHosts] = [0, 0]
    for (let round = 0; round < ROUNDS; round++) {
      await storm(world, seed + 100 * round, 6)
      await changeSomebody(world, chance(seed + 100 * round))
      // What one event type gives back is passed on to others after the answer.
      await new Promise((resolve) => setTimeout(resolve, 50))
      for (const id of world.hosted) {
        const before = known.get(id)!
        const again = isReloadable(before, realNow())
          ? await reloadSchedule(db, before, { seatsAt: null }, realNow())
          : null
        const hosts = isReloadable(before, realNow()) ? await reloadHosts(db, before, realNow()) : null
        const now = await load(id)
        if (hosts && isSameVersion(hosts.version, now.version)) {
          expect(partsOf(hosts)).toEqual(partsOf(now))
          ofHosts += 1
        }
        if (again && isSameVersion(again.schedule!.version, now.version)) {
          expect(again.schedule).toEqual(now)
          reloaded += 1
        }
        known.set(id, again?.schedule ?? now)
      }
    }
    expect(reloaded).toBeGreaterThan(ROUNDS)
    expect(ofHosts).toBeGreaterThan(ROUNDS / 4)
  },
  SOAK_TIMEOUT_MS,
)
