import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { book, bookAsAnother, createEventType, createOrganization, dayFromNow } from '../support/factories.ts'
import { addHost, addHosts } from '../support/hosts.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const TEN = dayFromNow(3) + 10 * HOUR_MS

async function holdsOf(resourceId: string) {
  const { results } = await env.DB.prepare(
    'SELECT starts_at, ends_at FROM holds WHERE resource_id = ? ORDER BY starts_at',
  )
    .bind(resourceId)
    .all<{ starts_at: number; ends_at: number }>()
  return results.map(({ starts_at, ends_at }) => [(starts_at - TEN) / MINUTE_MS, (ends_at - TEN) / MINUTE_MS])
}

it('buffers that become longer count for what is booked already, on both sides', async () => {
  const { liveKey: key } = await createOrganization()
  const { id } = await createEventType(key, { slot_interval_minutes: 15 })
  await book(id, TEN)
  const change = { buffer_before_minutes: 10, buffer_after_minutes: 20 }
  expect((await call('PATCH', `/v1/event-types/${id}`, { key, body: change })).status).toBe(200)
  expect(await holdsOf(id)).toEqual([[-10, 50]])
  // The next one needs ten minutes before it, too.
  expect((await bookAsAnother(id, TEN + 45 * MINUTE_MS)).status).toBe(409)
  expect((await bookAsAnother(id, TEN + 60 * MINUTE_MS)).status).toBe(201)
  expect((await bookAsAnother(id, TEN - 45 * MINUTE_MS)).status).toBe(409)
  expect((await bookAsAnother(id, TEN - 60 * MINUTE_MS)).status).toBe(201)
})

it('longer buffers leave two bookings that are closer where they are, and other event types see them', async () => {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
  const [host] = await addHosts(organization, key, id, 1)
  const { id: other } = await createEventType(key, { assignment_strategy: 'round_robin' })
  await addHost(key, other, host!)
  const { body: first } = await book(id, TEN)
  await bookAsAnother(id, TEN + 30 * MINUTE_MS)
  // The other object remembers what is taken.
  await bookAsAnother(other, TEN + 4 * HOUR_MS)
  await call('PATCH', `/v1/event-types/${id}`, {
    key,
    body: { buffer_after_minutes: 30, buffer_before_minutes: 5 },
  })
  expect((await holdsOf(host!)).slice(0, 2)).toEqual([
    [-5, 30],
    [30, 90],
  ])
  expect((await bookAsAnother(other, TEN + HOUR_MS)).status).toBe(409)
  expect((await bookAsAnother(other, TEN + 90 * MINUTE_MS)).status).toBe(201)
  // A shorter one changes nothing about what is booked, and a cancel releases all of it.
  await call('PATCH', `/v1/event-types/${id}`, { key, body: { buffer_after_minutes: 0 } })
  await call('POST', `/v1/bookings/${first.id}/cancel`, { key })
  expect((await holdsOf(host!))[0]).toEqual([30, 90])
})
