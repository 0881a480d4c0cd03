import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { CALDAV_USERS } from '../support/caldav.ts'
import { SERVICE_KEY, type Service, startService } from '../support/service.ts'
import { startXandikos, type Xandikos } from '../support/xandikos.ts'

let xandikos: Xandikos

beforeAll(async () => {
  xandikos = await startXandikos()
})
afterAll(() => xandikos?.stop())

function ask(url: string, method: string, body?: string, password?: string): Promise<Response> {
  const { username, password: right } = CALDAV_USERS.ada
  return fetch(url, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(`${username}:${password ?? right}`).toString('base64')}`,
      Depth: '1',
    },
    ...(body !== undefined && { body }),
  })
}

describe('Xandikos', () => {
  it('has two calendars behind a password, each with its own events', async () => {
    expect((await ask(xandikos.url, 'PROPFIND', undefined, 'wrong')).status).toBe(401)
    const found = await (await ask(`${xandikos.url}/ada/calendars/`, 'PROPFIND')).text()
    expect(found.match(/:calendar \/>/g)).toHaveLength(2)
    const { first, second } = xandikos.calendars
    const event =
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:x\r\nDTSTAMP:20300101T000000Z\r\nDTSTART:20300107T100000Z\r\nDTEND:20300107T110000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
    expect((await ask(`${second}x.ics`, 'PUT', event)).status).toBe(201)
    expect((await ask(`${second}x.ics`, 'GET')).headers.get('ETag')).toMatch(/^"[0-9a-f]{40}"$/)
    expect((await ask(`${first}x.ics`, 'GET')).status).toBe(404)
  })
})

describe('an account at Xandikos', () => {
  let directory: string
  let service: Service
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'xandikos-account-'))
    service = await startService(await takeBuilt(directory), directory)
  })
  afterAll(async () => {
    await service?.kill()
    await rm(directory, { recursive: true, force: true })
  })

  async function call(method: string, path: string, body?: unknown, bearer = SERVICE_KEY, organization = '') {
    const response = await fetch(new URL(path, service.url), {
      method,
      headers: {
        'CF-Connecting-IP': '10.3.0.1',
        'Content-Type': 'application/json',
        Authorization: `Bearer ${bearer}`,
        ...(organization && { 'X-Org-Id': organization }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }

  async function newOrganization() {
    const named = { name: 'Xandikos', owner_user_id: crypto.randomUUID() }
    const organization = (await call('POST', '/v1/organizations', named)).body.id
    const made = await call('POST', '/v1/api-keys', { name: 'test' }, SERVICE_KEY, organization)
    return (method: string, path: string, body?: unknown) => call(method, path, body, made.body.key)
  }
  type Calls = Awaited<ReturnType<typeof newOrganization>>

  async function newEventType(as: Calls): Promise<string> {
    const input = { title: 'Intro', slug: 'intro', duration_minutes: 60, timezone: 'UTC' }
    const eventType = await as('POST', '/v1/event-types', input)
    const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      day_of_week,
      start_time: '09:00',
      end_time: '12:00',
    }))
    const put = await as('PUT', `/v1/event-types/${eventType.body.id}/availability`, { rules })
    expect(put.status).toBe(200)
    return eventType.body.id
  }

  const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const on = (day: string, hour: string) => `${day.replaceAll('-', '')}T${hour}0000Z`
  const event = (uid: string, start: string, ...more: readonly string[]) => {
    const lines = [`UID:${uid}`, 'DTSTAMP:20260101T000000Z', `DTSTART:${start}`, 'DURATION:PT1H', ...more]
    const component = ['BEGIN:VEVENT', ...lines, 'END:VEVENT']
    return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', ...component, 'END:VCALENDAR', ''].join('\r\n')
  }

  async function hoursOf(as: Calls, eventTypeId: string, date: string): Promise<string[]> {
    const query = `event_type_id=${eventTypeId}&start=${date}&end=${date}&timezone=UTC`
    const { slots } = (await as('GET', `/v1/availability?${query}`)).body
    return slots.map(({ start_time }: { start_time: string }) => start_time.slice(11, 13))
  }

  it('is connected by its address alone, and the events of both calendars block times', async () => {
    const [as, date] = [await newOrganization(), dateIn(3)]
    const input = { preset: 'custom', server_url: xandikos.url, ...CALDAV_USERS.ada }
    const main = await as('POST', '/v1/calendars/caldav/connect', input)
    expect([main.status, main.body.sync_status, main.body.receives_bookings]).toEqual([
      201,
      'connected',
      true,
    ])
    const { first, second } = xandikos.calendars
    const [account] = (await as('GET', '/v1/calendars/accounts')).body.data
    const ids = account.calendars.map(({ external_id }: { external_id: string }) => external_id)
    expect(ids.sort()).toEqual([first, second].sort())
    const other = ids.find((id: string) => id !== main.body.calendar_id)
    const added = await as('POST', '/v1/calendars', { account_id: account.id, external_id: other })
    expect([added.status, added.body.sync_status]).toEqual([201, 'connected'])

    const eventTypeId = await newEventType(as)
    await ask(`${main.body.calendar_id}a.ics`, 'PUT', event('at-09', on(date, '09')))
    await ask(`${other}b.ics`, 'PUT', event('at-11', on(date, '11')))
    for (const { body } of [main, added]) {
      expect((await as('POST', `/v1/calendars/${body.id}/sync`)).body.sync_status).toBe('connected')
    }
    const open = await hoursOf(as, eventTypeId, date)
    expect([open.includes('09'), open.includes('10'), open.includes('11')]).toEqual([false, true, false])
    await ask(`${other}b.ics`, 'DELETE')
    await as('POST', `/v1/calendars/${added.body.id}/sync`)
    expect(await hoursOf(as, eventTypeId, date)).toContain('11')
  })

  it('has series that began long ago, which block times and bookings (those of Xandikos are found by their first time only)', async () => {
    const [date, aYearBefore] = [dateIn(4), dateIn(4 - 364)]
    const { first } = xandikos.calendars
    await ask(`${first}weekly.ics`, 'PUT', event('weekly', on(aYearBefore, '09'), 'RRULE:FREQ=WEEKLY'))
    await ask(`${first}dates.ics`, 'PUT', event('dates', on(aYearBefore, '10'), `RDATE:${on(date, '10')}`))
    const as = await newOrganization()
    const eventTypeId = await newEventType(as)
    const input = { preset: 'custom', server_url: first, ...CALDAV_USERS.ada }
    const connected = await as('POST', '/v1/calendars/caldav/connect', input)
    expect(connected.body.sync_status).toBe('connected')
    expect(await hoursOf(as, eventTypeId, date)).toEqual(['11'])
    // Nothing polls in between: the booking itself asks.
    await ask(`${first}late.ics`, 'PUT', event('late', on(aYearBefore, '11'), 'RRULE:FREQ=DAILY'))
    const invitee = { invitee_name: 'Ada', invitee_email: 'ada@example.com' }
    const start = { event_type_id: eventTypeId, start_time: `${date}T11:00:00Z` }
    expect((await as('POST', '/v1/bookings', { ...start, ...invitee })).status).toBe(409)
  })
})
