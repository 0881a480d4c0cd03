import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { firstIdOf, instantOf, looseId } from '../../src/platform/db/ids.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { book, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'

const DAY_MS = 86_400_000
const DAYS = 90

const now = Date.now()
const INSERT = `INSERT INTO activity (id, organization_id, is_test, actor_type, action, resource_type, ip_address, created_at)
  VALUES (?, ?, 0, 'invitee', 'booking.created', 'booking', ?, ?)`

it('deletes every address of a long log in one sweep, whatever was written in between and in which order', async () => {
  const organizationId = looseId()
  const entry = (days: number, address: string | null = '192.0.2.7') => {
    const at = now - days * DAY_MS
    return env.DB.prepare(INSERT).bind(firstIdOf(at) + looseId().slice(13), organizationId, address, at)
  }
  // What was written last is not what was made last, and there are more than go at once.
  await env.DB.batch([
    ...Array.from({ length: 600 }, () => entry(96)),
    ...Array.from({ length: 300 }, () => entry(95, null)),
    entry(94),
    entry(97),
    entry(80),
  ])
  const left = async () => {
    const { results } = await env.DB.prepare(
      'SELECT created_at FROM activity WHERE organization_id = ? AND ip_address IS NOT NULL ORDER BY id',
    )
      .bind(organizationId)
      .all<{ created_at: number }>()
    return results.map(({ created_at }) => Math.round((now - created_at) / DAY_MS))
  }
  await sweep(env, now)
  expect(await left()).toEqual([80])
  await sweep(env, now + (DAYS - 79) * DAY_MS)
  expect(await left()).toEqual([])
})

it('deletes the addresses of bookings that are their own entries, and nothing else of them', async () => {
  const { id: organizationId, liveKey } = await createOrganization()
  const { id } = await createEventType(liveKey)
  const made: number[] = []
  for (const day of [2, 3, 4]) made.push(instantOf((await book(id, dayFromNow(day))).body.id))
  // Ids never go back: where an earlier file set a clock ahead, they are later than the present.
  const [first, last] = [made[0]!, made[2]!]
  const entries = async () => {
    const { results } = await env.DB.prepare(
      'SELECT log_entry FROM bookings WHERE organization_id = ? ORDER BY id',
    )
      .bind(organizationId)
      .all<{ log_entry: string }>()
    return results.map(({ log_entry }) => JSON.parse(log_entry))
  }
  const firstLogged = () =>
    env.DB.prepare('SELECT count(*) AS n FROM logged_addresses WHERE organization_id = ?')
      .bind(organizationId)
      .first('n')
  const before = await entries()
  expect(before.map(({ ip_address }) => typeof ip_address)).toEqual(['string', 'string', 'string'])
  await sweep(env, first + 89 * DAY_MS)
  expect(await entries()).toEqual(before)
  await sweep(env, last + 91 * DAY_MS)
  expect(await entries()).toEqual(before.map((entry) => ({ ...entry, ip_address: null })))
  expect(await firstLogged()).toBe(0)
})
