import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { pollAfter } from '../../src/calendars/sync/poll-plan.ts'
import { countedEnv } from '../support/counted-env.ts'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { createMember } from '../support/hosts.ts'
import { expectNowhere } from '../support/secrets.ts'
import { type Service, serviceWith } from '../support/service-with.ts'
import { syncWith } from '../support/sync.ts'
import { openWorld } from '../support/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const PATH = '/private-4f1c9d22/busy.ics'

function service(settings: Readonly<Record<string, unknown>> = {}): Service {
  return serviceWith({ ALLOW_PRIVATE_HOSTS: 'true', ...settings })
}

function connect({ call }: Service, key: string, body: Record<string, unknown>) {
  return call('POST', '/v1/calendars/ics/connect', { key, body })
}

function at(start: number, minutes: number, uid = 'busy') {
  const second = (instant: number) => iso(instant).replace('.000', '')
  return { uid, start: second(start), end: second(start + minutes * MINUTE_MS) }
}

async function newFeed(settings: Record<string, unknown> = {}) {
  const world = openWorld('ics')
  const feed = (changes: Record<string, unknown>) =>
    world.control('PUT', '/feeds', { path: PATH, ...changes })
  const { url } = (await feed(settings)) as { url: string }
  const seed = (...events: Parameters<typeof world.seed>[0]) => world.seed(events, undefined, PATH)
  return { world, feed, seed, url, host: new URL(url).host }
}

async function connected(settings: Record<string, unknown> = {}) {
  const own = await newFeed(settings)
  await own.seed(at(SLOT, 30))
  const it = service()
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key)
  const { status, body } = await connect(it, key, { url: own.url })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const sync = () => it.call('POST', `/v1/calendars/${body.id}/sync`, { key })
  return { ...own, service: it, organization, key, id, connection: body, sync }
}

const HOLIDAY = ['BEGIN:VEVENT', 'UID:holiday', 'DTSTAMP:20260101T000000Z', 'TRANSP:TRANSPARENT']

/** A day that is marked free, as feeds of public holidays mark all of theirs, each year. */
function holiday(day: number): string {
  const date = iso(day).slice(0, 10).replaceAll('-', '')
  return [...HOLIDAY, `DTSTART;VALUE=DATE:${date}`, 'RRULE:FREQ=YEARLY', 'END:VEVENT'].join('\n')
}

describe('a feed whose free events block time', () => {
  const DAY = dayFromNow(5)

  async function holidays(body: Record<string, unknown> = {}) {
    const own = await newFeed()
    const more = ['STATUS:CANCELLED', 'STATUS:CONFIRMED'].map((line, at) =>
      holiday(dayFromNow(7 + 2 * at)).replace('UID:holiday', `UID:${at}\n${line}`),
    )
    await own.feed({ events: [holiday(DAY), ...more] })
    const it = service()
    const { liveKey: key } = await createOrganization()
    const { id } = await createEventType(key)
    const { status, body: connection } = await connect(it, key, { url: own.url, ...body })
    expect([status, connection]).toEqual([201, connection])
    const patch = (change: object) =>
      it.call('PATCH', `/v1/calendars/${connection.id}`, { key, body: change })
    const isOpen = async (day: number) => (await it.openStarts(id, day)).length > 0
    return { ...own, service: it, key, id, connection, patch, isOpen }
  }

  it('closes its days from when it is connected, but not those of cancelled events', async () => {
    const { connection, isOpen, service, key, id } = await holidays({ blocks: 'all_events' })
    expect(connection.blocks).toBe('all_events')
    expect(await Promise.all([5, 6, 7, 9].map((days) => isOpen(dayFromNow(days))))).toEqual([
      false,
      true,
      true,
      false,
    ])
    const start = iso(DAY + 10 * HOUR_MS)
    const { body } = await service.call('GET', `/v1/event-types/${id}/explain?start_time=${start}`, { key })
    expect(body.reasons).toContainEqual(
      expect.objectContaining({ code: 'busy_calendar', calendar_connection_id: connection.id }),
    )
    const booked = await service.book(id, DAY + 10 * HOUR_MS)
    expect(booked.status).toBe(409)
  })

  it('is read again before the response that changes it, in both directions', async () => {
    const { patch, isOpen, key, service, connection } = await holidays()
    expect([connection.blocks, await isOpen(DAY)]).toEqual(['busy', true])
    const closing = await patch({ blocks: 'all_events' })
    expect([closing.status, closing.body]).toEqual([
      200,
      expect.objectContaining({ blocks: 'all_events', sync_status: 'connected' }),
    ])
    expect(await isOpen(DAY)).toBe(false)
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    expect(await isOpen(DAY)).toBe(false)
    expect((await patch({ blocks: 'busy' })).body.blocks).toBe('busy')
    expect(await isOpen(DAY)).toBe(true)
    const log = await service.call('GET', `/v1/activity?resource_id=${connection.id}`, { key })
    expect(log.body.data[0]).toMatchObject({ action: 'calendar.updated', changes: { blocks: 'busy' } })
  })

  it('refuses another choice, and changes nothing', async () => {
    const { patch, isOpen } = await holidays({ blocks: 'all_events' })
    const wrong = await patch({ blocks: 'weekends' })
    expect([wrong.status, Object.keys(wrong.body.error.details)]).toEqual([400, ['blocks']])
    expect(await isOpen(DAY)).toBe(false)
  })
})

