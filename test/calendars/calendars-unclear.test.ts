import { describe, expect, it } from 'vitest'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { serviceWith } from '../support/service-with.ts'
import { openWorld } from '../support/world.ts'

const HOUR_MS = 60 * 60_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const PATH = '/private-77ab01/unclear.ics'

function stamp(instant: number): string {
  return iso(instant).replace(/[-:]|\.\d+/g, '')
}

function calendarOf(uid: string, ...lines: readonly string[]): any {
  const event = ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT']
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...event, 'END:VCALENDAR', ''].join('\r\n')
}

/** Two hours from `start` on, said by a good start and end beside lines that make no sense. */
function odd(uid: string, start: number, ...lines: readonly string[]) {
  return calendarOf(uid, `DTSTART:${stamp(start)}`, `DTEND:${stamp(start + 2 * HOUR_MS)}`, ...lines)
}

/** A world of the kind, and how an account of it is connected. */
const KINDS = {
  caldav: async () => {
    const world = openWorld('caldav')
    await world.set({ server: 'sabredav' })
    const { username, password, url }: any = await world.look()
    const input = { preset: 'custom', server_url: url, username, password }
    return { seed: (events: any[]) => world.seed(events), path: '/v1/calendars/caldav/connect', input }
  },
  ics: async () => {
    const world = openWorld('ics')
    const { url }: any = await world.control('PUT', '/feeds', { path: PATH })
    const all: string[] = []
    const seed = async (events: string[]) => {
      all.push(...events.map((text) => /BEGIN:VEVENT.*END:VEVENT/s.exec(text)![0]))
      await world.control('PUT', '/feeds', { path: PATH, events: all })
    }
    return { seed, path: '/v1/calendars/ics/connect', input: { url } }
  },
}

async function worldOf(kind: keyof typeof KINDS) {
  const service = serviceWith({ ALLOW_PRIVATE_HOSTS: 'true' })
  const { liveKey: key } = await createOrganization()
  const { id } = await createEventType(key)
  const { seed, path, input } = await KINDS[kind]()
  const connect = async () => {
    const { status, body } = await service.call('POST', path, { key, body: input })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  const isOpen = async (start: number) => (await service.openStarts(id, start)).includes(iso(start))
  const book = (start: number) =>
    service.call('POST', '/v1/bookings', {
      body: {
        event_type_id: id,
        start_time: iso(start),
        invitee_name: 'Ada',
        invitee_email: 'ada@example.com',
      },
    })
  const sync = async (connectionId: string) =>
    (await service.call('POST', `/v1/calendars/${connectionId}/sync`, { key })).body
  return { seed, connect, isOpen, book, sync }
}

describe.each(['caldav', 'ics'] as const)('an event with a detail that makes no sense, in %s', (kind) => {
  it('blocks when it is connected, and is not reported if that changes no busy time', async () => {
    const { seed, connect, isOpen } = await worldOf(kind)
    await seed([
      odd('a', SLOT, 'DTSTAMP:20260101T0000Z', 'SEQUENCE:new', 'ATTENDEE;CN=Ada', 'EXDATE:'),
      odd('b', SLOT + 3 * HOUR_MS, 'RRULE:FREQ=WEEKLY; BYDAY=MO, TU, WE, TH, FR, SA, SU'),
    ])
    const { sync_error } = await connect()
    expect(sync_error).toBeNull()
    expect(await Promise.all([0, 1, 2, 3, 4].map((hour) => isOpen(SLOT + hour * HOUR_MS)))).toEqual([
      false,
      false,
      true,
      false,
      false,
    ])
  })

  it('blocks after a sync, and the earliest is named by its date and UID', async () => {
    const { seed, connect, isOpen, sync } = await worldOf(kind)
    const { id, sync_error } = await connect()
    expect(sync_error).toBeNull()
    await seed([odd('rule', SLOT, 'RRULE:=undefined', 'SUMMARY:Secret')])
    const day = iso(SLOT).slice(0, 10)
    const one = `1 event could not be understood in full: ${day}, UID rule.`
    expect((await sync(id)).sync_error).toBe(one)
    expect([await isOpen(SLOT), await isOpen(SLOT + HOUR_MS)]).toEqual([false, false])
    const later = SLOT + 24 * HOUR_MS
    await seed([calendarOf('end', `DTSTART:${stamp(later)}`, 'DTEND:None')])
    await seed([calendarOf('start', 'DTSTART:None', `DTEND:${stamp(later)}`)])
    const three = `3 events could not be understood in full, the earliest: ${day}, UID rule.`
    expect((await sync(id)).sync_error).toBe(three)
    expect([await isOpen(later), await isOpen(later + HOUR_MS)]).toEqual([false, true])
    expect((await sync(id)).sync_error).toBe(three)
  })

  it('blocks when a booking asks the calendar', async () => {
    const { seed, connect, isOpen, book } = await worldOf(kind)
    await connect()
    await seed([odd('a', SLOT, 'EXDATE:never', 'RRULE:FREQ=DAILY;COUNT=2', 'DTSTAMP:now')])
    expect(await isOpen(SLOT)).toBe(true)
    expect((await book(SLOT)).status).toBe(409)
    expect((await book(SLOT + 2 * HOUR_MS)).status).toBe(201)
  })
})
