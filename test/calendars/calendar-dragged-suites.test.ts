import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { call } from '../support/app.ts'
import { soon } from '../support/connected.ts'
import { book, createEventType, dayFromNow, iso } from '../support/factories.ts'
import { connectSuite, SUITE_WORLDS, type Suite } from '../support/suite-worlds.ts'
import { syncNow } from '../support/sync.ts'
import { isWritten, writeOf } from '../support/written.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS

describe.each(Object.keys(SUITE_WORLDS) as Suite[])('an event of ours in %s', (suite) => {
  const { world, isThere, watched, tell } = SUITE_WORLDS[suite]

  async function written() {
    const { key, email, connection } = await connectSuite(suite)
    const { id: calendarId } = await world.addCalendar({ name: 'Private' }, email)
    const { id: eventTypeId } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(eventTypeId, SLOT)
    /** When our event begins, in the calendar where it is; nothing where it is nowhere. */
    const places = async () =>
      (await world.look(email))
        .events!.filter(isThere)
        .map(({ calendar, start }: any) => [calendar, start.dateTime.slice(0, 16)])
    await isWritten(made.id)
    await syncNow(env, connection.id)
    const drag = async () => {
      const [event] = (await world.look(email)).events!.filter(isThere)
      await world.drag(event!.id, calendarId, email)
    }
    const booking = async () => (await call('GET', `/v1/bookings/${made.id}`, { key })).body
    const change = (verb: string, body = {}) => call('POST', `/v1/bookings/${made.id}/${verb}`, { key, body })
    return {
      key,
      connection,
      calendarId,
      eventTypeId,
      drag,
      isWritten: () => isWritten(made.id),
      places,
      booking,
      change,
    }
  }

  it('that is dragged into another calendar is followed there', async () => {
    const { connection, calendarId, drag, isWritten, places, booking, change } = await written()
    await drag()
    await syncNow(env, connection.id)
    await soon(async () => expect(await isWritten()).toMatchObject({ calendar_id: calendarId }))
    expect(await booking()).toMatchObject({ status: 'confirmed', sync_error: null })

    await change('reschedule', { new_start_time: iso(SLOT + HOUR_MS) })
    await soon(async () => expect((await places()).map(([calendar]) => calendar)).toEqual([calendarId]))
    expect(await isWritten()).toMatchObject({ calendar_id: calendarId, written_start: SLOT + HOUR_MS })
    await syncNow(env, connection.id)
    expect(await booking()).toMatchObject({ status: 'rescheduled', sync_error: null })
    await change('cancel')
    await soon(async () => expect(await places()).toEqual([]))
  })

  it('that is dragged does not block time when the other calendar is connected too', async () => {
    const { key, connection, calendarId, eventTypeId, drag, isWritten, change } = await written()
    await drag()
    const input = { account_id: connection.account_id, external_id: calendarId }
    const { status, body } = await call('POST', '/v1/calendars', { key, body: input })
    expect(status).toBe(201)
    await syncNow(env, connection.id)
    await soon(async () => expect(await isWritten()).toMatchObject({ calendar_id: calendarId }))
    const { results } = await env.DB.prepare('SELECT * FROM calendar_busy_times WHERE connection_id = ?')
      .bind(body.id)
      .all()
    expect(results).toEqual([])
    await change('cancel')
    expect((await book(eventTypeId, SLOT)).status).toBe(201)
  })

  it('that is dragged and cancelled before any notification of it is gone', async () => {
    const { drag, places, change } = await written()
    await drag()
    await change('cancel')
    await soon(async () => expect(await places()).toEqual([]))
  })

  it('that its owner deletes before any listing had it is missed', async () => {
    const { key, email, connection } = await connectSuite(suite)
    await soon(async () => expect(watched(await world.look(email))).toHaveLength(1))
    await syncNow(env, connection.id)
    const { id: eventTypeId } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(eventTypeId, SLOT)
    await isWritten(made.id)
    const { events, ...looked } = await world.look(email)
    await world.remove(events!.find(isThere)!.id, email)
    const path = `/v1/calendars/${suite}/notifications`
    expect((await call('POST', path, tell(watched(looked)[0]!))).status).toBe(204)
    await soon(async () => expect(await writeOf(made.id)).toMatchObject({ cancel_at: expect.any(Number) }))
  })
})
