import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { findOpenSlots } from '../../src/booking/slots/find-open-slots.ts'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import type { Schedule } from '../../src/engine/schedule/schedule.ts'
import { prunePackedHolds } from '../../src/engine/schedule/taken/statements.ts'
import { withOwn } from '../../src/env.ts'
import { openDb } from '../../src/platform/db/client.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { call } from '../support/app.ts'
import { addBusyHosts } from '../support/busy-hosts.ts'
import { amount, chance, SEED } from '../support/chance.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookingInput,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
} from '../support/factories.ts'
import { packAll, unsoundPacks } from '../support/packed.ts'
import { limitedDatabase } from '../support/production-limits.ts'
import { rows } from '../support/storm/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MONTH = { start: dayFromNow(1), end: dayFromNow(32) }

async function teamOf(hosts: number, input = {}) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, { assignment_strategy: 'round_robin', ...input })
  await addBusyHosts(env.DB, id, hosts, dayFromNow(1) - 100 * 3 * HOUR_MS)
  return { organization, id: String(id) }
}

const db = () => openDb(env, 'decide')

async function load(id: string, range = MONTH, now = realNow(), of = db()): Promise<Schedule> {
  return (await loadSchedule(of, id, { range, seatsAt: null }, now)).schedule!
}

async function packedOf(id: string): Promise<number> {
  const [found] = await rows(
    `SELECT count(*) AS n FROM packed_holds WHERE resource_id IN (
       SELECT resource_id FROM event_type_hosts WHERE event_type_id = ?)`,
    id,
  )
  return found!.n
}

/** Asks for the open starts of the month as somebody does whose isolate knows nothing. */
async function ask(id: string) {
  const month = { start: dateOf(MONTH.start), end: dateOf(MONTH.end - DAY_MS), timezone: 'UTC' }
  return findOpenSlots({ env, now: Date.now() } as Context, { event_type_id: id, ...month })
}

describe('what a large team holds', () => {
  it('is packed by the first question, and costs the next at most 10 rows and 4 kB a host', async () => {
    const { id } = await teamOf(50)
    const unpacked = await load(id)
    await ask(id)
    await expect.poll(() => packedOf(id)).toBeGreaterThan(0)
    expect(await unsoundPacks(rows)).toEqual([])
    const { DB, measured } = limitedDatabase()
    expect(await load(id, MONTH, realNow(), openDb(withOwn(env, { DB }), 'read'))).toEqual(unpacked)
    expect(measured.rows / 50).toBeLessThanOrEqual(10)
    expect(measured.bytes / 50).toBeLessThanOrEqual(4_000)
  })

  it('is not packed of a few hosts, nor of a team that takes part in every booking', async () => {
    const few = await teamOf(8)
    const all = await teamOf(20, { assignment_strategy: 'none' })
    const large = await teamOf(20)
    for (const { id } of [few, all, large]) await ask(id)
    await expect.poll(() => packedOf(large.id)).toBeGreaterThan(0)
    expect([await packedOf(few.id), await packedOf(all.id)]).toEqual([0, 0])
  })

  it('costs a booking one row more if its fortnight is packed, and none if it is not', async () => {
    const written = async (isPacked: boolean) => {
      const { id } = await teamOf(1)
      if (isPacked) await packAll(rows)
      const counted = countedEnv()
      const start = MONTH.start + 10 * HOUR_MS + 30 * MINUTE_MS
      const hold = `INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, meets_at)
        SELECT resource_id, ?2, ?2 + 1800000, 'h', ?2 FROM event_type_hosts WHERE event_type_id = ?1`
      const insert = counted.env.DB.withSession().prepare(hold).bind(id, start)
      return (await insert.run()).meta.rows_written
    }
    expect(await written(true)).toBe((await written(false)) + 1)
  })

  it('is deleted with the fortnight once it is over', async () => {
    const { id } = await teamOf(1)
    await packAll(rows)
    const fortnights = () =>
      rows(
        `SELECT fortnight FROM packed_holds WHERE resource_id IN (
           SELECT resource_id FROM event_type_hosts WHERE event_type_id = ?) ORDER BY 1`,
        id,
      )
    const [first, ...others] = await fortnights()
    const end = (first!.fortnight + 1) * 14 * DAY_MS
    await prunePackedHolds(db(), end - 1, 500)
    expect(await fortnights()).toEqual([first, ...others])
    await prunePackedHolds(db(), end, 500)
    expect(await fortnights()).toEqual(others)
  })

  it('gives a time to one of those who book it, and no longer offers it', async () => {
    const { id } = await teamOf(1)
    await packAll(rows)
    const { starts } = await ask(id)
    const start = starts[Math.floor(starts.length / 2)]!
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/v1/bookings', { body: bookingInput(id, start) })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    await packAll(rows)
    expect((await ask(id)).starts).not.toContain(start)
  })
})

