import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { syncCalendar } from '../../src/calendars/sync/sync-calendar.ts'
import { writeToCalendar } from '../../src/calendars/writes/write-to-calendar.ts'
import { callAsService } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { bookingInput, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { pretendAccount } from '../support/pretend-account.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

type Wanted = { readonly seats?: number; readonly hosts?: number; readonly input?: object }

/** A booking (of a session if there are seats) in a calendar, in an organization whose bookings follow their events. */
async function written({ seats = 1, hosts = 0, input = {} }: Wanted = {}) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const service = serviceWith({})
  const account = pretendAccount('work')
  const body = { reminder_intervals: [], max_attendees: seats, ...input }
  const { id: eventTypeId } = await createEventType(key, {
    ...body,
    ...(hosts > 0 && { assignment_strategy: 'round_robin' }),
  })
  const members: string[] = []
  for (let at = 0; at < hosts; at++) {
    const { id } = await createMember(organization)
    members.push(id)
    await addHost(key, eventTypeId, id)
  }
  const connectionId = await insertConnection(organization, 'live', { memberId: members[0] ?? null })
  const patch = (calendar_moves: string) =>
    callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { calendar_moves } })
  expect((await patch('follow')).body.calendar_moves).toBe('follow')
  const made: any[] = []
  for (let seat = 0; seat < seats; seat++) {
    const who = { invitee_email: `guest${seat}@example.com`, ...(hosts > 0 && { member_id: members[0] }) }
    const { body: booked } = await service.call('POST', '/v1/bookings', {
      key,
      body: bookingInput(eventTypeId, SLOT, who),
    })
    made.push(booked)
  }
  const holderId = made[0].session_id ?? made[0].id
  const write = () =>
    writeToCalendar(service.env, { holderId, connectionId }, Date.now(), async () => account.client)
  const read = () =>
    syncCalendar(service.env, connectionId, { since: 0, isForced: true }, async (calendar) =>
      account.client.openCalendar(calendar),
    )
  const sync = async () => {
    await read()
    await write()
  }
  const get = async (id: string = made[0].id) =>
    (await service.call('GET', `/v1/bookings/${id}`, { key })).body
  const told = async () => {
    const { body: events } = await service.call('GET', '/v1/events?limit=100', { key })
    return events.data.filter(
      ({ event }: any) => event === 'booking.out_of_sync' || event === 'booking.rescheduled',
    )
  }
  const kinds = async () => (await told()).map(({ event }: any) => event)
  await write()
  await sync()
  const writeOf = async (): Promise<any> =>
    env.DB.prepare('SELECT * FROM calendar_writes WHERE holder_id = ?').bind(holderId).first()
  const { event_id: eventId } = await writeOf()
  return {
    ...service,
    organization,
    key,
    account,
    connectionId,
    made,
    members,
    eventId,
    eventTypeId,
    patch,
    write,
    writeOf,
    read,
    sync,
    get,
    told,
    kinds,
  }
}

it('follows a moved event once, announces the move, and frees the old time', async () => {
  const { account, eventId, eventTypeId, sync, write, get, told, openStarts, book, writeOf } = await written()
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  expect(await get()).toMatchObject({
    status: 'rescheduled',
    start_time: iso(SLOT + HOUR_MS),
    out_of_sync: null,
    sync_error: null,
    overridden: [],
    rescheduled_by: { type: 'system', id: null, name: null },
  })
  await write()
  await sync()
  const events = await told()
  expect(events.map(({ event }: any) => event)).toEqual(['booking.rescheduled'])
  expect(events[0]).toMatchObject({
    previous: { start_time: iso(SLOT) },
    data: { rescheduled_by: { type: 'system' } },
  })
  expect(account.startsIn('work')).toEqual([SLOT + HOUR_MS])
  expect(await writeOf()).toMatchObject({ status: 'written', is_moved: 0, written_start: SLOT + HOUR_MS })
  const open = await openStarts(eventTypeId, SLOT)
  expect([open.includes(iso(SLOT)), open.includes(iso(SLOT + HOUR_MS))]).toEqual([true, false])
  expect((await book(eventTypeId, SLOT + HOUR_MS)).status).toBe(409)

  account.moveBy(eventId, 'work', -HOUR_MS)
  await sync()
  expect(await get()).toMatchObject({ start_time: iso(SLOT), out_of_sync: null })
})

