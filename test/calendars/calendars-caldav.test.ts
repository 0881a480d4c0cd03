import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { askAccount } from '../../src/calendars/accounts/ask-account.ts'
import { seal, unseal } from '../../src/platform/auth/secret.ts'
import { CALDAV_USERS } from '../support/caldav.ts'
import { misbehavingServer, moveTo, newCalendar, type OwnCalendar } from '../support/caldav-calendars.ts'
import { countedEnv } from '../support/counted-env.ts'
import { createEventType, createOrganization, dateOf, dayFromNow, iso } from '../support/factories.ts'
import { createMember } from '../support/hosts.ts'
import { patienceOf } from '../support/patience.ts'
import { expectNowhere } from '../support/secrets.ts'
import { type Service, serviceWith } from '../support/service-with.ts'
import { syncNow, syncWith } from '../support/sync.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

function service(settings: Readonly<Record<string, string>> = {}): Service {
  return serviceWith({ ALLOW_PRIVATE_HOSTS: 'true', ...settings })
}

function inputOf(
  { serverUrl, calendarUrl, username, password }: OwnCalendar,
  more: Record<string, unknown> = {},
) {
  return { preset: 'custom', server_url: serverUrl, calendar_url: calendarUrl, username, password, ...more }
}

function connect({ call }: Service, key: string, body: Record<string, unknown>) {
  return call('POST', '/v1/calendars/caldav/connect', { key, body })
}

/** As iCalendar writes an instant. */
function stamp(instant: number): string {
  return iso(instant).replace(/[-:]|\.\d+/g, '')
}

function during(start: number, minutes: number): string[] {
  return [`DTSTART:${stamp(start)}`, `DTEND:${stamp(start + minutes * MINUTE_MS)}`]
}

async function connected() {
  const own = await newCalendar()
  const it = service()
  const organization = await createOrganization()
  const key = organization.liveKey
  const { id } = await createEventType(key)
  const { status, body } = await connect(it, key, inputOf(own))
  if (status !== 201) throw new Error(JSON.stringify(body))
  const sync = () => it.call('POST', `/v1/calendars/${body.id}/sync`, { key })
  return { own, service: it, organization, key, id, connection: body, sync }
}