describe('packed fortnights', () => {
  it(`read as the holds that are in them, whatever happens to these: seed ${SEED}`, async () => {
    const { below, pick } = chance(SEED + 44)
    const { id } = await teamOf(3)
    const hosts = (await rows('SELECT resource_id FROM event_type_hosts WHERE event_type_id = ?', id)).map(
      ({ resource_id }) => String(resource_id),
    )
    await rows(
      `INSERT INTO schedules (id, organization_id, is_test, member_id, name, timezone, rules, is_default, created_at, updated_at)
       SELECT 's' || id, organization_id, 0, id, 'Hours', 'UTC', '[]', 1, 1, 1 FROM members WHERE id = ?`,
      hosts[0]!,
    )
    await rows('UPDATE members SET max_bookings_per_day = 9 WHERE id = ?', hosts[0]!)
    const now = realNow()
    const change = async () => {
      const at = MONTH.start + (below(90 * 24) - 30 * 24) * HOUR_MS + pick([0, 5, 30]) * MINUTE_MS + below(2)
      const deadline = pick([null, null, now + 5 * MINUTE_MS, now - 1])
      const keptBy = pick(['', '', '', id])
      const values = [
        pick(hosts),
        at,
        at + 30 * MINUTE_MS,
        `holder${at}`,
        keptBy,
        at + pick([0, 300_000]),
      ] as const
      const insert = `INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, kept_by, meets_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ${deadline})`
      const any =
        '(resource_id, starts_at) = (SELECT resource_id, starts_at FROM holds WHERE resource_id = ?1 AND starts_at >= ?2 LIMIT 1)'
      const dice = below(5)
      if (dice < 2)
        await rows(insert, ...values).catch((error) => expect(String(error)).toContain('SLOT_TAKEN'))
      else if (dice === 2) await rows(`DELETE FROM holds WHERE ${any}`, values[0], at)
      else if (dice === 3) await rows(`UPDATE holds SET expires_at = ${deadline} WHERE ${any}`, values[0], at)
      else await rows(`UPDATE holds SET holder_id = 'other' || starts_at WHERE ${any}`, values[0], at)
    }
    const ranges = [1, 14, 31, 200].map((days) => ({ start: MONTH.start, end: MONTH.start + days * DAY_MS }))
    for (let round = 0; round < amount(15, 600); round++) {
      const strategy = pick(['round_robin', 'availability_weighted', 'none'])
      await rows('UPDATE event_types SET assignment_strategy = ? WHERE id = ?', strategy, id)
      if (below(3) > 0) await packAll(rows)
      for (let changes = below(8); changes > 0; changes--) await change()
      const packed = await rows('SELECT * FROM packed_holds')
      const range = pick(ranges)
      const read = await load(id, range, now)
      expect(await unsoundPacks(rows)).toEqual([])
      await rows('DELETE FROM packed_holds')
      expect([round, await load(id, range, now)]).toEqual([round, read])
      for (const { fortnight, resource_id, times } of packed)
        await rows('INSERT INTO packed_holds VALUES (?, ?, ?)', fortnight, resource_id, times)
    }
    expect((await rows('SELECT * FROM packed_holds')).length).toBeGreaterThan(0)
  })
})