it('asks in an organization that did not choose to follow', async () => {
  const { account, eventId, sync, get, kinds, patch } = await written()
  await patch('ask')
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  expect(await get()).toMatchObject({
    start_time: iso(SLOT),
    out_of_sync: { start_time: iso(SLOT + HOUR_MS) },
  })
  // What was asked about stays a question.
  await patch('follow')
  await sync()
  expect(await kinds()).toEqual(['booking.out_of_sync'])
})

it('follows to closed hours and within the notice, and says so', async () => {
  const { account, eventId, sync, get } = await written({
    input: { minimum_notice_minutes: 2 * 24 * 60 },
  })
  const night = dayFromNow(1) + 3 * HOUR_MS
  account.moveBy(eventId, 'work', night - SLOT)
  await sync()
  const { start_time, overridden } = await get()
  expect([start_time, overridden]).toEqual([iso(night), expect.arrayContaining(['notice'])])
})

it('asks if the new time is in the past', async () => {
  const { account, eventId, sync, get, kinds } = await written()
  account.moveBy(eventId, 'work', Date.now() - 2 * HOUR_MS - SLOT)
  await sync()
  expect((await get()).start_time).toBe(iso(SLOT))
  expect(await kinds()).toEqual(['booking.out_of_sync'])
})

it('asks if another booking has the time, and does not try again', async () => {
  const { account, eventId, eventTypeId, sync, get, kinds, book, call, key } = await written()
  const other = await book(eventTypeId, SLOT + HOUR_MS)
  expect(other.status).toBe(201)
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  expect(await get()).toMatchObject({
    start_time: iso(SLOT),
    out_of_sync: { start_time: iso(SLOT + HOUR_MS) },
  })
  await call('POST', `/v1/bookings/${other.body.id}/cancel`, { key })
  await sync()
  expect((await get()).start_time).toBe(iso(SLOT))
  expect(await kinds()).toEqual(['booking.out_of_sync'])
})

it('asks if another event of the calendar is at exactly that time', async () => {
  const { account, eventId, sync, get, kinds } = await written()
  const other = { uid: 'dentist@example.com', start: SLOT + HOUR_MS, end: SLOT + 1.5 * HOUR_MS }
  await account.client.openCalendar({ calendarId: 'work' } as any).writeEvent(other as any, null)
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  expect((await get()).start_time).toBe(iso(SLOT))
  expect(await kinds()).toEqual(['booking.out_of_sync'])
})

it('never follows an event that became an all-day event', async () => {
  const { account, eventId, sync, get, kinds } = await written()
  const day = dayFromNow(4)
  account.stretch(eventId, 'work', { start: day, end: day + DAY_MS }, { isFree: false })
  await sync()
  expect((await get()).start_time).toBe(iso(SLOT))
  expect(await kinds()).toEqual(['booking.out_of_sync'])
})

it('follows to another length only if the event type offers it', async () => {
  const { account, eventId, sync, get, kinds } = await written({
    input: { duration_minutes: 30, duration_options: [30, 60] },
  })
  account.stretch(eventId, 'work', { start: SLOT, end: SLOT + HOUR_MS }, { isFree: false })
  await sync()
  expect(await get()).toMatchObject({ start_time: iso(SLOT), end_time: iso(SLOT + HOUR_MS) })
  account.stretch(eventId, 'work', { start: SLOT, end: SLOT + 2 * HOUR_MS }, { isFree: false })
  await sync()
  expect(await get()).toMatchObject({ end_time: iso(SLOT + HOUR_MS) })
  expect(await kinds()).toEqual(['booking.rescheduled', 'booking.out_of_sync'])
})