describe('connecting a feed', () => {
  it('blocks what is in it, and shows of its address the host', async () => {
    const { service, organization, key, id, connection, host } = await connected({
      properties: { 'X-WR-CALNAME': 'Practice' },
    })
    const owner = await env.DB.prepare('SELECT id FROM members WHERE user_id = ?')
      .bind(organization.ownerUserId)
      .first<string>('id')
    expect(connection).toEqual({
      id: expect.any(String),
      account_id: expect.any(String),
      provider: 'ics',
      calendar_id: host,
      name: 'Practice',
      account_email: host,
      member_id: owner,
      member_name: organization.ownerUserId,
      owner: null,
      resource_id: null,
      checks_busy: true,
      blocks: 'busy',
      everybody: false,
      receives_bookings: false,
      connected_at: expect.any(String),
      status: 'active',
      last_sync_at: expect.any(String),
      sync_status: 'connected',
      sync_error: null,
      upcoming_booking_count: 0,
      provider_metadata: {
        preset: 'ics',
        server_url: `http://${host}/`,
        auth_method: 'none',
        calendar_url: `http://${host}/`,
      },
    })
    const starts = await service.openStarts(id, SLOT)
    expect(starts).not.toContain(iso(SLOT))
    expect(starts).toContain(iso(SLOT + 30 * MINUTE_MS))
    const { body } = await service.call('GET', '/v1/calendars/accounts', { key })
    expect(body.data).toMatchObject([
      {
        id: connection.account_id,
        provider: 'ics',
        account_email: host,
        calendars: [
          {
            external_id: host,
            name: 'Practice',
            is_primary: true,
            can_write: false,
            connection_id: connection.id,
          },
        ],
      },
    ])
  })

  it('takes a hundred series that repeat every day, however long their UIDs are', async () => {
    const second = (instant: number) => iso(instant).replace(/[-:]|\.000/g, '')
    const events = Array.from({ length: 100 }, (_, at) => [
      ...['BEGIN:VEVENT', `UID:${at}-${'u'.repeat(3_000)}`, `DTSTAMP:${second(SLOT)}`],
      ...[`DTSTART:${second(SLOT)}`, `DTEND:${second(SLOT + HOUR_MS)}`, 'RRULE:FREQ=DAILY', 'END:VEVENT'],
    ])
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n')
    const { url } = await newFeed({ text })
    const it = service()
    const { liveKey } = await createOrganization()
    const { status, body } = await connect(it, liveKey, { url })
    expect([status, body.sync_error]).toEqual([201, null])
    const { id } = await createEventType(liveKey)
    expect(await it.openStarts(id, SLOT)).not.toContain(iso(SLOT))
  })

  it('takes the member and the name that are given, and a second feed of the same host', async () => {
    const { url, world } = await newFeed()
    await world.control('PUT', '/feeds', { path: '/other.ics' })
    const it = service()
    const organization = await createOrganization()
    const { id } = await createMember(organization)
    const first = await connect(it, organization.liveKey, { url, member_id: id, name: 'Mine' })
    expect([first.status, first.body.member_id, first.body.name]).toEqual([201, id, 'Mine'])
    const other = url.replace(PATH, '/other.ics')
    const second = await connect(it, organization.liveKey, { url: other, member_id: id })
    expect([second.status, second.body.calendar_id]).toEqual([201, first.body.calendar_id])
    const stranger = await createMember(await createOrganization())
    expect((await connect(it, organization.liveKey, { url, member_id: stranger.id })).status).toBe(404)
  })

  it('is a conflict the second time, and once when both come together', async () => {
    const { url } = await newFeed()
    const it = service()
    const { liveKey, testKey } = await createOrganization()
    const answers = await Promise.all([1, 2, 3].map(() => connect(it, liveKey, { url })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const again = await connect(it, liveKey, { url: `${url}#top`, name: 'Other' })
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict'])
    expect((await connect(it, testKey, { url })).status).toBe(201)
  })

  it.each([
    'http://feeds.example.com/a.ics',
    'https://127.0.0.1/a.ics',
    'https://nas.local/a.ics',
    'https://ada:secret@feeds.example.com/a.ics',
    'file:///etc/passwd',
    'webcal://[::1]/a.ics',
    'x',
  ])('names an address that may not be asked: %s', async (url) => {
    const { liveKey } = await createOrganization()
    const { status, body } = await connect(service({ ALLOW_PRIVATE_HOSTS: 'false' }), liveKey, { url })
    expect([status, body.error.code]).toEqual([400, 'validation_error'])
    expect(Object.keys(body.error.details)).toEqual(['url'])
  })

  it('takes webcal for https', async () => {
    const { liveKey } = await createOrganization()
    const asked = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(async () => new Response('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'))
    const it = service({ ALLOW_PRIVATE_HOSTS: 'false' })
    const { status } = await connect(it, liveKey, { url: 'webcal://feeds.example.com/a.ics' })
    const urls = asked.mock.calls.map(([url]) => url)
    asked.mockRestore()
    expect(status).toBe(201)
    expect(new Set(urls)).toEqual(new Set(['https://feeds.example.com/a.ics']))
    expect((await connect(it, liveKey, { url: 'https://feeds.example.com/a.ics' })).status).toBe(409)
  })

  it.each([
    [{ failure: 'login page' }, 400, 'bad_request'],
    [{ failure: 'missing' }, 400, 'bad_request'],
    [{ failure: 'wants a password' }, 400, 'bad_request'],
    [{ padToBytes: 4_500_000 }, 400, 'bad_request'],
    [{ failure: 'broken' }, 502, 'bad_gateway'],
    [{ failure: 'unavailable' }, 502, 'bad_gateway'],
  ])('says what is wrong, and keeps nothing: %j is %s', async (settings, status, code) => {
    const { url } = await newFeed(settings)
    const it = service()
    const { liveKey } = await createOrganization()
    const answer = await connect(it, liveKey, { url })
    expect([answer.status, answer.body.error.code]).toEqual([status, code])
    expect((await it.call('GET', '/v1/calendars/accounts', { key: liveKey })).body.data).toEqual([])
  })

  it('is the fault of a host that is not there', async () => {
    const { liveKey } = await createOrganization()
    const { status, body } = await connect(service(), liveKey, { url: 'http://127.0.0.1:9/a.ics' })
    expect([status, body.error.code]).toEqual([502, 'bad_gateway'])
  })

  it('is the fault of a host that takes longer than a request can wait', async () => {
    const { world, url } = await newFeed()
    const { liveKey } = await createOrganization()
    await world.troubles([{ about: 'GET', does: 'hangs', times: null }])
    const { status, body } = await connect(service({ answerMs: 2_300 }), liveKey, { url })
    expect([status, body.error.code, body.error.message]).toEqual([
      502,
      'bad_gateway',
      'The server took too long to answer.',
    ])
  })
})

describe('a connected feed', () => {
  it('never receives bookings, blocks as long as it is wanted, and goes', async () => {
    const { service, key, id, connection } = await connected()
    const path = `/v1/calendars/${connection.id}`
    const receiving = await service.call('PATCH', path, { key, body: { receives_bookings: true } })
    expect([receiving.status, receiving.body.error.code]).toEqual([400, 'bad_request'])
    expect((await service.call('PATCH', path, { key, body: { checks_busy: false } })).status).toBe(200)
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await service.call('PATCH', path, { key, body: { checks_busy: true } })).status).toBe(200)
    expect(await service.openStarts(id, SLOT)).not.toContain(iso(SLOT))
    const again = { account_id: connection.account_id, external_id: connection.calendar_id }
    expect((await service.call('POST', '/v1/calendars', { key, body: again })).status).toBe(409)
    expect((await service.call('DELETE', path, { key })).status).toBe(204)
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await service.call('GET', '/v1/calendars/accounts', { key })).body.data).toEqual([])
  })

  it('is asked when somebody books', async () => {
    const { service, id, seed } = await connected()
    const later = SLOT + 4 * HOUR_MS
    await seed(at(later, 30, 'new'))
    expect(await service.openStarts(id, later)).toContain(iso(later))
    expect((await service.book(id, later)).status).toBe(409)
    expect((await service.book(id, later + HOUR_MS)).status).toBe(201)
  })

  it('follows its host, and blocks what it knew while that is away', async () => {
    const { service, id, world, feed, sync } = await connected()
    await world.change('busy', at(SLOT + HOUR_MS, 30))
    await sync()
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    await feed({ failure: 'login page' })
    for (const status of ['active', 'active', 'error']) {
      expect((await sync()).body).toMatchObject({ status, sync_status: 'error' })
    }
    expect(await service.openStarts(id, SLOT)).not.toContain(iso(SLOT + HOUR_MS))
    await feed({ failure: null })
    expect((await sync()).body).toMatchObject({
      status: 'active',
      sync_status: 'connected',
      sync_error: null,
    })
  })

  it('says how many of its events cannot be understood for as long as they are there', async () => {
    const { feed, connection, sync } = await connected()
    const free = ['BEGIN:VFREEBUSY', 'UID:times', 'FREEBUSY:20260310T100000Z/PT1H', 'END:VFREEBUSY'].join(
      '\n',
    )
    await feed({ events: [free] })
    const said = '1 event could not be understood in full: UID times.'
    const restamped = { etag: 'none', stampsEachAnswer: true }
    for (const [changes, told] of [
      [{}, said],
      [{}, said],
      [restamped, said],
      [{}, said],
      [{ events: [] }, null],
    ] as const) {
      await feed(changes)
      // After hours, what is known of it is written again.
      await env.DB.prepare('UPDATE calendar_connections SET next_sync_at = 0 WHERE id = ?')
        .bind(connection.id)
        .run()
      expect((await sync()).body).toMatchObject({ sync_status: 'connected', sync_error: told })
    }
  })

  it('is still being read, as the answer to a sync says, if it takes longer than a request can wait', async () => {
    const { world, connection, key, seed } = await connected()
    await seed(at(SLOT, 30), at(SLOT + HOUR_MS, 30, 'later'))
    await world.troubles([{ about: 'GET', delayMs: 2_000 }])
    const { call } = service({ answerMs: 2_000 })
    const { status, body } = await call('POST', `/v1/calendars/${connection.id}/sync`, { key })
    expect([status, body.sync_status]).toEqual([200, 'syncing'])
    const blocks = 'SELECT count(*) AS n FROM calendar_busy_times WHERE connection_id = ?'
    const known = () => env.DB.prepare(blocks).bind(connection.id).first('n')
    await expect.poll(known, { timeout: 10_000 }).toBe(2)
  })

  it('whose answers differ only in when they were written costs a poll of one request, and no write', async () => {
    const { service, connection, sync, world } = await connected({ stampsEachAnswer: true, etag: 'none' })
    await sync()
    await world.setAhead(MINUTE_MS)
    const before = await env.DB.prepare('SELECT * FROM calendar_connections WHERE id = ?')
      .bind(connection.id)
      .first()
    const { trips, env: counted } = countedEnv(service.env)
    const requests = vi.spyOn(globalThis, 'fetch')
    const synced = await syncWith(counted, connection.id, () => ({}))
    const count = requests.mock.calls.length
    requests.mockRestore()
    expect(synced).toEqual({ outcome: 'unchanged', isTold: false, isFeed: true, wantsChannel: false })
    // One of them is this test's, which opens the account.
    expect([count, trips.count - 1]).toEqual([1, 1])
    const after = await env.DB.prepare('SELECT * FROM calendar_connections WHERE id = ?')
      .bind(connection.id)
      .first()
    expect(after).toEqual(before)
  })

  it('of five thousand events is kept whole, and if one changed only that one is written', async () => {
    const { seed, sync, world, connection } = await connected()
    const events = Array.from({ length: 5_000 }, (_, n) => at(SLOT + n * HOUR_MS, 30, `n${n}`))
    await seed(...events)
    expect((await sync()).body.sync_status).toBe('connected')
    const kept = async () => {
      const { results } = await env.DB.prepare(
        'SELECT rowid, event_id, etag FROM calendar_events WHERE connection_id = ?',
      )
        .bind(connection.id)
        .all()
      return new Map(results.map((row) => [row.event_id, row]))
    }
    const before = await kept()
    expect(before.size).toBe(5_001)
    await world.change('n4000', at(SLOT + 4_000 * HOUR_MS, 45, 'n4000'))
    await world.remove('n4001')
    await sync()
    const after = await kept()
    const differs = [...before].filter(([id, row]) => after.get(id)?.etag !== row.etag).map(([id]) => id)
    expect([differs, after.size]).toEqual([['n4000', 'n4001'], 5_000])
  })

  it('is asked every quarter of an hour, however often it changes', () => {
    const [changed, unchanged] = (['changed', 'unchanged'] as const).map((outcome) => ({
      outcome,
      isTold: false,
      isFeed: true,
      wantsChannel: false,
    }))
    let poll = pollAfter(null, unchanged!, 0, 0)!
    for (const synced of [changed!, changed!, unchanged!, unchanged!]) {
      poll = pollAfter(poll, synced, poll.at, 0)!
      expect(poll.at - poll.readAt).toBe(15 * MINUTE_MS)
    }
  })

  it('keeps its address from every column, log and answer, though it fails', async () => {
    const { url, world, feed } = await newFeed()
    const it = service()
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    await expectNowhere([url, 'private-4f1c9d22', world.base.split('/').at(-1)!], async () => {
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const ask = () => it.call('POST', '/v1/calendars/ics/connect', { key: liveKey, headers, body: { url } })
      const made = await ask()
      expect(made.status).toBe(201)
      const answers = [made, await ask(), await connect(it, liveKey, { url })]
      const sync = () => it.call('POST', `/v1/calendars/${made.body.id}/sync`, { key: liveKey })
      for (const failure of ['broken', 'missing', 'wants a password']) {
        await feed({ failure })
        answers.push(await sync())
      }
      await world.troubles([{ about: PATH, does: 'drops', times: null }])
      answers.push(await sync(), await it.book(id, SLOT))
      for (const path of ['/v1/calendars', '/v1/calendars/accounts', '/v1/activity'])
        answers.push(await it.call('GET', path, { key: liveKey }))
      return answers.map(({ body }) => body)
    })
  })
})
