import { env } from 'cloudflare:workers'
import ICAL from 'ical.js'
import { describe, expect, inject, it } from 'vitest'
import type { Env } from '../../src/env.ts'
import { handleEvent } from '../../src/worker/jobs/handle-event.ts'
import { call } from '../support/app.ts'
import { CALDAV_USERS, deleteResource, getResource, makeCalendar } from '../support/caldav.ts'
import { soon } from '../support/connected.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const server = inject('radicale')
const { ada } = CALDAV_USERS
Object.assign(env, { ALLOW_PRIVATE_HOSTS: 'true' })

const short = (instant: number) => iso(instant).replace('.000', '')

/** A collective event type; of its hosts, each of `connected` has a calendar of that name, and null none. */
async function meetingOf(
  connected: readonly (string | null)[],
  input: Record<string, unknown> = {},
  parts: readonly string[] = [],
) {
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key, { reminder_intervals: [], ...input })
  const urls = new Map<string, string>()
  const members: string[] = []
  for (const [at, name] of connected.entries()) {
    const { id: memberId } = await createMember(organization)
    members.push(memberId)
    await addHost(key, id, memberId, { part: parts[at] ?? 'pool' })
    if (name === null) continue
    if (!urls.has(name)) urls.set(name, await makeCalendar(server, ada, unique(name)))
    const calendar_url = urls.get(name)
    const body = { preset: 'custom', server_url: server, ...ada, calendar_url, member_id: memberId }
    expect((await call('POST', '/v1/calendars/caldav/connect', { key, body })).status).toBe(201)
  }
  return { organization, key, id: id as string, members, urlOf: (name: string) => urls.get(name)! }
}

/** The events of a calendar, as any other program sees them. */
async function eventsOf(calendarUrl: string) {
  const text = await getResource(calendarUrl, ada)
  if (!text.includes('BEGIN:VCALENDAR')) return []
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return events.map((event) => ({
    uid: event.getFirstPropertyValue('uid'),
    summary: event.getFirstPropertyValue('summary'),
    start: event.getFirstPropertyValue('dtstart')!.toString(),
  }))
}

async function writesOf(holderId: string) {
  const { results } = await env.DB.prepare(
    'SELECT status, next_attempt_at FROM calendar_writes WHERE holder_id = ? ORDER BY connection_id',
  )
    .bind(holderId)
    .all<{ status: string; next_attempt_at: number | null }>()
  return results
}

/** Once nothing is left to be written, how its events ended. */
const settled = (holderId: string, count: number) =>
  soon(async () => {
    const writes = await writesOf(holderId)
    expect(writes).toHaveLength(count)
    expect(writes.filter((write) => write.next_attempt_at !== null)).toEqual([])
    return writes.map(({ status }) => status).sort()
  })