it('notifies the invitee', async () => {
  const { account, eventId, sync, told, messages } = await written()
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  const [{ id }] = await told()
  expect(messages).toContainEqual({ type: 'event', eventId: id })
})

it('moves a session as a whole, and announces each of its bookings', async () => {
  const { account, eventId, sync, get, kinds, made } = await written({ seats: 2 })
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  for (const { id } of made) {
    expect(await get(id)).toMatchObject({
      start_time: iso(SLOT + HOUR_MS),
      session_id: made[0].session_id,
      out_of_sync: null,
    })
  }
  expect(await kinds()).toEqual(['booking.rescheduled', 'booking.rescheduled'])
  account.stretch(eventId, 'work', { start: SLOT + HOUR_MS, end: SLOT + 3 * HOUR_MS }, { isFree: false })
  await sync()
  expect((await kinds()).slice(2)).toEqual(['booking.out_of_sync', 'booking.out_of_sync'])
})

it.each([1, 2])(
  'keeps the host, and asks if they are busy while another one is free (%i seats)',
  async (seats) => {
    const { account, eventId, eventTypeId, sync, get, kinds, members, call, key } = await written({
      hosts: 2,
      seats,
    })
    const { id: other } = await createEventType(key, { assignment_strategy: 'round_robin' })
    await addHost(key, other, members[0]!)
    const body = { ...bookingInput(other, SLOT + HOUR_MS), member_id: members[0] }
    expect((await call('POST', '/v1/bookings', { key, body })).status).toBe(201)
    account.moveBy(eventId, 'work', HOUR_MS)
    await sync()
    expect(await get()).toMatchObject({ start_time: iso(SLOT), assigned_host: { member_id: members[0] } })
    expect(new Set(await kinds())).toEqual(new Set(['booking.out_of_sync']))
    account.moveBy(eventId, 'work', HOUR_MS)
    await sync()
    expect(await get()).toMatchObject({
      start_time: iso(SLOT + 2 * HOUR_MS),
      assigned_host: { member_id: members[0] },
      event_type_id: eventTypeId,
    })
  },
)

it('never overlaps a booking of the time that an event is dragged to', async () => {
  for (const inParallel of [0, 1, 2, 3]) {
    const { account, eventId, eventTypeId, read, write, get, book, kinds, key } = await written()
    account.moveBy(eventId, 'work', HOUR_MS)
    const first = inParallel % 2 === 0 ? read() : write()
    const [, booked] = await Promise.all([first.then(write), book(eventTypeId, SLOT + HOUR_MS)])
    await read()
    await write()
    const { start_time, out_of_sync } = await get()
    const isFollowed = start_time === iso(SLOT + HOUR_MS)
    expect([isFollowed, booked.status], key).toEqual(isFollowed ? [true, 409] : [false, 201])
    expect(out_of_sync === null).toBe(isFollowed)
    expect(await kinds()).toEqual([isFollowed ? 'booking.rescheduled' : 'booking.out_of_sync'])
    const { results } = await env.DB.prepare(
      `SELECT a.holder_id FROM holds a JOIN holds b ON a.resource_id = b.resource_id AND a.holder_id <> b.holder_id
       AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at WHERE a.resource_id = ?`,
    )
      .bind(eventTypeId)
      .all()
    expect(results).toEqual([])
  }
})

it('leaves a booking that was moved in the meantime, and writes its event anew', async () => {
  const { account, eventId, made, read, write, get, kinds, call, key } = await written()
  account.moveBy(eventId, 'work', HOUR_MS)
  await read()
  const body = { new_start_time: iso(SLOT + 3 * HOUR_MS) }
  const [, moved] = await Promise.all([
    write(),
    call('POST', `/v1/bookings/${made[0].id}/reschedule`, { key, body }),
  ])
  expect(moved.status).toBe(200)
  await write()
  expect(await get()).toMatchObject({ start_time: iso(SLOT + 3 * HOUR_MS), out_of_sync: null })
  expect(account.startsIn('work')).toEqual([SLOT + 3 * HOUR_MS])
  expect((await kinds()).at(-1)).toBe('booking.rescheduled')
})
