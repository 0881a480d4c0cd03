import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call, callAsService } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** Two event types without hosts that share the owner's calendar, and a member with a calendar of their own. */
async function shared(mode: 'live' | 'test' = 'live') {
  const organization = await createOrganization()
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const calendar = await insertConnection(organization, mode)
  const member = await createMember(organization)
  const heirs = await insertConnection(organization, mode, { memberId: member.id })
  const [one, two] = [await createEventType(key), await createEventType(key)]
  return {
    organization,
    key,
    member,
    calendar,
    heirs,
    one: one.id as string,
    two: two.id as string,
    transfer: (memberId = member.id) =>
      callAsService('POST', `/v1/organizations/${organization.id}/transfer-ownership`, {
        headers: { 'X-Org-Id': organization.id },
        body: { member_id: memberId },
      }),
    read: async (id: string) => (await call('GET', `/v1/bookings/${id}`, { key })).body,
  }
}

/** A booking that the member hosts, in an event type of their own. */
async function bookHosted({ key, member }: Awaited<ReturnType<typeof shared>>, start: number) {
  const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
  await addHost(key, id, member.id)
  return (await bookAsAnother(id, start)).body
}

async function holdersOf(resourceId: string): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT holder_id FROM holds WHERE resource_id = ? ORDER BY 1')
    .bind(resourceId)
    .all<{ holder_id: string }>()
  return results.map(({ holder_id }) => holder_id)
}

describe('transferring the ownership with bookings of event types without hosts', () => {
  it.each(['live', 'test'] as const)('takes along what the calendar holds, in %s mode', async (mode) => {
    const { one, two, key, transfer, read, calendar, heirs } = await shared(mode)
    const { body: booked } = await bookAsAnother(one, SLOT)
    expect(booked.calendar_connection_id).toBe(calendar)
    expect((await transfer()).status).toBe(200)
    expect([await holdersOf(calendar), await holdersOf(heirs)]).toEqual([[], [booked.id]])
    expect(await read(booked.id)).toMatchObject({ start_time: iso(SLOT), calendar_connection_id: heirs })
    expect(await openStarts(two, SLOT)).not.toContain(iso(SLOT))
    expect((await bookAsAnother(two, SLOT)).status).toBe(409)
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key })
    expect(await holdersOf(heirs)).toEqual([])
    expect((await bookAsAnother(two, SLOT)).status).toBe(201)
  })

  it('takes along a session once and an open hold', async () => {
    const made = await shared()
    const { key, two, transfer, heirs } = made
    const { id: group } = await createEventType(key, { max_attendees: 3 })
    const seats = [await bookAsAnother(group, SLOT), await bookAsAnother(group, SLOT)]
    const start_time = iso(SLOT + 2 * HOUR_MS)
    const hold = await call('POST', '/v1/holds', { key, body: { event_type_id: made.one, start_time } })
    expect(hold.status).toBe(201)
    expect((await transfer()).status).toBe(200)
    expect((await holdersOf(heirs)).sort()).toEqual([seats[0]!.body.session_id, hold.body.id].sort())
    expect((await bookAsAnother(two, SLOT + 2 * HOUR_MS)).status).toBe(409)
    expect((await bookAsAnother(two, SLOT)).status).toBe(409)
    expect((await bookAsAnother(group, SLOT)).status).toBe(201)
  })

  it('leaves what the previous owner hosts, and comes back without a conflict', async () => {
    const made = await shared()
    const { organization, key, one, calendar, transfer, read } = made
    const members = await call('GET', `/v1/organizations/${organization.id}/members`, { key })
    const owner = members.body.data.find(({ role }: any) => role === 'owner')
    const { id } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, id, owner.id)
    const { body: hosted } = await bookAsAnother(id, SLOT)
    const { body: booked } = await bookAsAnother(one, SLOT + HOUR_MS)
    expect((await transfer()).status).toBe(200)
    expect(await holdersOf(calendar)).toEqual([hosted.id])
    expect((await read(hosted.id)).calendar_connection_id).toBe(calendar)
    expect((await transfer(owner.id)).status).toBe(200)
    expect(await holdersOf(calendar)).toEqual([hosted.id, booked.id].sort())
  })

  it('lists bookings that would overlap, at most twenty, and changes nothing', async () => {
    const made = await shared()
    const { one, calendar, heirs, transfer, read } = made
    const { body: booked } = await bookAsAnother(one, SLOT)
    const { body: free } = await bookAsAnother(one, SLOT + 3 * HOUR_MS)
    const hosted = await bookHosted(made, SLOT)
    expect(hosted.calendar_connection_id).toBe(heirs)
    const { status, body } = await transfer()
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    const conflict = { booking_id: booked.id, start_time: iso(SLOT), with_booking_id: hosted.id }
    expect(body.error.details).toEqual({ conflicts: [conflict] })
    expect(await holdersOf(calendar)).toEqual([booked.id, free.id].sort())
    expect((await read(free.id)).calendar_connection_id).toBe(calendar)
    await call('POST', `/v1/bookings/${hosted.id}/cancel`, { key: made.key })
    expect((await transfer()).status).toBe(200)
  })

  it('lists the twenty soonest of more', async () => {
    const made = await shared()
    const starts = Array.from(
      { length: 22 },
      (_, at) => dayFromNow(3 + Math.floor(at / 8)) + (9 + (at % 8)) * HOUR_MS,
    )
    const insert = (calendar: string, start: number) =>
      env.DB.prepare(
        'INSERT INTO holds (resource_id, starts_at, ends_at, holder_id, meets_at) VALUES (?, ?, ?, ?, ?)',
      ).bind(calendar, start, start + HOUR_MS, crypto.randomUUID(), start)
    await env.DB.batch(starts.flatMap((start) => [insert(made.calendar, start), insert(made.heirs, start)]))
    const { status, body } = await made.transfer()
    expect([status, body.error.details.conflicts.length]).toEqual([409, 20])
    expect(body.error.details.conflicts.map(({ start_time }: any) => start_time)).toEqual(
      starts.slice(0, 20).map(iso),
    )
  })

  it("brings nothing into a calendar of the new owner's that closes everybody", async () => {
    const { organization, key, member, one, two, heirs, transfer } = await shared()
    await call('PATCH', `/v1/calendars/${heirs}`, { key, body: { receives_bookings: false } })
    expect((await call('PATCH', `/v1/calendars/${heirs}`, { key, body: { everybody: true } })).status).toBe(
      200,
    )
    const read = await insertConnection(organization, 'live', { memberId: member.id })
    await env.DB.prepare(
      'UPDATE calendar_connections SET can_write = false, receives_bookings = false WHERE id = ?',
    )
      .bind(read)
      .run()
    const { body: booked } = await bookAsAnother(one, SLOT)
    expect((await transfer()).status).toBe(200)
    expect([await holdersOf(heirs), await holdersOf(read)]).toEqual([[], [booked.id]])
    expect((await bookAsAnother(two, SLOT)).status).toBe(409)
  })

  it('changes nothing if the new owner has no calendar', async () => {
    const { organization, one, calendar, transfer } = await shared()
    const { body: booked } = await bookAsAnother(one, SLOT)
    const without = await createMember(organization)
    expect((await transfer(without.id)).status).toBe(200)
    expect(await holdersOf(calendar)).toEqual([booked.id])
  })
})
