import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Account, accountOn, calendarOf, HOUR_MS, hour, SLOT } from './account.ts'
import type { Holdfast } from './holdfast.ts'
import type { Server } from './servers.ts'

/** The same as a check, of a running service that has the account connected. */
export type ApiCheck = {
  readonly what: string
  readonly run: (server: Server, account: Account, holdfast: Holdfast) => Promise<string | null | undefined>
}

const iso = (instant: number) => new Date(instant).toISOString()
const stamp = (instant: number) => iso(instant).replace(/[-:]|\.\d+/g, '')

async function until<T>(look: () => Promise<T | null | undefined | false>, what: string): Promise<T> {
  for (let tries = 0; tries < 150; tries++) {
    const found = await look()
    if (found) return found
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new Error(`This does not come true: ${what}`)
}

function input({ username, password }: Server, address: string) {
  return { preset: 'custom', server_url: address, username, password }
}

type Calls = Awaited<ReturnType<Holdfast['newOrganization']>>

async function startsOf({ as, eventTypeId }: Calls): Promise<string[]> {
  const day = iso(SLOT).slice(0, 10)
  const query = `event_type_id=${eventTypeId}&start=${day}&end=${day}&timezone=UTC`
  const { body } = await as('GET', `/v1/availability?${query}`)
  return body.slots.map(({ start_time }: { start_time: string }) => start_time)
}

export const API_CHECKS: readonly ApiCheck[] = [
  {
    what: 'the API refuses a wrong password, another person’s calendar and one that is not there',
    run: async (server, _, holdfast) => {
      const { as } = await holdfast.newOrganization()
      const connect = (address: string, more = {}) =>
        as('POST', '/v1/calendars/caldav/connect', { ...input(server, address), ...more })
      const addresses = [`${server.home}no-such/`, ...(server.foreign === null ? [] : [server.foreign])]
      const refused = [
        ...(await Promise.all(addresses.map((address) => connect(address)))),
        ...(server.asksPassword ? [await connect(server.home, { password: 'wrong' })] : []),
      ]
      for (const { status, body } of refused)
        assert.deepEqual([status, body.error?.code], [400, 'bad_request'])
      assert.deepEqual((await as('GET', '/v1/calendars/accounts')).body.data, [])
    },
  },
  {
    what: 'through the API, events block time, and a booking is written, moved and cancelled',
    run: async (server, account, holdfast) => {
      const url = await account.newCalendar()
      const organization = await holdfast.newOrganization()
      const { as, eventTypeId } = organization
      await account.put(url, randomUUID(), ...hour(0))
      const connected = await as('POST', '/v1/calendars/caldav/connect', input(server, url))
      assert.equal(connected.status, 201, JSON.stringify(connected.body))
      const { id, calendar_id, sync_status, provider_metadata } = connected.body
      assert.deepEqual([calendar_id, sync_status], [url, 'connected'])
      assert.equal(provider_metadata.auth_method, server.asksPassword ? 'basic' : 'none')
      const again = await as('POST', '/v1/calendars/caldav/connect', input(server, url))
      assert.equal(again.status, 409)
      const sync = async () =>
        assert.equal((await as('POST', `/v1/calendars/${id}/sync`)).body.sync_status, 'connected')
      const isOpen = async (after: number) =>
        (await startsOf(organization)).includes(iso(SLOT + after * HOUR_MS))
      assert.deepEqual([await isOpen(0), await isOpen(2)], [false, true])
      // Nothing polls in between: the booking itself asks.
      await account.put(url, randomUUID(), ...hour(2))
      const book = (after: number) =>
        as('POST', '/v1/bookings', {
          event_type_id: eventTypeId,
          start_time: iso(SLOT + after * HOUR_MS),
          invitee_name: 'Ada "Ace" L',
          invitee_email: 'ada@example.org',
          notes: 'Line one\nLine two; with, all \\ signs 🎉',
        })
      assert.equal((await book(2)).status, 409)
      const { body: booking } = await book(4)
      const bookingNow = async () => (await as('GET', `/v1/bookings/${booking.id}`)).body
      const { calendar_event_id: eventId } = await until(async () => {
        const found = await bookingNow()
        return found.calendar_event_id !== null && found
      }, 'the booking is in the calendar')
      const resource = new URL(eventId, url).href
      const textNow = async () => (await account.dav('GET', resource)).text.replace(/\r?\n[ \t]/g, '')
      const text = await textNow()
      for (const part of ['Intro · Zoë', 'Line two\\; with\\, all \\\\ signs 🎉', stamp(SLOT + 4 * HOUR_MS)])
        assert.ok(text.includes(part), part)
      const moved = await as('POST', `/v1/bookings/${booking.id}/reschedule`, {
        new_start_time: iso(SLOT + 6 * HOUR_MS),
      })
      assert.equal(moved.status, 200, JSON.stringify(moved.body))
      await until(async () => (await textNow()).includes(stamp(SLOT + 6 * HOUR_MS)), 'the event is moved')
      await sync()
      assert.deepEqual([await isOpen(4), await isOpen(6)], [true, false])
      const changed = (await textNow())
        .replace(/DTSTART[^\r\n]*/, hour(8)[0]!)
        .replace(/DTEND[^\r\n]*/, hour(8)[1]!)
      await account.must('PUT', resource, changed)
      await sync()
      const { out_of_sync: moves } = await until(async () => {
        const found = await bookingNow()
        return found.out_of_sync !== null && found
      }, 'the move in the calendar is noticed')
      assert.equal(moves.start_time, iso(SLOT + 8 * HOUR_MS))
      assert.equal(await isOpen(8), false)
      const cancelled = await as('POST', `/v1/bookings/${booking.id}/cancel`)
      assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body))
      await until(async () => (await account.dav('GET', resource)).status === 404, 'the event is removed')
      await sync()
      assert.equal(await isOpen(6), true)
    },
  },
  {
    what: 'a calendar that may only be read blocks time, also when booking, and receives no bookings',
    run: async (server, account, holdfast) => {
      const share = server.control?.readOnly
      if (!share) return null
      const made = await account.newCalendar()
      const { url, editorUrl } = share(made.slice(server.home.length).replace(/\/$/, ''))
      const editor = accountOn({ ...server, username: 'grace' }, 'secret-grace')
      await editor.put(editorUrl, randomUUID(), ...hour(0))
      const { status } = await account.dav('PUT', `${url}own.ics`, calendarOf('own', ...hour(1)))
      assert.ok(status >= 400, 'it may be written to')
      const organization = await holdfast.newOrganization()
      const { as, eventTypeId } = organization
      const connected = await as('POST', '/v1/calendars/caldav/connect', input(server, url))
      assert.equal(connected.status, 201, JSON.stringify(connected.body))
      assert.deepEqual([connected.body.calendar_id, connected.body.receives_bookings], [url, false])
      const starts = await startsOf(organization)
      assert.deepEqual([starts.includes(iso(SLOT)), starts.includes(iso(SLOT + 2 * HOUR_MS))], [false, true])
      // Nothing polls in between: the booking itself asks.
      await editor.put(editorUrl, randomUUID(), ...hour(2))
      const booking = await as('POST', '/v1/bookings', {
        event_type_id: eventTypeId,
        start_time: iso(SLOT + 2 * HOUR_MS),
        ...{ invitee_name: 'Ada', invitee_email: 'ada@example.org' },
      })
      assert.equal(booking.status, 409, JSON.stringify(booking.body))
      const path = `/v1/calendars/${connected.body.id}`
      assert.equal((await as('PATCH', path, { receives_bookings: true })).status, 400)
      const [listed] = (await as('GET', '/v1/calendars/accounts')).body.data
      const found = listed.calendars.find(({ external_id }: { external_id: string }) => external_id === url)
      assert.equal(found.can_write, false)
    },
  },
]
