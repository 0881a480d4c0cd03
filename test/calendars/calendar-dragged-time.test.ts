import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { syncCalendar } from '../../src/calendars/sync/sync-calendar.ts'
import { writeToCalendar } from '../../src/calendars/writes/write-to-calendar.ts'
import { insertConnection } from '../support/connections.ts'
import { bookingInput, createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { pretendAccount } from '../support/pretend-account.ts'
import { serviceWith } from '../support/service-with.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** A booking (of a session where there are seats) whose event is in a calendar. */
async function written(seats = 1) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const connectionId = await insertConnection(organization, 'live')
  const service = serviceWith({})
  const account = pretendAccount('work')
  const { id: eventTypeId } = await createEventType(key, { reminder_intervals: [], max_attendees: seats })
  const made: any[] = []
  for (let seat = 0; seat < seats; seat++) {
    const body = bookingInput(eventTypeId, SLOT, { invitee_email: `guest${seat}@example.com` })
    made.push((await service.call('POST', '/v1/bookings', { body })).body)
  }
  const holderId = made[0].session_id ?? made[0].id
  const write = () =>
    writeToCalendar(service.env, { holderId, connectionId }, Date.now(), async () => account.client)
  const sync = async () => {
    await syncCalendar(service.env, connectionId, { since: 0, isForced: true }, async (calendar) =>
      account.client.openCalendar(calendar),
    )
    await write()
  }
  const get = async (id: string = made[0].id) =>
    (await service.call('GET', `/v1/bookings/${id}`, { key })).body
  const told = async () => {
    const { body } = await service.call('GET', '/v1/events?limit=100', { key })
    return body.data.filter(({ event }: any) => event === 'booking.out_of_sync')
  }
  await write()
  await sync()
  const { event_id: eventId } = (await env.DB.prepare(
    'SELECT event_id FROM calendar_writes WHERE holder_id = ?',
  )
    .bind(holderId)
    .first()) as any
  return { ...service, key, account, made, eventId, eventTypeId, write, sync, get, told }
}

it('announces each move of an event once, and shows it until it is moved back', async () => {
  const { account, eventId, sync, get, told, made } = await written()
  expect((await get()).out_of_sync).toBeNull()
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  await sync()
  const there = { start_time: iso(SLOT + HOUR_MS), end_time: iso(SLOT + 1.5 * HOUR_MS) }
  expect(await get()).toMatchObject({ status: 'confirmed', start_time: iso(SLOT), out_of_sync: there })
  const [first, ...others] = await told()
  expect(others).toEqual([])
  expect(first).toMatchObject({
    event_start: there.start_time,
    event_end: there.end_time,
    data: { id: made[0].id, start_time: iso(SLOT), out_of_sync: there },
  })

  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  expect((await told()).map(({ event_start }: any) => event_start)).toEqual([
    iso(SLOT + HOUR_MS),
    iso(SLOT + 2 * HOUR_MS),
  ])
  account.moveBy(eventId, 'work', -2 * HOUR_MS)
  await sync()
  expect(await get()).toMatchObject({ out_of_sync: null, sync_error: null })
  expect(await told()).toHaveLength(2)
})

it('blocks the time where an event stands and the time of its booking', async () => {
  const { account, eventId, eventTypeId, sync, openStarts, book } = await written()
  expect(await openStarts(eventTypeId, SLOT)).toContain(iso(SLOT + HOUR_MS))
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  const open = await openStarts(eventTypeId, SLOT)
  expect([open.includes(iso(SLOT)), open.includes(iso(SLOT + HOUR_MS))]).toEqual([false, false])
  expect((await book(eventTypeId, SLOT + HOUR_MS)).status).toBe(409)
  account.moveBy(eventId, 'work', -HOUR_MS)
  await sync()
  expect(await openStarts(eventTypeId, SLOT)).toContain(iso(SLOT + HOUR_MS))
})

it('blocks the day of an event that became an all-day event, also one that is shown as free', async () => {
  const { account, eventId, eventTypeId, sync, openStarts } = await written()
  const day = dayFromNow(4)
  account.stretch(eventId, 'work', { start: day, end: day + DAY_MS }, { isFree: true })
  await sync()
  expect(await openStarts(eventTypeId, day + 10 * HOUR_MS)).toEqual([])
  expect(await openStarts(eventTypeId, day + DAY_MS + 10 * HOUR_MS)).not.toEqual([])
})

it('lets a booking move to where its event stands, and nobody else', async () => {
  const { account, eventId, eventTypeId, sync, write, get, call, key, made, book, openStarts } =
    await written()
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  const { status, body } = await call('POST', `/v1/bookings/${made[0].id}/reschedule`, {
    key,
    body: { new_start_time: iso(SLOT + HOUR_MS) },
  })
  expect([status, body.out_of_sync]).toEqual([200, null])
  await write()
  expect(account.startsIn('work')).toEqual([SLOT + HOUR_MS])
  expect((await book(eventTypeId, SLOT + HOUR_MS)).status).toBe(409)
  expect((await get()).sync_error).toBeNull()
  expect(await openStarts(eventTypeId, SLOT)).toContain(iso(SLOT))
})

it('frees the time as soon as the event is written back', async () => {
  const { account, eventId, eventTypeId, sync, write, call, key, made, openStarts } = await written()
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  await call('POST', `/v1/bookings/${made[0].id}/reschedule`, {
    key,
    body: { new_start_time: iso(SLOT + 3 * HOUR_MS) },
  })
  await write()
  expect(account.startsIn('work')).toEqual([SLOT + 3 * HOUR_MS])
  expect(await openStarts(eventTypeId, SLOT)).toEqual(
    expect.arrayContaining([iso(SLOT), iso(SLOT + HOUR_MS)]),
  )
})

it('announces each booking of a session, which moves to its event as a whole', async () => {
  const { account, eventId, sync, get, told, call, key, made } = await written(2)
  account.moveBy(eventId, 'work', HOUR_MS)
  await sync()
  expect((await told()).map(({ data }: any) => data.id).toSorted()).toEqual(
    made.map(({ id }) => id).toSorted(),
  )
  const { status } = await call('POST', `/v1/sessions/${made[0].session_id}/reschedule`, {
    key,
    body: { new_start_time: iso(SLOT + HOUR_MS) },
  })
  expect(status).toBe(200)
  for (const { id } of made) {
    expect(await get(id)).toMatchObject({ start_time: iso(SLOT + HOUR_MS), out_of_sync: null })
  }
})
