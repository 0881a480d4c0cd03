import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { openIcs } from '../../doubles/ics/open-ics.ts'
import type { Json } from '../../doubles/world.ts'
import { freshWorld } from '../support/fresh-world.ts'

const { base, control } = freshWorld(openIcs)

const feed = (changes: Json = {}) => control('PUT', '/feeds', { path: '/team.ics', ...changes })
const get = (headers: Record<string, string> = {}, path = '/team.ics') =>
  fetch(`${base()}${path}`, { headers, redirect: 'manual' })

/** What is on the wire: fetch would unpack it and take the mark off. */
function bytes(headers: Record<string, string> = {}): Promise<Buffer> {
  return new Promise((done, failed) => {
    request(`${base()}/team.ics`, { headers }, async (response) => {
      const pieces: Buffer[] = []
      for await (const piece of response) pieces.push(piece as Buffer)
      done(Buffer.concat(pieces))
    })
      .on('error', failed)
      .end()
  })
}

const EVENT = { uid: 'e1', summary: 'Busy', start: '2030-01-07T10:00:00Z', end: '2030-01-07T11:00:00Z' }

describe('a feed', () => {
  it('is there for two pretend accounts, under addresses as Google and Outlook write them', async () => {
    const { feeds } = await control('GET', '')
    expect(feeds).toHaveLength(4)
    for (const { url, webcal } of feeds) {
      expect(webcal).toBe(url.replace('http', 'webcal'))
      const text = await (await fetch(url)).text()
      expect(text).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*BEGIN:VEVENT[\s\S]*END:VCALENDAR\r\n$/)
    }
  })

  it('answers 304 to the tag or the date that it returned, until it changes', async () => {
    await feed()
    await control('POST', '/events', { calendar: '/team.ics', events: [EVENT] })
    const first = await get()
    const [etag, date] = [first.headers.get('ETag')!, first.headers.get('Last-Modified')!]
    expect((await get({ 'If-None-Match': etag })).status).toBe(304)
    expect((await get({ 'If-None-Match': `"x", W/${etag}` })).status).toBe(304)
    expect((await get({ 'If-None-Match': '*' })).status).toBe(304)
    expect((await get({ 'If-Modified-Since': date })).status).toBe(304)
    await control('PUT', '/clock', { ahead_ms: 5000 })
    await control('PATCH', '/events/e1', { ...EVENT, end: '2030-01-07T12:00:00Z' })
    expect((await get({ 'If-None-Match': etag })).status).toBe(200)
    expect((await get({ 'If-Modified-Since': date })).status).toBe(200)
    await feed({ answersConditions: false })
    const now = await get()
    expect((await get({ 'If-None-Match': now.headers.get('ETag')! })).status).toBe(200)
  })

  it('differs in each answer if it has a timestamp for each', async () => {
    await feed({ stampsEachAnswer: true, etag: 'strong' })
    await control('POST', '/events', { calendar: '/team.ics', events: [EVENT] })
    const first = await (await get()).text()
    await control('PUT', '/clock', { ahead_ms: 60_000 })
    const second = await (await get()).text()
    expect(second).not.toBe(first)
    expect(second.replace(/DTSTAMP.*/, '')).toBe(first.replace(/DTSTAMP.*/, ''))
  })

  it('comes with any type, line end, mark, packing and size', async () => {
    for (const contentType of ['text/html', 'text/plain', 'application/octet-stream', null]) {
      await feed({ contentType })
      expect((await get()).headers.get('Content-Type')).toBe(contentType)
    }
    await feed({ lineEnd: 'LF', hasByteOrderMark: true, gzip: 'never' })
    const plain = await bytes()
    expect([...plain.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(plain.includes('\r')).toBe(false)
    await feed({ gzip: 'always', padToBytes: 5_000_000 })
    const packed = await bytes({ 'Accept-Encoding': 'identity' })
    expect([...packed.subarray(0, 2)]).toEqual([0x1f, 0x8b])
    const response = await get()
    expect(response.headers.get('Content-Encoding')).toBe('gzip')
    expect((await response.text()).length).toBeGreaterThan(5_000_000)
  })

  it('has the calendar’s properties, and may be empty or nothing at all', async () => {
    await feed({ properties: { 'X-WR-TIMEZONE': 'Asia/Tokyo', 'REFRESH-INTERVAL;VALUE=DURATION': 'PT4H' } })
    const text = await (await get()).text()
    expect(text).toContain('X-WR-TIMEZONE:Asia/Tokyo\r\nREFRESH-INTERVAL;VALUE=DURATION:PT4H\r\n')
    expect(text).not.toContain('VEVENT')
    await feed({ text: '' })
    expect(await (await get()).text()).toBe('')
  })
})

describe('an address', () => {
  it('leads elsewhere', async () => {
    await feed()
    await control('PUT', '/feeds', { path: '/old.ics', redirect: { to: '/team.ics', status: 301 } })
    const response = await get({}, '/old.ics')
    expect([response.status, response.headers.get('Location')]).toEqual([301, `${base()}/team.ics`])
    expect((await fetch(`${base()}/old.ics`)).status).toBe(200)
  })

  it('fails as revoked and broken ones do', async () => {
    const failures = { 'login page': 200, reset: 404, gone: 410, broken: 500, unavailable: 503 }
    for (const [failure, status] of Object.entries({
      ...failures,
      'wants a password': 401,
      'too many': 429,
    })) {
      await feed({ failure })
      const response = await get()
      expect([failure, response.status]).toEqual([failure, status])
      expect(response.headers.get('Content-Type')).toContain('text/html')
    }
    await feed({ failure: 'wants a browser' })
    expect((await get({ 'User-Agent': 'node' })).status).toBe(403)
    expect((await get({ 'User-Agent': 'Mozilla/5.0' })).status).toBe(200)
    await control('DELETE', '/feeds', { path: '/team.ics' })
    expect((await get()).status).toBe(404)
  })
})
