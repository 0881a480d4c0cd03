import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALDAV_USERS } from '../support/caldav.ts'
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
  it('has two calendars behind a password, of which each keeps its own events', async () => {
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