describe('a collective meeting', () => {
  it('is in the calendar of each host who has one, moves there, and goes', async () => {
    const { key, id, urlOf } = await meetingOf([null, 'first', 'second'])
    const urls = [urlOf('first'), urlOf('second')]
    const { body: made } = await bookAsAnother(id, SLOT)
    expect(await settled(made.id, 2)).toEqual(['written', 'written'])
    for (const url of urls)
      expect(await eventsOf(url)).toMatchObject([{ uid: `${made.id}@holdfast`, start: short(SLOT) }])
    const body = { new_start_time: iso(SLOT + HOUR_MS) }
    await call('POST', `/v1/bookings/${made.id}/reschedule`, { key, body })
    for (const url of urls)
      await soon(async () => expect(await eventsOf(url)).toMatchObject([{ start: short(SLOT + HOUR_MS) }]))
    await settled(made.id, 2)
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key })
    expect(await settled(made.id, 2)).toEqual(['removed', 'removed'])
    for (const url of urls) expect(await eventsOf(url)).toEqual([])
  })

  it('is written once a request for it is approved', async () => {
    const { key, id, urlOf } = await meetingOf(['first', 'second'], { requires_approval: true })
    const { body: made } = await bookAsAnother(id, SLOT)
    expect(made.status).toBe('pending_approval')
    expect(await writesOf(made.id)).toEqual([])
    expect((await call('POST', `/v1/bookings/${made.id}/approve`, { key })).status).toBe(200)
    expect(await settled(made.id, 2)).toEqual(['written', 'written'])
    expect(await eventsOf(urlOf('second'))).toHaveLength(1)
  })

  it('names everybody who joins, in each calendar', async () => {
    const { id, urlOf } = await meetingOf(['first', 'second', 'third'], { max_attendees: 5 })
    const { body: one } = await bookAsAnother(id, SLOT)
    await settled(one.session_id, 3)
    await bookAsAnother(id, SLOT)
    for (const name of ['first', 'second', 'third'])
      await soon(async () =>
        expect(await eventsOf(urlOf(name))).toMatchObject([{ summary: expect.stringMatching(/\(2\)$/) }]),
      )
  })

  it('is put back when a host besides the first deletes their event', async () => {
    const { key, id, urlOf } = await meetingOf(['first', 'second'])
    const { body: made } = await bookAsAnother(id, SLOT)
    await settled(made.id, 2)
    await deleteResource(`${urlOf('second')}${encodeURIComponent(`${made.id}@holdfast`)}.ics`, ada)
    const body = { new_start_time: iso(SLOT + HOUR_MS) }
    await call('POST', `/v1/bookings/${made.id}/reschedule`, { key, body })
    await soon(async () =>
      expect(await eventsOf(urlOf('second'))).toMatchObject([{ start: short(SLOT + HOUR_MS) }]),
    )
    expect((await call('GET', `/v1/bookings/${made.id}`, { key })).body.status).toBe('rescheduled')
  })

  it('leaves the calendar of a host who gives it away, and is in the next one’s', async () => {
    const { key, id, members, organization, urlOf } = await meetingOf(['first', 'second'])
    const { body: made } = await bookAsAnother(id, SLOT)
    await settled(made.id, 2)
    const { id: taker } = await createMember(organization)
    await addHost(key, id, taker)
    const calendar_url = await makeCalendar(server, ada, unique('third'))
    const connecting = { preset: 'custom', server_url: server, ...ada, calendar_url, member_id: taker }
    expect((await call('POST', '/v1/calendars/caldav/connect', { key, body: connecting })).status).toBe(201)
    const body = { member_id: taker, from_member_id: members[1] }
    const given = await call('POST', `/v1/bookings/${made.id}/reassign`, { key, body })
    expect([given.status, given.body.error]).toEqual([200, undefined])
    await soon(async () => expect(await eventsOf(calendar_url)).toHaveLength(1))
    await soon(async () => expect(await eventsOf(urlOf('second'))).toEqual([]))
    expect(await eventsOf(urlOf('first'))).toHaveLength(1)
  })

  it('is written once to a calendar that hosts share, and stays while one of them takes part', async () => {
    const { key, id, members, organization, urlOf } = await meetingOf(['shared', 'shared', 'own'])
    const { body: made } = await bookAsAnother(id, SLOT)
    expect(await settled(made.id, 2)).toEqual(['written', 'written'])
    expect(await eventsOf(urlOf('shared'))).toHaveLength(1)
    const { id: taker } = await createMember(organization)
    await addHost(key, id, taker)
    const body = { member_id: taker, from_member_id: members[0] }
    expect((await call('POST', `/v1/bookings/${made.id}/reassign`, { key, body })).status).toBe(200)
    expect(await settled(made.id, 3)).toEqual(['removed', 'written', 'written'])
    expect(await eventsOf(urlOf('shared'))).toHaveLength(1)
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key })
    expect(await settled(made.id, 3)).toEqual(['removed', 'removed', 'removed'])
    for (const name of ['shared', 'own']) expect(await eventsOf(urlOf(name))).toEqual([])
  })

  it('is written once to a calendar that hosts with parts share', async () => {
    const parts = ['pool', 'required', 'required']
    const { key, id, urlOf } = await meetingOf(
      ['shared', 'shared', 'own'],
      { assignment_strategy: 'round_robin' },
      parts,
    )
    const { body: made } = await bookAsAnother(id, SLOT)
    expect(await settled(made.id, 3)).toEqual(['removed', 'written', 'written'])
    for (const name of ['shared', 'own']) expect(await eventsOf(urlOf(name))).toHaveLength(1)
    await call('POST', `/v1/bookings/${made.id}/cancel`, { key })
    expect(await settled(made.id, 3)).toEqual(['removed', 'removed', 'removed'])
    for (const name of ['shared', 'own']) expect(await eventsOf(urlOf(name))).toEqual([])
  })

  it('is brought into a calendar that a host connects later', async () => {
    const { key, id, members } = await meetingOf(['first', null])
    const { body: made } = await bookAsAnother(id, SLOT)
    await settled(made.id, 1)
    const calendar_url = await makeCalendar(server, ada, unique('late'))
    const body = { preset: 'custom', server_url: server, ...ada, calendar_url, member_id: members[1] }
    expect((await call('POST', '/v1/calendars/caldav/connect', { key, body })).status).toBe(201)
    expect(await settled(made.id, 2)).toEqual(['written', 'written'])
    expect(await eventsOf(calendar_url)).toHaveLength(1)
  })
})