describe('connecting a CalDAV account', () => {
  it('finds its calendar and returns all of it but the password', async () => {
    const { own, organization, connection, service, key } = await connected()
    const owner = await env.DB.prepare('SELECT id FROM members WHERE user_id = ?')
      .bind(organization.ownerUserId)
      .first<string>('id')
    expect(connection).toEqual({
      id: expect.any(String),
      account_id: expect.any(String),
      owner: null,
      name: expect.any(String),
      checks_busy: true,
      blocks: 'busy',
      everybody: false,
      receives_bookings: true,
      provider: 'caldav',
      calendar_id: own.calendarUrl,
      account_email: own.username,
      member_id: owner,
      resource_id: null,
      member_name: organization.ownerUserId,
      connected_at: expect.any(String),
      status: 'active',
      last_sync_at: expect.any(String),
      sync_status: 'connected',
      sync_error: null,
      upcoming_booking_count: 0,
      provider_metadata: {
        preset: 'custom',
        server_url: own.serverUrl,
        auth_method: 'basic',
        calendar_url: own.calendarUrl,
      },
    })
    expect((await service.call('GET', '/v1/calendars', { key })).body).toEqual({
      data: [connection],
      has_more: false,
    })
  })

  it('knows what is in it from then on', async () => {
    const own = await newCalendar(CALDAV_USERS.ada)
    const tomorrow = dateOf(SLOT + DAY_MS).replaceAll('-', '')
    await own.put(
      'weekly',
      ...during(SLOT - 14 * DAY_MS, 30),
      'RRULE:FREQ=WEEKLY;COUNT=3',
      `EXDATE:${stamp(SLOT - 7 * DAY_MS)}`,
    )
    await own.put('free', ...during(SLOT + HOUR_MS, 30), 'TRANSP:TRANSPARENT')
    await own.put('off', ...during(SLOT + HOUR_MS, 30), 'STATUS:CANCELLED')
    await own.put('holiday', `DTSTART;VALUE=DATE:${tomorrow}`)
    const declined = 'ATTENDEE;PARTSTAT=DECLINED:mailto:ada@example.com'
    await own.put('declined', ...during(SLOT + HOUR_MS, 30), declined)
    const it = service()
    const { liveKey } = await createOrganization({ timezone: 'America/New_York' })
    const { id } = await createEventType(liveKey, { duration_minutes: 60, timezone: 'UTC' })
    expect((await connect(it, liveKey, inputOf(own, { preset: 'caldav_preset_c' }))).status).toBe(201)
    const week = await it.openStarts(id, SLOT, SLOT + 7 * DAY_MS)
    const closed = (start: number) => !week.includes(iso(start))
    // Its third and last time is this one; the one in between was called off.
    expect(closed(SLOT)).toBe(true)
    expect(closed(SLOT + HOUR_MS)).toBe(false)
    expect(closed(SLOT + 7 * DAY_MS)).toBe(false)
    const midnight = Temporal.ZonedDateTime.from(
      `${tomorrow.slice(0, 4)}-${tomorrow.slice(4, 6)}-${tomorrow.slice(6)}T00:00[America/New_York]`,
    ).epochMilliseconds
    expect(closed(midnight - HOUR_MS)).toBe(false)
    expect(closed(midnight)).toBe(true)
    expect(closed(midnight + 23 * HOUR_MS)).toBe(true)
    expect(closed(midnight + 24 * HOUR_MS)).toBe(false)
  })

  it('places its all-day events in the zone of its member, if it names none', async () => {
    const own = await newCalendar(CALDAV_USERS.ada)
    const day = Math.floor(SLOT / DAY_MS) * DAY_MS
    await own.put('holiday', `DTSTART;VALUE=DATE:${dateOf(day).replaceAll('-', '')}`)
    const it = service()
    const { id: organizationId, liveKey } = await createOrganization({ timezone: 'America/New_York' })
    const { id } = await createEventType(liveKey, { duration_minutes: 60, timezone: 'UTC' })
    const { body } = await it.call('GET', `/v1/organizations/${organizationId}/members`, { key: liveKey })
    const path = `/v1/organizations/${organizationId}/members/${body.data[0].id}`
    expect((await it.call('PATCH', path, { key: liveKey, body: { timezone: 'Asia/Tokyo' } })).status).toBe(
      200,
    )
    expect((await connect(it, liveKey, inputOf(own, { preset: 'caldav_preset_c' }))).status).toBe(201)
    const open = await it.openStarts(id, day - DAY_MS, day + DAY_MS)
    const around = [-10, -9, 14, 15].map((hours) => open.includes(iso(day + hours * HOUR_MS)))
    expect(around).toEqual([true, false, false, true])
  })

  it.each(['caldav_preset_z', 'CALDAV_PRESET_A', 'toString', ' '])('knows no preset %j', async (preset) => {
    const { liveKey } = await createOrganization()
    const { status, body } = await connect(service(), liveKey, {
      preset,
      username: 'a',
      password: 'b',
      server_url: 'https://x.example/',
    })
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
  })

  it.each(['caldav_preset_c', 'custom'])('needs to know the server for %s', async (preset) => {
    const { liveKey } = await createOrganization()
    const { status, body } = await connect(service(), liveKey, { preset, username: 'a', password: 'b' })
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
    expect(body.error.message).toContain('server_url')
  })

  it('says that the account has no such calendar', async () => {
    const own = await newCalendar()
    const { liveKey } = await createOrganization()
    const home = new URL('..', own.calendarUrl).href
    const { status, body } = await connect(service(), liveKey, inputOf(own, { calendar_url: home }))
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
  })

  it('names a server or a calendar that may not be asked', async () => {
    const { liveKey } = await createOrganization()
    const strict = service({ ALLOW_PRIVATE_HOSTS: 'false' })
    for (const url of [
      'http://caldav.example.com/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://nas.local/',
      'ftp://x.example/',
      'x',
    ]) {
      for (const field of ['server_url', 'calendar_url']) {
        const input = {
          preset: 'custom',
          username: 'a',
          password: 'b',
          server_url: 'https://caldav.example.com/',
        }
        const { status, body } = await connect(strict, liveKey, { ...input, [field]: url })
        expect([url, status, body.error.code]).toEqual([url, 400, 'validation_error'])
        expect(Object.keys(body.error.details)).toEqual([field])
      }
    }
  })

  it("is the caller's fault if the credentials are wrong", async () => {
    const own = await newCalendar()
    const { liveKey } = await createOrganization()
    const { status, body } = await connect(service(), liveKey, inputOf(own, { password: 'wrong' }))
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
    expect(JSON.stringify(body)).not.toContain('wrong"')
  })

  const multistatus = '<multistatus xmlns="DAV:">'
  it.each([
    [
      'a page',
      { '*': { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><p>Hi' } },
    ],
    ['no XML', { '*': { body: 'Welcome' } }],
    ['a flood', { '*': { body: `${multistatus}${'x'.repeat(100_000)}`, repeat: 200 } }],
    [
      'an entity',
      { '*': { body: `<!DOCTYPE m [<!ENTITY f SYSTEM "file:///etc/passwd">]>${multistatus}&f;` } },
    ],
    ['a depth', { '*': { body: `${multistatus}${'<a>'.repeat(100_000)}` } }],
    ['a way inward', { '*': { status: 301, headers: { Location: 'http://169.254.169.254/latest/' } } }],
    ['a way in circles', { '*': { status: 302, headers: { Location: '?' } } }],
    ['a request to wait', { '*': { status: 503, headers: { 'Retry-After': '120' } } }],
  ])('is the fault of a server that answers with %s', async (_, script) => {
    const { liveKey } = await createOrganization()
    const server_url = await misbehavingServer(script)
    const it = service()
    const { status, body } = await connect(it, liveKey, {
      preset: 'custom',
      username: 'ada',
      password: 'secret',
      server_url,
    })
    expect([status, body.error.code]).toEqual([502, 'bad_gateway'])
    expect((await it.call('GET', '/v1/calendars', { key: liveKey })).body.data).toEqual([])
  })

  it('is the fault of a server that is not there', async () => {
    const { liveKey } = await createOrganization()
    const input = { preset: 'custom', username: 'ada', password: 'secret', server_url: 'http://127.0.0.1:9/' }
    const { status, body } = await connect(service(), liveKey, input)
    expect([status, body.error.code]).toEqual([502, 'bad_gateway'])
  })

  it('is a conflict the second time, in any spelling, and once when both come together', async () => {
    const own = await newCalendar()
    const it = service()
    const { liveKey, testKey } = await createOrganization()
    const answers = await Promise.all(Array.from({ length: 4 }, () => connect(it, liveKey, inputOf(own))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    for (const again of [
      inputOf(own),
      inputOf(own, { server_url: own.serverUrl.replace('http:', 'HTTP:') }),
      inputOf(own, { server_url: `${own.serverUrl}${own.username}/` }),
      inputOf(own, { calendar_url: undefined }),
      inputOf(own, { username: own.username.toUpperCase() }),
      inputOf(own, { password: 'wrong' }),
    ]) {
      const { status, body } = await connect(it, liveKey, again)
      expect([status, body.error.code]).toEqual([409, 'conflict'])
    }
    expect((await connect(it, testKey, inputOf(own))).status).toBe(201)
    const other = await createOrganization()
    expect((await connect(it, other.liveKey, inputOf(own))).status).toBe(201)
  })

  it('is repeated to the same Idempotency-Key, which keeps no password either', async () => {
    const own = await newCalendar()
    const it = service()
    const { liveKey } = await createOrganization()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const ask = () =>
      it.call('POST', '/v1/calendars/caldav/connect', { key: liveKey, headers, body: inputOf(own) })
    const first = await ask()
    const second = await ask()
    expect([second.status, second.body]).toEqual([201, first.body])
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
  })

  it('waits ten seconds for what is in the calendar; the queue reads the rest', async () => {
    const own = await newCalendar()
    await own.put('known', ...during(SLOT, 30))
    const it = service()
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const real = globalThis.fetch
    const patience = patienceOf(10_000)
    const slow = vi.spyOn(globalThis, 'fetch').mockImplementation((to, init) => {
      if (init?.method !== 'REPORT') return real(to, init)
      patience.lose()
      return new Promise(() => {})
    })
    const { status, body } = await connect(it, liveKey, inputOf(own))
    slow.mockRestore()
    patience.regain()
    expect([status, body.sync_status, body.last_sync_at]).toEqual([201, 'syncing', null])
    const [message] = it.messages.filter(({ type }) => type === 'calendar')
    await syncNow(it.env, (message as Extract<typeof message, { type: 'calendar' }>).connectionId)
    expect(await it.openStarts(id, SLOT)).not.toContain(iso(SLOT))
    const { body: list } = await it.call('GET', '/v1/calendars', { key: liveKey })
    expect(list.data[0]).toMatchObject({ sync_status: 'connected', last_sync_at: expect.any(String) })
  })

  it('takes the calendar and the member that are named', async () => {
    const own = await newCalendar()
    const organization = await createOrganization()
    const stranger = await createMember(await createOrganization())
    const { id } = await createMember(organization)
    const it = service()
    const missing = await connect(it, organization.liveKey, inputOf(own, { member_id: stranger.id }))
    expect([missing.status, missing.body.error.code]).toEqual([404, 'not_found'])
    const named = await connect(it, organization.liveKey, inputOf(own, { member_id: id }))
    expect(named.body).toMatchObject({ member_id: id, calendar_id: own.calendarUrl })
    const found = await connect(it, organization.testKey, inputOf(own, { calendar_url: undefined }))
    expect(found.body.calendar_id.startsWith(`${own.serverUrl}${own.username}/`)).toBe(true)
  })

  it('renews an account whose password was changed', async () => {
    const { own, service, key, connection, sync } = await connected()
    const sealed = await env.DB.prepare('SELECT credentials FROM calendar_accounts WHERE id = ?')
      .bind(connection.account_id)
      .first<string>('credentials')
    const wrong = JSON.parse(await unseal(env.ENCRYPTION_KEY, sealed!))
    await env.DB.prepare('UPDATE calendar_accounts SET credentials = ? WHERE id = ?')
      .bind(
        await seal(env.ENCRYPTION_KEY, JSON.stringify({ ...wrong, password: 'old' })),
        connection.account_id,
      )
      .run()
    await askAccount(service.env, connection.account_id).connected({})
    for (const status of ['active', 'active', 'error']) {
      expect((await sync()).body).toMatchObject({
        status,
        sync_status: 'error',
        sync_error: expect.any(String),
      })
    }
    const renewed = await connect(service, key, inputOf(own))
    expect(renewed.status).toBe(201)
    expect(renewed.body).toMatchObject({ id: connection.id, status: 'active', sync_status: 'connected' })
    expect((await connect(service, key, inputOf(own))).status).toBe(409)
  })
})

describe('a booking', () => {
  it('is refused by an event that was made a second ago, and by none that was removed', async () => {
    const { own, service, id, sync } = await connected()
    await own.put('new', ...during(SLOT, 30))
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    const refused = await service.book(id, SLOT)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
    await sync()
    expect(await service.openStarts(id, SLOT)).not.toContain(iso(SLOT))
    await own.remove('new')
    await sync()
    expect(await service.openStarts(id, SLOT)).toContain(iso(SLOT))
    expect((await service.book(id, SLOT)).status).toBe(201)
  })

  it('is not blocked by its own event', async () => {
    const { own, service, id, sync } = await connected()
    const { body } = await service.book(id, SLOT)
    await own.put(`${body.id}@holdfast`, ...during(SLOT, 30))
    await sync()
    const move = await service.call('POST', `/v1/bookings/${body.id}/reschedule?token=${body.cancel_token}`, {
      body: { new_start_time: iso(SLOT + 30 * MINUTE_MS) },
    })
    expect(move.status).toBe(200)
    expect((await service.book(id, SLOT)).status).toBe(201)
  })

  it('waits three seconds for a server that hangs, and not for one that is down', async () => {
    const { own, service, key, id, connection, sync } = await connected()
    await own.put('known', ...during(SLOT, 30))
    const known = (await sync()).body.last_sync_at
    await moveTo(connection.id, await misbehavingServer({ '*': { isSilent: true } }))
    const patience = patienceOf(3_000)
    let isBooked = false
    const booking = service.book(id, SLOT + HOUR_MS).finally(() => {
      isBooked = true
    })
    await new Promise((done) => setTimeout(done, 200))
    expect(isBooked).toBe(false)
    patience.lose()
    const booked = await booking
    expect([booked.status, booked.body.busy_as_of]).toEqual([201, known])
    expect((await service.book(id, SLOT)).status).toBe(409)
    patience.regain()

    await moveTo(connection.id, 'http://127.0.0.1:9/')
    const other = await createEventType(key)
    // Who waited here would wait for ever.
    expect((await service.book(other.id, SLOT + 3 * HOUR_MS)).status).toBe(201)
    expect((await sync()).body).toMatchObject({ status: 'active', sync_status: 'error', last_sync_at: known })
  })
})

describe('a sync', () => {
  it('of a calendar that has not changed costs one request and one round trip', async () => {
    const { own, service, connection, sync } = await connected()
    await own.put('known', ...during(SLOT, 30))
    await sync()
    const { trips, env: counted } = countedEnv(service.env)
    const requests = vi.spyOn(globalThis, 'fetch')
    await syncWith(counted, connection.id, () => ({}))
    const count = requests.mock.calls.length
    requests.mockRestore()
    // One of them is this test's, which opens the account.
    expect([count, trips.count - 1]).toEqual([1, 1])
  })
})

describe('the password', () => {
  it('is in no column, no log and no answer, though the calendar fails', async () => {
    const own = await newCalendar(CALDAV_USERS.ada)
    const it = service()
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    const octets = new TextEncoder().encode(`${own.username}:${own.password}`)
    const basic = btoa(String.fromCharCode(...octets))
    await expectNowhere([own.password, basic, encodeURIComponent(own.password)], async () => {
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const body = inputOf(own)
      const made = await it.call('POST', '/v1/calendars/caldav/connect', { key: liveKey, headers, body })
      expect(made.status).toBe(201)
      const sync = () => it.call('POST', `/v1/calendars/${made.body.id}/sync`, { key: liveKey })
      const answers = [made, await connect(it, liveKey, body), await sync()]
      await moveTo(made.body.id, await misbehavingServer({ '*': { status: 500, body: 'ouch' } }))
      answers.push(await sync(), await it.book(id, SLOT))
      await moveTo(made.body.id, 'http://127.0.0.1:9/')
      answers.push(await sync(), await it.book(id, SLOT + HOUR_MS))
      answers.push(await it.call('GET', '/v1/calendars', { key: liveKey }))
      answers.push(await it.call('GET', '/v1/activity', { key: liveKey }))
      return answers.map((answer) => answer.body)
    })
  })
})

describe('time that is released by a calendar', () => {
  const busyAt = (at: number) => during(SLOT + at * HOUR_MS, 60)

  /** Somebody waits for what the owner's calendar blocks; another one for a slot that is open all along. */
  async function waitedFor(input: Record<string, unknown> = {}) {
    const it = await connected()
    await it.own.put('block', ...busyAt(0))
    await it.own.put('other', ...busyAt(4))
    expect((await it.sync()).body.sync_status).toBe('connected')
    const { id } = await createEventType(it.key, { waitlist_enabled: true, ...input })
    const wait = async (start: number) => {
      const body = {
        event_type_id: id,
        start_time: iso(start),
        invitee_name: 'Ada',
        invitee_email: `w${start}@example.com`,
      }
      const joined = await it.service.call('POST', '/v1/waitlist', { body })
      expect(joined.status).toBe(201)
      return joined.body.id as string
    }
    const statusOf = async (entry: string) =>
      (await it.service.call('GET', `/v1/waitlist/${entry}`, { key: it.key })).body.status
    return { ...it, id, wait, statusOf }
  }

  it('goes to a waitlist entry for it once its event is deleted', async () => {
    const { own, sync, wait, statusOf } = await waitedFor()
    const [freed, blocked, open] = [
      await wait(SLOT),
      await wait(SLOT + 4 * HOUR_MS),
      await wait(SLOT + 8 * HOUR_MS),
    ]
    await own.remove('block')
    await sync()
    expect(await Promise.all([freed, blocked, open].map(statusOf))).toEqual([
      'promoted',
      'waiting',
      'waiting',
    ])
  })

  it('goes to them once its event is moved, as far as it is free then', async () => {
    const { own, sync, wait, statusOf } = await waitedFor()
    const [first, second] = [await wait(SLOT), await wait(SLOT + 30 * MINUTE_MS)]
    await own.put('block', ...during(SLOT + 30 * MINUTE_MS, 60))
    await sync()
    expect(await Promise.all([first, second].map(statusOf))).toEqual(['promoted', 'waiting'])
  })

  it('goes to no waitlist entry while the event stays, and nothing is written down', async () => {
    const { own, sync, wait, statusOf, connection, id } = await waitedFor()
    const [freed, open] = [await wait(SLOT), await wait(SLOT + 8 * HOUR_MS)]
    // Nothing is offered meanwhile, so whatever is written down stays.
    await env.DB.prepare('UPDATE event_types SET active = 0 WHERE id = ?').bind(id).run()
    await own.put('block', ...busyAt(0), 'SUMMARY:Renamed')
    await sync()
    await env.DB.prepare('UPDATE calendar_connections SET sync_cursor = NULL WHERE id = ?')
      .bind(connection.id)
      .run()
    await sync()
    const left = await env.DB.prepare('SELECT * FROM freed_times WHERE event_type_id = ?').bind(id).all()
    expect(left.results).toEqual([])
    expect(await Promise.all([freed, open].map(statusOf))).toEqual(['waiting', 'waiting'])
  })

  it('goes to them once the calendar is disconnected', async () => {
    const { service, key, connection, wait, statusOf } = await waitedFor()
    const [freed, open] = [await wait(SLOT), await wait(SLOT + 8 * HOUR_MS)]
    expect((await service.call('DELETE', `/v1/calendars/${connection.id}`, { key })).status).toBe(204)
    expect(await Promise.all([freed, open].map(statusOf))).toEqual(['promoted', 'waiting'])
  })

  it('is not that of an event type whose hosts are others', async () => {
    const { own, sync, wait, statusOf, id, service, key, organization } = await waitedFor({
      assignment_strategy: 'round_robin',
    })
    const host = await createMember(organization)
    const added = await service.call('POST', `/v1/event-types/${id}/hosts`, {
      key,
      body: { member_id: host.id },
    })
    expect(added.status).toBe(201)
    const entry = await wait(SLOT)
    await own.remove('block')
    await sync()
    expect(await statusOf(entry)).toBe('waiting')
  })

  it('is that of an event type that its owner hosts', async () => {
    const { own, sync, wait, statusOf, id, service, key, connection } = await waitedFor({
      assignment_strategy: 'round_robin',
    })
    const body = { member_id: connection.member_id }
    expect((await service.call('POST', `/v1/event-types/${id}/hosts`, { key, body })).status).toBe(201)
    const entry = await wait(SLOT)
    await own.remove('block')
    await sync()
    expect(await statusOf(entry)).toBe('promoted')
  })
})
