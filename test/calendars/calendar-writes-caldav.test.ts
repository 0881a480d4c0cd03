import { env } from 'cloudflare:workers'
import ICAL from 'ical.js'
import { describe, expect, inject, it } from 'vitest'
import { writeToCalendar } from '../../src/calendars/writes/write-to-calendar.ts'
import { call } from '../support/app.ts'
import { CALDAV_USERS, deleteResource, getResource, makeCalendar, putCalendar } from '../support/caldav.ts'
import { soon } from '../support/connected.ts'
import { book, createEventType, createOrganization, dayFromNow, iso, unique } from '../support/factories.ts'
import { afterPatience } from '../support/patience-of-writes.ts'
import { syncNow } from '../support/sync.ts'
import { openWorld } from '../support/world.ts'
import { isWritten, writeOf } from '../support/written.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const server = inject('radicale')
const { ada } = CALDAV_USERS
Object.assign(env, { ALLOW_PRIVATE_HOSTS: 'true' })

type Json = Record<string, any>

async function connected() {
  const { liveKey: key } = await createOrganization()
  const calendarUrl = await makeCalendar(server, ada, unique('work'))
  const { status, body } = await call('POST', '/v1/calendars/caldav/connect', {
    key,
    body: { preset: 'custom', server_url: server, ...ada, calendar_url: calendarUrl },
  })
  expect([status, body.error]).toEqual([201, undefined])
  return { key, calendarUrl, connectionId: body.id as string }
}

/** The same of a world with such a server. */
async function connectedTo(kind: 'open-xchange' | 'sabredav' | 'sogo' | 'cyrus') {
  const world = openWorld('caldav')
  await world.set({ server: kind })
  const { username, password, home: server_url }: Json = await world.look()
  const { liveKey: key } = await createOrganization()
  const connecting = { preset: 'custom', server_url, username, password }
  const { status, body } = await call('POST', '/v1/calendars/caldav/connect', { key, body: connecting })
  expect(status).toBe(201)
  return { world, key, connectionId: body.id as string }
}

function booking(key: string, id: string): Promise<Json> {
  return call('GET', `/v1/bookings/${id}`, { key }).then(({ body }) => body)
}

async function sync(connectionId: string): Promise<void> {
  await syncNow(env, connectionId)
}

function resourceUrl(row: Json): string {
  return new URL(row.event_id, server).href
}

/** The events of the whole calendar, as any other program sees them. */
async function eventsOf(calendarUrl: string) {
  const text = await getResource(calendarUrl, ada)
  if (!text.includes('BEGIN:VCALENDAR')) return []
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return events.map((event) => ({
    uid: event.getFirstPropertyValue('uid'),
    summary: event.getFirstPropertyValue('summary'),
    start: event.getFirstPropertyValue('dtstart')!.toString(),
    sequence: event.getFirstPropertyValue('sequence'),
  }))
}

const short = (instant: number) => iso(instant).replace('.000', '')

/** As iCalendar writes an instant. */
const clock = (instant: number) => iso(instant).replace(/[-:]|\.\d{3}/g, '')

/** The event of a booking at SLOT, four hours later. */
function movedByHours(text: string): string {
  return text
    .replace(clock(SLOT), clock(SLOT + 4 * HOUR_MS))
    .replace(clock(SLOT + HOUR_MS / 2), clock(SLOT + 4.5 * HOUR_MS))
}

