import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { syncCalendar } from '../../src/calendars/sync/sync-calendar.ts'
import { writeToCalendar } from '../../src/calendars/writes/write-to-calendar.ts'
import { refused } from '../../src/engine/turn/outcome.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import { because } from '../../src/platform/http/errors.ts'
import { insertConnection } from '../support/connections.ts'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { pretendAccount } from '../support/pretend-account.ts'
import { serviceWith } from '../support/service-with.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

/** A booking that is written into the calendar `work` of an account that also has `private`. */
async function written() {
  const organization = await createOrganization()
  const key = organization.liveKey
  const connectionId = await insertConnection(organization, 'live')
  const service = serviceWith({})
  const account = pretendAccount('work', 'private')
  const { id: eventTypeId } = await createEventType(key, { reminder_intervals: [] })
  const { body: made } = await service.book(eventTypeId, SLOT)

  const writeOf = async (): Promise<any> =>
    env.DB.prepare('SELECT * FROM calendar_writes WHERE holder_id = ?').bind(made.id).first()
  /** Tries what is due, now or in a while. */
  const write = (inMs = 0) =>
    writeToCalendar(
      service.env,
      { holderId: made.id, connectionId },
      Date.now() + inMs,
      async () => account.client,
    )
  /** Asks a calendar, and looks into what seems to have happened there. */
  const sync = async (id: string = connectionId) => {
    await syncCalendar(service.env, id, { since: 0, isForced: true }, async (calendar) =>
      account.client.openCalendar(calendar),
    )
    await write()
  }
  const booking = async () => (await service.call('GET', `/v1/bookings/${made.id}`, { key })).body
  /** Connects the other calendar of the account too. */
  const connectPrivate = async (): Promise<string> => {
    const id = looseId()
    await env.DB.prepare(
      `INSERT INTO calendar_connections (id, organization_id, is_test, member_id, account_id, provider,
         account_email, calendar_id, provider_metadata, status, sync_status, next_sync_at, connected_at,
         updated_at, receives_bookings)
       SELECT ?1, organization_id, is_test, member_id, account_id, provider, account_email, 'private', provider_metadata, status, sync_status, next_sync_at, connected_at, updated_at, 0
       FROM calendar_connections WHERE id = ?2`,
    )
      .bind(id, connectionId)
      .run()
    return id
  }
  await write()
  const { event_id: eventId } = await writeOf()
  expect(account.startsIn('work')).toEqual([SLOT])
  await sync()
  const change = (verb: string, body: object = {}) =>
    service.call('POST', `/v1/bookings/${made.id}/${verb}`, { key, body })
  return {
    ...service,
    key,
    account,
    made,
    eventId,
    eventTypeId,
    writeOf,
    write,
    sync,
    booking,
    connectPrivate,
    change,
  }
}

