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

  it('is connected by its address alone, and the events of both calendars block times', async () => {
    const named = { name: 'Xandikos', owner_user_id: crypto.randomUUID() }
    const organization = (await call('POST', '/v1/organizations', named)).body.id
    const made = await call('POST', '/v1/api-keys', { name: 'test' }, SERVICE_KEY, organization)
    const as = (method: string, path: string, body?: unknown) => call(method, path, body, made.body.key)
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

    const eventType = await as('POST', '/v1/event-types', {
      title: 'Intro',
      slug: 'intro',
      duration_minutes: 60,
      timezone: 'UTC',
    })
    const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const rules = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      day_of_week,
      start_time: '09:00',
      end_time: '12:00',
    }))
    const put = await as('PUT', `/v1/event-types/${eventType.body.id}/availability`, { rules })
    expect(put.status).toBe(200)
    const starts = async () => {
      const query = `event_type_id=${eventType.body.id}&start=${date}&end=${date}&timezone=UTC`
      const { slots } = (await as('GET', `/v1/availability?${query}`)).body
      return slots.map(({ start_time }: { start_time: string }) => start_time.slice(11, 13))
    }
    const event = (hour: string) =>
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:at-${hour}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:${date.replaceAll('-', '')}T${hour}0000Z\r\nDURATION:PT1H\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    await ask(`${main.body.calendar_id}a.ics`, 'PUT', event('09'))
    await ask(`${other}b.ics`, 'PUT', event('11'))
    for (const { body } of [main, added]) {
      expect((await as('POST', `/v1/calendars/${body.id}/sync`)).body.sync_status).toBe('connected')
    }
    const open = await starts()
    expect([open.includes('09'), open.includes('10'), open.includes('11')]).toEqual([false, true, false])
    await ask(`${other}b.ics`, 'DELETE')
    await as('POST', `/v1/calendars/${added.body.id}/sync`)
    expect(await starts()).toContain('11')
  })
})