describe('the event of a booking', () => {
  /** What handling the event of a new booking costs, the second time too. */
  async function costOf(strategy: string, calendars: readonly string[]) {
    const { id } = await meetingOf(calendars, { assignment_strategy: strategy })
    const quiet = { send: async () => {}, sendBatch: async () => {} }
    const held = env.EVENTS
    Object.assign(env, { EVENTS: quiet })
    const { body: made } = await bookAsAnother(id, SLOT)
    const { trips, ran, env: counted } = countedEnv({ ...env, EVENTS: quiet } as unknown as Env)
    const event = await env.DB.prepare("SELECT id FROM events WHERE data ->> '$.id' = ?")
      .bind(made.id)
      .first<{ id: string }>()
    const before = await writesOf(made.id)
    await handleEvent(counted, event!.id)
    const handled = trips.count
    const written = ran.reduce((sum, one) => sum + one.written, 0)
    Object.assign(env, { EVENTS: held })
    return { trips: handled, written, before: before.length, after: (await writesOf(made.id)).length }
  }

  it('makes the events of a session due again, but only its own in the request', async () => {
    const { id } = await meetingOf(['first', 'second', 'third'], { max_attendees: 5 })
    const { body: first } = await bookAsAnother(id, SLOT)
    await settled(first.session_id, 3)
    const held = env.EVENTS
    Object.assign(env, { EVENTS: { send: async () => {}, sendBatch: async () => {} } })
    const { body: second } = await bookAsAnother(id, SLOT)
    const countDue = async () =>
      (await writesOf(first.session_id)).filter((write) => write.next_attempt_at !== null).length
    expect(await countDue()).toBe(1)
    const event = await env.DB.prepare("SELECT id FROM events WHERE data ->> '$.id' = ?")
      .bind(second.id)
      .first<{ id: string }>()
    await handleEvent(env, event!.id)
    expect(await countDue()).toBe(3)
    Object.assign(env, { EVENTS: held })
  })

  it('asks for the other hosts’ events in one round trip, however many they are', async () => {
    const one = await costOf('round_robin', ['first'])
    const [two, four] = [
      await costOf('none', ['first', 'second']),
      await costOf('none', ['first', 'second', 'third', 'fourth']),
    ]
    expect([one.before, one.after]).toEqual([1, 1])
    expect([two.before, two.after]).toEqual([1, 2])
    expect([four.before, four.after]).toEqual([1, 4])
    expect([two.trips, four.trips]).toEqual([one.trips + 1, one.trips + 1])
    // The row with its four index entries, and what is enqueued for two more hosts.
    expect(four.written - two.written).toBeLessThanOrEqual(2 * (5 + 2))
  })
})