describe('an event of ours that its owner drags into another calendar of the account', () => {
  it('is followed there: its booking stays as it is, and what changes is written there', async () => {
    const { account, eventId, sync, write, writeOf, booking, change } = await written()
    account.drag(eventId, 'work', 'private')
    await sync()
    expect(await writeOf()).toMatchObject({
      status: 'written',
      calendar_id: 'private',
      cancel_at: null,
      suspected_at: null,
      is_moved: 0,
    })
    expect(await booking()).toMatchObject({
      status: 'confirmed',
      sync_error: null,
      calendar_event_id: eventId,
    })

    await change('reschedule', { new_start_time: iso(SLOT + HOUR_MS) })
    await write()
    expect([account.startsIn('work'), account.startsIn('private')]).toEqual([[], [SLOT + HOUR_MS]])
    expect(await booking()).toMatchObject({ sync_error: null, start_time: iso(SLOT + HOUR_MS) })

    await change('cancel')
    await write()
    expect([account.startsIn('work'), account.startsIn('private')]).toEqual([[], []])
    expect(await writeOf()).toMatchObject({ status: 'removed', calendar_id: null, event_id: null })
  })

  it('is found there also by a change that comes before any notification of it', async () => {
    const { account, eventId, write, writeOf, booking, change } = await written()
    account.drag(eventId, 'work', 'private')
    await change('reschedule', { new_start_time: iso(SLOT + HOUR_MS) })
    await write()
    expect([account.startsIn('work'), account.startsIn('private')]).toEqual([[], [SLOT + HOUR_MS]])
    expect(await writeOf()).toMatchObject({ status: 'written', calendar_id: 'private' })
    expect(await booking()).toMatchObject({ status: 'rescheduled', sync_error: null })

    account.drag(eventId, 'private', 'work')
    await change('cancel')
    await write()
    expect([account.startsIn('work'), account.startsIn('private')]).toEqual([[], []])
  })

  it('flags its booking only when its time changed as well', async () => {
    const { account, eventId, sync, booking, writeOf } = await written()
    account.drag(eventId, 'work', 'private')
    account.moveBy(eventId, 'private', HOUR_MS)
    await sync()
    expect(await writeOf()).toMatchObject({ calendar_id: 'private', is_moved: 1 })
    const { status, sync_error } = await booking()
    expect((await booking()).out_of_sync).toEqual({
      start_time: iso(SLOT + HOUR_MS),
      end_time: iso(SLOT + 1.5 * HOUR_MS),
    })
    expect([status, sync_error]).toEqual([
      'confirmed',
      expect.stringContaining(`Moved in the calendar to ${iso(SLOT + HOUR_MS)}`),
    ])
  })

  it('blocks the time where it is there, although that calendar is not connected', async () => {
    const { account, eventId, eventTypeId, sync, write, change, openStarts } = await written()
    const there = SLOT + 2 * HOUR_MS
    const isOpen = async () => (await openStarts(eventTypeId, SLOT)).includes(iso(there))
    expect(await isOpen()).toBe(true)
    account.drag(eventId, 'work', 'private')
    account.moveBy(eventId, 'private', 2 * HOUR_MS)
    await sync()
    expect(await isOpen()).toBe(false)
    // Nor does a listing of its own calendar, which no longer has it, free that time.
    await sync()
    expect(await isOpen()).toBe(false)

    account.moveBy(eventId, 'private', -2 * HOUR_MS)
    await sync()
    expect(await isOpen()).toBe(true)

    account.moveBy(eventId, 'private', 2 * HOUR_MS)
    await sync()
    account.drag(eventId, 'private', 'work')
    await sync()
    expect(await isOpen()).toBe(false)
    account.drag(eventId, 'work', 'private')
    await sync()
    await change('cancel')
    await write()
    expect(await isOpen()).toBe(true)
  })

  it('blocks the time also for a series whose calendar is checked, although that calendar does not know it', async () => {
    const { key, account, eventId, sync, call, env: own } = await written()
    account.drag(eventId, 'work', 'private')
    account.moveBy(eventId, 'private', 2 * HOUR_MS)
    await sync()
    // What the calendar of the connection says now.
    const listBusy = async () => ({ value: [] })
    Object.assign(own, { ACCOUNTS: { getByName: () => ({ listBusy }) } })
    const { id: event_type_id } = await createEventType(key, { reminder_intervals: [] })
    const starts = [SLOT + 4 * HOUR_MS, SLOT + 2 * HOUR_MS].map(iso)
    const invitee = { invitee_name: 'Grace', invitee_email: 'grace@example.com' }
    const body = { event_type_id, starts, on_conflict: 'skip', ...invitee }
    const { status, body: made } = await call('POST', '/v1/series', { key, body })
    expect([status, made]).toMatchObject([201, { skipped: [{ start_time: starts[1] }] }])
  })

  it('blocks that time no longer when it is put back, or when it is deleted there', async () => {
    for (const isPutBack of [true, false]) {
      const { account, eventId, eventTypeId, sync, write, change, openStarts } = await written()
      const isOpen = async () => (await openStarts(eventTypeId, SLOT)).includes(iso(SLOT + 2 * HOUR_MS))
      account.drag(eventId, 'work', 'private')
      account.moveBy(eventId, 'private', 2 * HOUR_MS)
      await sync()
      expect(await isOpen()).toBe(false)
      if (isPutBack) {
        await change('reschedule', { new_start_time: iso(SLOT - HOUR_MS) })
        await write()
      } else {
        account.take(eventId, 'private')
        await sync()
        await write(11 * MINUTE_MS)
      }
      expect([isPutBack, await isOpen()]).toEqual([isPutBack, true])
    }
  })

  it('belongs to its first calendar again when it is dragged back', async () => {
    const { account, eventId, sync, writeOf, booking } = await written()
    account.drag(eventId, 'work', 'private')
    await sync()
    account.drag(eventId, 'private', 'work')
    await sync()
    expect(await writeOf()).toMatchObject({ status: 'written', calendar_id: null, cancel_at: null })
    expect(await booking()).toMatchObject({ status: 'confirmed', sync_error: null })
  })

  it('blocks no time a second time if that calendar is connected too', async () => {
    const { account, eventId, eventTypeId, sync, connectPrivate, openStarts, change } = await written()
    const privateId = await connectPrivate()
    account.drag(eventId, 'work', 'private')
    await sync()
    await sync(privateId)
    const { results } = await env.DB.prepare('SELECT * FROM calendar_busy_times WHERE connection_id = ?')
      .bind(privateId)
      .all()
    expect(results).toEqual([])
    await change('cancel')
    expect(await openStarts(eventTypeId, SLOT)).toContain(iso(SLOT))
  })

  it('is reported by that calendar if it is connected, and the first one no longer searches for it', async () => {
    const { account, eventId, sync, write, writeOf, booking, connectPrivate } = await written()
    const privateId = await connectPrivate()
    account.drag(eventId, 'work', 'private')
    await sync()
    await sync(privateId)
    const before = await writeOf()
    await sync()
    expect(await writeOf()).toEqual(before)

    account.moveBy(eventId, 'private', HOUR_MS)
    await sync(privateId)
    expect((await booking()).sync_error).toContain('Moved in the calendar')
    account.moveBy(eventId, 'private', -HOUR_MS)
    await sync(privateId)
    expect((await booking()).sync_error).toBeNull()

    account.take(eventId, 'private')
    await sync(privateId)
    expect(await writeOf()).toMatchObject({ cancel_at: expect.any(Number) })
    await write(11 * MINUTE_MS)
    expect(await booking()).toMatchObject({ status: 'cancelled', cancel_reason: 'Deleted in the calendar' })
  })
})