describe('a booking in a CalDAV calendar', () => {
  it('appears, moves and goes, under the UID of its emails', async () => {
    const { key, calendarUrl } = await connected()
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    expect(await eventsOf(calendarUrl)).toEqual([
      { uid: `${made.id}@holdfast`, summary: 'Intro call: Ada Lovelace', start: short(SLOT), sequence: 0 },
    ])
    await call('POST', `/v1/bookings/${made.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await soon(async () =>
      expect(await eventsOf(calendarUrl)).toMatchObject([{ start: short(SLOT + HOUR_MS), sequence: 1 }]),
    )
    await isWritten(made.id)
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key })
    await soon(async () => expect(await eventsOf(calendarUrl)).toEqual([]))
  })

  it.each([
    ['', false],
    [', also after an answer that got lost', true],
  ])('moves if its server refuses the etag that it returned a moment ago%s', async (_, isLost) => {
    const { world, key } = await connectedTo('open-xchange')
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    if (isLost)
      await env.DB.prepare(
        "UPDATE calendar_writes SET event_id = NULL, etag = NULL, status = 'pending' WHERE holder_id = ?",
      )
        .bind(made.id)
        .run()
    await world.troubles([{ about: 'PUT ', of: '"if-match":"http', times: null, status: 412 }])
    await call('POST', `/v1/bookings/${made.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    const stamp = short(SLOT + HOUR_MS).replace(/[-:]/g, '')
    await soon(async () => {
      const { events } = await world.look()
      const ours = events!.filter(({ uid }) => uid === `${made.id}@holdfast`)
      expect(ours).toMatchObject([{ text: expect.stringContaining(`DTSTART:${stamp}`) }])
    })
    expect((await isWritten(made.id)).last_error).toBeNull()
  })

  it('is there once though the process dies between writing and remembering', async () => {
    const { key, calendarUrl, connectionId } = await connected()
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    await env.DB.prepare(
      "UPDATE calendar_writes SET event_id = NULL, etag = NULL, status = 'pending', next_attempt_at = 1 WHERE holder_id = ?",
    )
      .bind(made.id)
      .run()
    await Promise.all([1, 2].map(() => writeToCalendar(env, { holderId: made.id, connectionId })))
    await isWritten(made.id)
    expect(await eventsOf(calendarUrl)).toHaveLength(1)
  })

  it('is cancelled when its owner deletes the event', async () => {
    const { key, calendarUrl, connectionId } = await connected()
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(id, SLOT)
    const row = await isWritten(made.id)
    await sync(connectionId)
    await deleteResource(resourceUrl(row), ada)
    await sync(connectionId)
    await afterPatience(made.id)
    await soon(async () =>
      expect(await booking(key, made.id)).toMatchObject({
        status: 'cancelled',
        cancel_reason: 'Deleted in the calendar',
      }),
    )
    expect(await eventsOf(calendarUrl)).toEqual([])
  })

  it('is flagged when its owner moves the event, which gives way to the next change', async () => {
    const { key, calendarUrl, connectionId } = await connected()
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(id, SLOT)
    const row = await isWritten(made.id)
    await sync(connectionId)
    const text = await getResource(resourceUrl(row), ada)
    await putCalendar(resourceUrl(row), ada, movedByHours(text))
    await sync(connectionId)
    await soon(async () =>
      expect((await booking(key, made.id)).sync_error).toContain('Moved in the calendar'),
    )
    await call('POST', `/v1/bookings/${made.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await soon(async () => {
      expect(await eventsOf(calendarUrl)).toMatchObject([{ start: short(SLOT + HOUR_MS) }])
      expect((await booking(key, made.id)).sync_error).toBeNull()
    })
  })

  it('is flagged with its ends when its owner makes the event shorter', async () => {
    const { key, connectionId } = await connected()
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(id, SLOT)
    const url = resourceUrl(await isWritten(made.id))
    await sync(connectionId)
    const [ends, end] = [SLOT + HOUR_MS / 4, SLOT + HOUR_MS / 2]
    await putCalendar(url, ada, (await getResource(url, ada)).replace(clock(end), clock(ends)))
    await sync(connectionId)
    await soon(async () =>
      expect((await booking(key, made.id)).sync_error).toContain(
        `Ends in the calendar at ${iso(ends)}; the booking ends at ${iso(end)}.`,
      ),
    )
  })

  it('is reported on its calendar when it is moved, before events there that cannot be understood', async () => {
    const { world, key, connectionId } = await connectedTo('sabredav')
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    const { events } = await world.look()
    const { text: ours } = events!.find(({ uid }) => uid === `${made.id}@holdfast`)!
    const odd = ours.replace(`${made.id}@holdfast`, 'odd').replace('STATUS:', 'RRULE:FREQ=SELDOM\r\nSTATUS:')
    const row = () =>
      env.DB.prepare('SELECT sync_error, updated_at FROM calendar_connections WHERE id = ?')
        .bind(connectionId)
        .first<Json>()
    const told = async () => {
      await sync(connectionId)
      return (await row())!.sync_error
    }
    const [oneOdd, moved] = [/^1 event could not be understood/, /^Moved in the calendar/]
    await world.seed([odd])
    expect(await told()).toMatch(oneOdd)
    await world.seed([movedByHours(ours)])
    await sync(connectionId)
    await soon(async () => expect((await row())!.sync_error).toMatch(moved))
    await world.seed([odd.replace(/\bodd\b/, 'fine').replace('RRULE:FREQ=SELDOM\r\n', '')])
    expect(await told()).toMatch(moved)
    const before = await row()
    expect(await told()).toMatch(moved)
    expect(await row()).toEqual(before)

    await call('POST', `/v1/bookings/${made.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await soon(async () => expect(await told()).toMatch(oneOdd))
  })

  it('is reported on its calendar for as long as it is moved, whatever happens to another one', async () => {
    const { key, connectionId } = await connected()
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const dragged = async (start: number) => {
      const { body: made } = await book(id, start)
      const url = resourceUrl(await isWritten(made.id))
      return { id: made.id as string, url, text: await getResource(url, ada) }
    }
    const [one, other] = [await dragged(SLOT), await dragged(SLOT + HOUR_MS)]
    await sync(connectionId)
    const put = async ({ url }: typeof one, text: string) => {
      await putCalendar(url, ada, text)
      await sync(connectionId)
    }
    await putCalendar(other.url, ada, other.text.replace(clock(SLOT + HOUR_MS), clock(SLOT + HOUR_MS / 2)))
    await put(one, movedByHours(one.text))
    const told = async () => {
      const { body } = await call('GET', '/v1/calendars', { key })
      return [(await booking(key, one.id)).sync_error === null, body.data[0].sync_error]
    }
    const movedTo = (start: number) => expect.stringContaining(`Moved in the calendar to ${iso(start)}`)
    await soon(async () => expect(await told()).toEqual([false, movedTo(SLOT + 4 * HOUR_MS)]))
    await put(one, one.text)
    await soon(async () => expect(await told()).toEqual([true, movedTo(SLOT + HOUR_MS / 2)]))
    await call('POST', `/v1/bookings/${other.id}/cancel`, { key })
    await soon(async () => expect(await told()).toEqual([true, null]))
  })

  it('is followed into another calendar of the account, and is changed and deleted there from then on', async () => {
    const { key, calendarUrl, connectionId } = await connected()
    const otherUrl = await makeCalendar(server, ada, unique('private'))
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(id, SLOT)
    const row = await isWritten(made.id)
    await sync(connectionId)
    const text = await getResource(resourceUrl(row), ada)
    await putCalendar(`${otherUrl}dragged.ics`, ada, text)
    await deleteResource(resourceUrl(row), ada)
    await sync(connectionId)
    await soon(async () => {
      const { calendar_id, event_id } = await isWritten(made.id)
      expect([calendar_id, event_id.endsWith('/dragged.ics')]).toEqual([otherUrl, true])
    })
    expect(await booking(key, made.id)).toMatchObject({
      status: 'confirmed',
      sync_error: null,
      calendar_event_id: expect.stringContaining('dragged.ics'),
    })
    await call('POST', `/v1/bookings/${made.id}/reschedule`, {
      key,
      body: { new_start_time: iso(SLOT + HOUR_MS) },
    })
    await soon(async () =>
      expect([await eventsOf(calendarUrl), await eventsOf(otherUrl)]).toMatchObject([
        [],
        [{ start: short(SLOT + HOUR_MS) }],
      ]),
    )
    await isWritten(made.id)
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key })
    await soon(async () => expect(await eventsOf(otherUrl)).toEqual([]))
  })

  it.each(['cyrus', 'sogo'] as const)(
    'is in the calendar that receives from then on, at once, though its UID is taken there: %s',
    async (kind) => {
      const { world, key, connectionId } = await connectedTo(kind)
      const { body: first } = await call('GET', '/v1/calendars/accounts', { key })
      const [account] = first.data
      const work = account.calendars.find(({ external_id }: Json) => external_id.endsWith('/work/'))
      const add = { account_id: account.id, external_id: work.external_id }
      const other = (await call('POST', '/v1/calendars', { key, body: add })).body
      const { id } = await createEventType(key, { reminder_intervals: [] })
      const { body: made } = await book(id, SLOT)
      await isWritten(made.id)
      // It stays in the first calendar, whose owner may want it there, and is written to the second.
      expect((await call('DELETE', `/v1/calendars/${connectionId}`, { key })).status).toBe(204)
      const move = { new_start_time: iso(SLOT + HOUR_MS) }
      expect((await call('POST', `/v1/bookings/${made.id}/reschedule`, { key, body: move })).status).toBe(200)
      const ours = async () => {
        const { events } = await world.look()
        return events!
          .filter(({ uid }) => uid.startsWith(made.id))
          .map(({ calendar, text }) => [calendar, text])
      }
      const at = (start: number) => expect.stringContaining(`DTSTART:${clock(start)}`)
      await soon(async () =>
        expect(await ours()).toEqual([
          ['personal', at(SLOT)],
          ['work', at(SLOT + HOUR_MS)],
        ]),
      )
      const row = await isWritten(made.id)
      expect([row.connection_id, row.last_error]).toEqual([other.id, null])
      await sync(other.id)
      expect(await booking(key, made.id)).toMatchObject({ status: 'rescheduled', sync_error: null })
      await call('POST', `/v1/bookings/${made.id}/cancel`, { key })
      await soon(async () => expect(await ours()).toEqual([['personal', at(SLOT)]]))
    },
  )

  it('outlives a calendar that is deleted as a whole', async () => {
    const { key, calendarUrl, connectionId } = await connected()
    const { id } = await createEventType(key, { reminder_intervals: [] })
    const { body: made } = await book(id, SLOT)
    await isWritten(made.id)
    await sync(connectionId)
    await deleteResource(calendarUrl, ada)
    await sync(connectionId)
    await env.DB.prepare(
      'UPDATE calendar_writes SET suspected_at = 1, next_attempt_at = 1 WHERE holder_id = ?',
    )
      .bind(made.id)
      .run()
    await writeToCalendar(env, { holderId: made.id, connectionId })
    expect(await booking(key, made.id)).toMatchObject({ status: 'confirmed' })
    expect(await writeOf(made.id)).toMatchObject({ status: 'pending', last_error: expect.any(String) })
  })
})
