import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { findOpenSlots } from '../../src/booking/slots/find-open-slots.ts'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { withOwn } from '../../src/env.ts'
import { openDb } from '../../src/platform/db/client.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { call } from '../support/app.ts'
import { addBusyCalendars } from '../support/busy-calendars.ts'
import { addBusyHosts, shareHosts } from '../support/busy-hosts.ts'
import { countedEnv } from '../support/counted-env.ts'
import { createEventType, createOrganization, dateOf, dayFromNow } from '../support/factories.ts'
import { limitedDatabase } from '../support/production-limits.ts'

const HOUR_MS = 3_600_000
const MONTH = { start: dayFromNow(1), end: dayFromNow(31) }

/** Each host has 200 bookings, half of them past, and a calendar with 200 busy times in the month. */
async function teamOf(hosts: number) {
  const organization = await createOrganization()
  const { id } = await createEventType(organization.liveKey, { assignment_strategy: 'round_robin' })
  await addBusyHosts(env.DB, id, hosts, dayFromNow(1) - 100 * 3 * HOUR_MS)
  await addBusyCalendars(env.DB, organization, id, dayFromNow(1))
  return { organization, id }
}

describe('a team of five hundred', () => {
  it('is loaded within the limits of D1, and no value grows with it', { timeout: 120_000 }, async () => {
    const { id } = await teamOf(500)
    const { DB, measured } = limitedDatabase()
    const { schedule } = await loadSchedule(
      openDb(withOwn(env, { DB }), 'read'),
      id,
      { range: MONTH, seatsAt: null },
      realNow(),
    )
    expect([schedule!.hosts.length, schedule!.calendars.length]).toEqual([500, 500])
    expect(schedule!.calendars.every(({ busy }) => busy.length > 190)).toBe(true)
    expect(measured.largest).toBeLessThan(10_000)
    expect(measured.bytes / 500).toBeLessThan(5_000)
    // Bookings of a month, and everything else in a few rows.
    expect(measured.rows / 500).toBeLessThan(125)
  })
})

describe('a team of twenty who are required and fifty of a pool', () => {
  it('reads no more rows than seventy of a pool, for the starts of a month and to decide on one', async () => {
    const readBy = async (required: number) => {
      const { id } = await teamOf(70)
      await env.DB.prepare(
        `UPDATE event_type_hosts SET part = 'required' WHERE event_type_id = ?1 AND id IN (
           SELECT id FROM event_type_hosts WHERE event_type_id = ?1 ORDER BY id LIMIT ?2)`,
      )
        .bind(id, required)
        .run()
      const counted = countedEnv()
      const readSince = (before: number) => counted.ran.slice(before).reduce((sum, { read }) => sum + read, 0)
      const month = { start: dateOf(MONTH.start), end: dateOf(MONTH.end - 86_400_000), timezone: 'UTC' }
      const ctx = { env: counted.env, now: Date.now() } as Context
      const { starts: open } = await findOpenSlots(ctx, { event_type_id: id, ...month })
      const forMonth = readSince(0)
      const before = counted.ran.length
      const db = openDb(counted.env, 'decide')
      const at = open[0]!
      const meeting = { start: at, end: at + 30 * 60_000 }
      await loadSchedule(db, id, { range: meeting, seatsAt: null }, realNow())
      return { forMonth, forOne: readSince(before) }
    }
    const [pool, both] = [await readBy(0), await readBy(20)]
    expect(pool.forMonth).toBeGreaterThan(70 * 100)
    expect(both.forMonth).toBeLessThanOrEqual(pool.forMonth)
    expect(both.forOne).toBeLessThanOrEqual(pool.forOne)
  })
})

describe('a change of one host', () => {
  /** What an answer about the month reads. */
  async function readRows(id: string) {
    const month = { start: dateOf(MONTH.start), end: dateOf(MONTH.end - 86_400_000), timezone: 'UTC' }
    const counted = countedEnv()
    const ctx = { env: counted.env, now: Date.now() } as Context
    await findOpenSlots(ctx, { event_type_id: id, ...month })
    return counted.ran.reduce((sum, { read }) => sum + read, 0)
  }

  function changeOneHost(id: string) {
    return env.DB.prepare(
      `UPDATE calendar_connections SET last_sync_at = last_sync_at + 1
       WHERE member_id = (SELECT max(member_id) FROM event_type_hosts WHERE event_type_id = ?)`,
    )
      .bind(id)
      .run()
  }

  it.each([10, 50])('reads that host alone: a team of %i', async (hosts) => {
    const { id } = await teamOf(hosts)
    expect(await readRows(id)).toBeGreaterThan(100 * hosts)
    await changeOneHost(id)
    expect(await readRows(id)).toBeLessThanOrEqual(30)
  })

  it('reads that host alone for each of six event types of two hundred hosts, whose times are kept once', async () => {
    const { organization, id } = await teamOf(200)
    const others: string[] = []
    for (let more = 0; more < 5; more++)
      others.push((await createEventType(organization.liveKey, { assignment_strategy: 'round_robin' })).id)
    await shareHosts(env.DB, id, others)
    for (const each of [id, ...others]) expect(await readRows(each)).toBeGreaterThan(1_000)
    for (let change = 0; change < 2; change++) {
      await changeOneHost(id)
      for (const each of [id, ...others]) expect(await readRows(each)).toBeLessThanOrEqual(30)
    }
  })
})

describe('an edit of the event type', () => {
  it('reads none of its fifty hosts again, and after some edits takes one round trip', async () => {
    const { organization, id } = await teamOf(50)
    const month = { start: dateOf(MONTH.start), end: dateOf(MONTH.end - 86_400_000), timezone: 'UTC' }
    const ask = async () => {
      const { env: counting, ran, trips } = countedEnv()
      await findOpenSlots({ env: counting, now: Date.now() } as Context, { event_type_id: id, ...month })
      return { rows: ran.reduce((sum, { read }) => sum + read, 0), trips: trips.count }
    }
    expect((await ask()).rows).toBeGreaterThan(5_000)
    let last = { rows: 0, trips: 0 }
    for (const minimum_notice_minutes of [1, 2, 3, 4]) {
      const body = { minimum_notice_minutes }
      await call('PATCH', `/v1/event-types/${id}`, { key: organization.liveKey, body })
      last = await ask()
      expect(last.rows).toBeLessThan(60)
    }
    expect(last.trips).toBe(1)
    const body = { assignment_strategy: 'availability_weighted' }
    await call('PATCH', `/v1/event-types/${id}`, { key: organization.liveKey, body })
    expect((await ask()).rows).toBeGreaterThan(5_000)
  })
})