describe('an event of ours that is nowhere in the account', () => {
  it('cancels its booking when it is still nowhere ten minutes later', async () => {
    const { account, eventId, sync, write, writeOf, booking, change } = await written()
    account.take(eventId, 'work')
    await sync()
    const { cancel_at: cancelAt } = await writeOf()
    expect(cancelAt).toBeGreaterThan(Date.now() + 9 * MINUTE_MS)
    expect(await booking()).toMatchObject({ status: 'confirmed', sync_error: null })

    // Neither another look nor a change of the booking makes it sooner or later.
    await sync()
    await change('reschedule', { new_start_time: iso(SLOT + HOUR_MS) })
    await write(9 * MINUTE_MS)
    expect(await writeOf()).toMatchObject({ cancel_at: cancelAt, next_attempt_at: cancelAt })
    expect(await booking()).toMatchObject({ status: 'rescheduled' })
    expect(account.startsIn('work')).toEqual([])

    await write(11 * MINUTE_MS)
    expect(await booking()).toMatchObject({
      status: 'cancelled',
      cancel_reason: 'Deleted in the calendar',
      calendar_event_id: null,
    })
    expect(await writeOf()).toMatchObject({ cancel_at: null })
  })

  it('is forgiven when it is there again by then', async () => {
    const { account, eventId, sync, write, writeOf, booking } = await written()
    const putBack = account.take(eventId, 'work')
    await sync()
    expect(await writeOf()).toMatchObject({ cancel_at: expect.any(Number) })
    putBack()
    await write(11 * MINUTE_MS)
    expect(await writeOf()).toMatchObject({ status: 'written', cancel_at: null, suspected_at: null })
    expect(await booking()).toMatchObject({ status: 'confirmed', sync_error: null })
  })

  it('cancels nothing while a calendar of the account does not answer', async () => {
    const { account, eventId, sync, write, writeOf, booking } = await written()
    account.drag(eventId, 'work', 'private')
    account.silent.add('private')
    await sync()
    expect(await writeOf()).toMatchObject({ status: 'pending', cancel_at: null, calendar_id: null })
    await write(20 * MINUTE_MS)
    expect(await booking()).toMatchObject({ status: 'confirmed' })

    account.silent.clear()
    await write(60 * MINUTE_MS)
    expect(await writeOf()).toMatchObject({ status: 'written', calendar_id: 'private', cancel_at: null })
  })

  it('cancels nothing either when a calendar falls silent in between', async () => {
    const { account, eventId, sync, write, writeOf, booking } = await written()
    account.take(eventId, 'work')
    await sync()
    account.silent.add('private')
    await write(11 * MINUTE_MS)
    expect(await writeOf()).toMatchObject({ status: 'pending', last_error: expect.any(String) })
    expect(await booking()).toMatchObject({ status: 'confirmed' })
    account.silent.clear()
    await write(30 * MINUTE_MS)
    expect(await booking()).toMatchObject({ status: 'cancelled' })
  })

  it('cancels its booking later when the event type is too busy at that moment', async () => {
    const { account, eventId, sync, write, writeOf, booking, env: of } = await written()
    account.take(eventId, 'work')
    await sync()
    const busy = { run: async () => refused(because('changing')) } as unknown as DurableObjectStub
    vi.spyOn(of.EVENT_TYPES, 'getByName').mockReturnValueOnce(busy)
    await write(11 * MINUTE_MS)
    expect(await booking()).toMatchObject({ status: 'confirmed' })
    expect(await writeOf()).toMatchObject({ status: 'pending', cancel_at: expect.any(Number) })
    await write(30 * MINUTE_MS)
    expect(await booking()).toMatchObject({ status: 'cancelled' })
  })
})
