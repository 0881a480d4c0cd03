import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { loadSchedule } from '../../src/engine/schedule/load-schedule.ts'
import { withOwn } from '../../src/env.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { realNow } from '../../src/platform/limits/clock.ts'
import { addBusyCalendars } from '../support/busy-calendars.ts'
import { addBusyHosts } from '../support/busy-hosts.ts'
import { createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
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
  it('is loaded within the limits of D1, and no value grows with it', async () => {
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
  })
})
