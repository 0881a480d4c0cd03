import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { findOpenSlots } from '../../src/booking/slots/find-open-slots.ts'
import type { Context } from '../../src/platform/http/context.ts'
import { call } from '../support/app.ts'
import { chance } from '../support/chance.ts'
import { insertConnection } from '../support/connections.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dateOf,
  dayFromNow,
  iso,
} from '../support/factories.ts'
import { addHosts } from '../support/hosts.ts'
import { insertTimeOff } from '../support/hours.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const MONTH = { start: dateOf(dayFromNow(1)), end: dateOf(dayFromNow(30)), timezone: 'UTC' }

/** What availability read, in rows and statements. */
async function readFor(eventTypeId: string) {
  const counted = countedEnv()
  const ctx = { env: counted.env, now: Date.now() } as Context
  const { starts } = await findOpenSlots(ctx, { event_type_id: eventTypeId, ...MONTH })
  return { rows: counted.ran.reduce((sum, { read }) => sum + read, 0), asked: counted.ran.length, starts }
}

it.each(['round_robin', 'least_recent', 'least_bookings', 'availability_weighted', 'none'])(
  'an event type without a common host keeps its month while one of %s changes',
  async (strategy) => {
    const organization = await createOrganization()
    const key = organization.liveKey
    const [one, other] = await Promise.all(
      ['one', 'other'].map(async (slug) => {
        const { id } = await createEventType(key, { slug, assignment_strategy: strategy })
        return { id, hosts: await addHosts(organization, key, id, 2) }
      }),
    )
    const calendar = await insertConnection(organization, 'live', { memberId: one!.hosts[0]! })
    const known = await readFor(other!.id)
    const booked = await bookAsAnother(one!.id, SLOT)
    expect(booked.status).toBe(201)
    const keeps = async (what: string) => {
      const { rows, asked, starts } = await readFor(other!.id)
      expect([what, rows <= 4, asked]).toEqual([what, true, 1])
      expect(starts).toEqual(known.starts)
    }
    await keeps('a booking')
    const held = await call('POST', '/v1/holds', {
      key,
      body: { event_type_id: one!.id, start_time: iso(SLOT + 4 * HOUR_MS) },
    })
    expect(held.status).toBe(201)
    await keeps('a hold')
    await insertTimeOff(organization, 'live', one!.hosts[0]!, SLOT, SLOT + HOUR_MS)
    await keeps('time off')
    await env.DB.prepare('UPDATE calendar_connections SET last_sync_at = 2 WHERE id = ?').bind(calendar).run()
    await keeps('a calendar that was read')
    // It is not known who held time of a meeting of all.
    if (strategy !== 'none') {
      const body = { new_start_time: iso(SLOT + 2 * HOUR_MS) }
      const moved = await call('POST', `/v1/bookings/${booked.body.id}/reschedule`, { key, body })
      expect(moved.status).toBe(200)
      await keeps('a move')
      await call('POST', `/v1/bookings/${booked.body.id}/cancel`, { key })
      await keeps('a cancellation')
    }
    // One's own host is another matter.
    await insertTimeOff(organization, 'live', other!.hosts[0]!, SLOT, SLOT + HOUR_MS)
    expect((await readFor(other!.id)).asked).toBeGreaterThan(1)
  },
)

it('more changes than the database lists are read like a change of one of the hosts', async () => {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key)
  const other = await createEventType(key, { slug: 'other' })
  await addHosts(organization, key, id, 1)
  const [host] = await addHosts(organization, key, other.id, 1)
  await readFor(id)
  await readFor(id)
  for (let at = 0; at < 101; at++) await insertTimeOff(organization, 'live', host!, SLOT, SLOT + HOUR_MS)
  expect((await readFor(id)).asked).toBeGreaterThan(1)
  for (let at = 0; at < 99; at++) await insertTimeOff(organization, 'live', host!, SLOT, SLOT + HOUR_MS)
  expect((await readFor(id)).asked).toBe(1)
})

/** An event type whose hosts all take part, and another one with the second of them, whose month is known. */
async function makeShared(input = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { assignment_strategy: 'none', ...input })
  const [, second] = await addHosts(organization, key, id, 2)
  const other = await createEventType(key, { slug: 'other' })
  await call('POST', `/v1/event-types/${other.id}/hosts`, { key, body: { member_id: second } })
  const isOpen = async () => (await readFor(other.id)).starts.includes(SLOT)
  expect(await isOpen()).toBe(true)
  const change = (body: object) => call('PATCH', `/v1/event-types/${id}`, { key, body })
  const unhost = () => call('DELETE', `/v1/event-types/${id}/hosts/${second}`, { key })
  return { id, key, isOpen, change, unhost }
}

it('a cancellation opens the time of all its hosts, though they take turns by then', async () => {
  const { id, key, isOpen, change } = await makeShared()
  const { body: booking } = await bookAsAnother(id, SLOT)
  expect(await isOpen()).toBe(false)
  await change({ assignment_strategy: 'round_robin' })
  expect(await isOpen()).toBe(false)
  expect((await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })).status).toBe(200)
  expect(await isOpen()).toBe(true)
})

it('a cancellation opens the time of a host who was taken off the event type', async () => {
  const { id, key, isOpen, unhost } = await makeShared()
  const { body: booking } = await bookAsAnother(id, SLOT)
  expect((await unhost()).status).toBe(204)
  expect(await isOpen()).toBe(false)
  expect((await call('POST', `/v1/bookings/${booking.id}/cancel`, { key })).status).toBe(200)
  expect(await isOpen()).toBe(true)
})

it.each(['none', 'round_robin'])(
  'the release of the last seat of a session opens the time of all its hosts, under %s',
  async (strategy) => {
    const { id, key, isOpen, change } = await makeShared({ max_attendees: 3 })
    const { body: first } = await bookAsAnother(id, SLOT)
    const input = { event_type_id: id, start_time: iso(SLOT) }
    const { body: held } = await call('POST', '/v1/holds', { key, body: input })
    await change({ assignment_strategy: strategy })
    await call('POST', `/v1/bookings/${first.id}/cancel`, { key })
    expect(await isOpen()).toBe(false)
    expect((await call('POST', `/v1/holds/${held.id}/release`, { key })).status).toBe(200)
    expect(await isOpen()).toBe(true)
  },
)

it('an organization whose calendars change all the time is answered from memory nearly always', async () => {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { below } = chance(95)
  const types: string[] = []
  const members: string[] = []
  for (let made = 0; made < 15; made++) {
    const { id } = await createEventType(key, { slug: `team-${made}` })
    const [first, second] = await addHosts(organization, key, id, 2)
    const other = await createEventType(key, { slug: `other-${made}` })
    await call('POST', `/v1/event-types/${other.id}/hosts`, { key, body: { member_id: first } })
    for (const memberId of [first!, second!]) {
      await insertConnection(organization, 'live', { memberId })
      members.push(memberId)
    }
    types.push(id, other.id)
  }
  for (const id of types) await readFor(id)
  // Each host is asked for twice in so many questions, of which one follows a change.
  const answers: number[] = []
  for (let step = 0; step < 20; step++) {
    await env.DB.prepare('UPDATE calendar_connections SET last_sync_at = ?1 WHERE member_id = ?2')
      .bind(2 + step, members[below(members.length)]!)
      .run()
    for (let asked = 0; asked < 40; asked++) answers.push((await readFor(types[below(types.length)]!)).asked)
  }
  const fromMemory = answers.filter((asked) => asked === 1).length
  expect(fromMemory / answers.length).toBeGreaterThanOrEqual(0.95)
  expect(fromMemory).toBeLessThan(answers.length)
})
