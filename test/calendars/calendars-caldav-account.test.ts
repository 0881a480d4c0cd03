import { env } from 'cloudflare:workers'
import { describe, expect, inject, it, vi } from 'vitest'
import { AccountKeeper } from '../../src/calendars/accounts/account-keeper.ts'
import { calendarAccounts } from '../../src/calendars/accounts/account-source.ts'
import { askAccount } from '../../src/calendars/accounts/ask-account.ts'
import { openAccount } from '../../src/calendars/accounts/open-account.ts'
import { selectAccount } from '../../src/calendars/accounts/queries.ts'
import { unseal } from '../../src/platform/auth/secret.ts'
import { openDb } from '../../src/platform/db/client.ts'
import { accountMemory } from '../support/account-memory.ts'
import { CALDAV_USERS, deleteResource, getResource, makeCalendar, putEvent } from '../support/caldav.ts'
import { newCalendar } from '../support/caldav-calendars.ts'
import { createEventType, createOrganization, dayFromNow, iso } from '../support/factories.ts'
import { serviceWith } from '../support/service-with.ts'
import { openWorld } from '../support/world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

function during(start: number, minutes: number): string[] {
  const stamp = (instant: number) => iso(instant).replace(/[-:]|\.\d+/g, '')
  return [`DTSTART:${stamp(start)}`, `DTEND:${stamp(start + minutes * MINUTE_MS)}`]
}

function calendarOf(...lines: readonly string[]): any {
  const event = ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...event, 'END:VCALENDAR', ''].join('\n')
}

async function newService() {
  const service = serviceWith({ ALLOW_PRIVATE_HOSTS: 'true' })
  const { liveKey: key } = await createOrganization()
  const { id } = await createEventType(key)
  const ask = (method: string, path: string, body?: unknown) =>
    service.call(method, path, { key, ...(body !== undefined && { body }) })
  const connect = (input: Record<string, unknown>) =>
    ask('POST', '/v1/calendars/caldav/connect', { preset: 'custom', ...input })
  const sync = async (connectionId: string) => (await ask('POST', `/v1/calendars/${connectionId}/sync`)).body
  const isOpen = async (start: number) => (await service.openStarts(id, start)).includes(iso(start))
  return { service, key, id, ask, connect, sync, isOpen }
}

/** Two calendars of one account on the real server, both connected. */
async function connected() {
  const it = await newService()
  const [first, second] = [await newCalendar(CALDAV_USERS.hedy), await newCalendar(CALDAV_USERS.hedy)]
  const { username, password, serverUrl } = first
  const main = await it.connect({
    server_url: serverUrl,
    username,
    password,
    calendar_url: first.calendarUrl,
  })
  const { account_id } = main.body
  const added = await it.ask('POST', '/v1/calendars', { account_id, external_id: second.calendarUrl })
  if (added.status !== 201) throw new Error(JSON.stringify([main.body, added.body]))
  return { ...it, first, second, main: main.body, other: added.body }
}

async function newWorld(settings: Record<string, unknown> = {}) {
  const world = openWorld('caldav')
  await world.set({ server: 'sabredav', ...settings })
  const { username, password, url, calendars }: any = await world.look()
  const urlOf = (id: string) => calendars.find((each: any) => each.id === id).url as string
  return { world, input: { server_url: url as string, username, password }, urlOf }
}

describe('an account of two calendars', () => {
  it('is listed with both, and both block', async () => {
    const { ask, first, second, main, other, sync, isOpen } = await connected()
    const { body } = await ask('GET', '/v1/calendars/accounts')
    const listed = body.data[0].calendars.filter(({ external_id }: { external_id: string }) =>
      [first.calendarUrl, second.calendarUrl].includes(external_id),
    )
    expect(listed).toHaveLength(2)
    expect(Object.fromEntries(listed.map((each: any) => [each.external_id, each.connection_id]))).toEqual({
      [first.calendarUrl]: main.id,
      [second.calendarUrl]: other.id,
    })
    expect(listed.every(({ can_write }: any) => can_write)).toBe(true)
    await first.put('one', ...during(SLOT, 30))
    await second.put('two', ...during(SLOT + HOUR_MS, 30))
    await sync(main.id)
    await sync(other.id)
    const open = await Promise.all([0, 1, 2].map((hours) => isOpen(SLOT + hours * HOUR_MS)))
    expect(open).toEqual([false, false, true])
  })

  it('has all its calendars written down where it was connected', async () => {
    const { main, first, second } = await connected()
    const [account] = await selectAccount(openDb(env, 'decide'), main.account_id)
    const known = account!.calendars.map(({ external_id }) => external_id)
    expect(known).toEqual(expect.arrayContaining([first.calendarUrl, second.calendarUrl]))
    expect(account!.calendars.filter(({ is_primary }) => is_primary)).toHaveLength(1)
  })

  it('finds an event that its owner dragged from one to the other, by whatever name', async () => {
    const { service, first, second, main } = await connected()
    const [account] = await selectAccount(openDb(env, 'decide'), main.account_id)
    const client = await openAccount(service.env, account!)
    const uid = `${crypto.randomUUID()}@holdfast`
    await first.put(uid, ...during(SLOT, 30))
    const path = new URL(`${first.calendarUrl}${encodeURIComponent(uid)}.ics`)
    const known = {
      calendarId: first.calendarUrl,
      eventId: path.pathname,
      uid,
      around: { start: SLOT - DAY_MS, end: SLOT + DAY_MS },
    }
    expect(await client.findAnywhere(known)).toMatchObject({ calendarId: first.calendarUrl, event: { uid } })
    const text = await getResource(path.href, first)
    await first.remove(uid)
    const headers = { Authorization: `Basic ${btoa(`${first.username}:${first.password}`)}` }
    const put = await fetch(`${second.calendarUrl}other-name.ics`, { method: 'PUT', headers, body: text })
    expect(put.status).toBe(201)
    expect(await client.findAnywhere(known)).toMatchObject({
      calendarId: second.calendarUrl,
      event: { id: expect.stringMatching(/\/other-name\.ics$/), uid, time: { start: SLOT } },
    })
    await second.remove('other-name')
    expect(await client.findAnywhere(known)).toBeNull()
  })

  it('loses one that goes away, which blocks what it did, and has it again once it is back', async () => {
    const { second, main, other, sync, isOpen, ask } = await connected()
    await second.put('two', ...during(SLOT, 30))
    expect(await sync(other.id)).toMatchObject({ sync_status: 'connected' })
    const user = CALDAV_USERS.hedy
    await deleteResource(second.calendarUrl, user)
    for (const status of ['active', 'active', 'error']) {
      expect(await sync(other.id)).toMatchObject({ status, sync_status: 'error' })
    }
    expect((await sync(main.id)).sync_status).toBe('connected')
    expect(await isOpen(SLOT)).toBe(false)
    // The account shows it as one that is connected, though its server no longer does.
    const { body } = await ask('GET', '/v1/calendars/accounts')
    const shown = body.data[0].calendars.find((each: any) => each.external_id === second.calendarUrl)
    expect(shown).toMatchObject({ connection_id: other.id })

    const name = new URL(second.calendarUrl).pathname.split('/').at(-2)!
    expect(await makeCalendar(inject('radicale'), user, name)).toBe(second.calendarUrl)
    await putEvent(second.calendarUrl, user, 'new', ...during(SLOT + HOUR_MS, 30))
    expect(await sync(other.id)).toMatchObject({
      status: 'active',
      sync_status: 'connected',
      sync_error: null,
    })
    expect([await isOpen(SLOT), await isOpen(SLOT + HOUR_MS)]).toEqual([true, false])
  })
})

describe('an account at another kind of server', () => {
  it.each([
    ['nextcloud', {}],
    ['sabredav', {}],
    ['open-xchange', {}],
    ['sogo', {}],
    ['cyrus', {}],
    ['sabredav', { auth: ['Digest'] }],
    ['sabredav', { auth: ['Basic', 'Digest'], digestAlgorithms: ['MD5', 'SHA-256'], nonceUses: 2 }],
  ] as [string, Record<string, unknown>][])(
    'is connected, with all its calendars, by the address of the server alone: %s %j',
    async (server, settings) => {
      const world = openWorld('caldav')
      await world.set({ server, ...settings })
      const { username, password, calendars, url, home }: any = await world.look()
      const { connect, ask, isOpen, sync } = await newService()
      // Cyrus answers everybody at its top, and has its well-known path at the top of its host.
      const server_url = server === 'cyrus' ? home : url
      const { status, body } = await connect({ server_url, username, password })
      expect(body.provider_metadata.auth_method).toBe(settings.auth ? 'digest' : 'basic')
      expect([status, body.receives_bookings, body.account_email]).toEqual([201, true, 'owner@example.com'])
      const personal = calendars.find(({ id }: any) => id === 'personal')
      expect(body.calendar_id).toBe(personal.url)
      const accounts = (await ask('GET', '/v1/calendars/accounts')).body
      const shared = accounts.data[0].calendars.find(({ can_write }: any) => !can_write)
      expect(shared.external_id).toContain('team_shared')

      const add = (more: object) =>
        ask('POST', '/v1/calendars', {
          account_id: body.account_id,
          external_id: shared.external_id,
          ...more,
        })
      expect((await add({ receives_bookings: true })).status).toBe(400)
      const added = await add({})
      expect([added.status, added.body.receives_bookings]).toEqual([201, false])
      const id = 'team_shared_by_colleague'
      const second = (instant: number) => iso(instant).replace('.000', '')
      await world.seed([{ start: second(SLOT), end: second(SLOT + HOUR_MS) }], undefined, id)
      await sync(added.body.id)
      expect(await isOpen(SLOT)).toBe(false)
    },
  )

  it('that refuses the right password for a while is still connected afterwards', async () => {
    const world = openWorld('caldav')
    const { username, password, url }: any = await world.look()
    const { connect, sync } = await newService()
    const { body } = await connect({ server_url: url, username, password })
    await world.set({ refuseNext: 4 })
    const statuses: string[] = []
    for (let time = 0; time < 4; time++) statuses.push((await sync(body.id)).status)
    expect(statuses).toEqual(['active', 'active', 'error', 'error'])
    expect(await sync(body.id)).toMatchObject({ status: 'active', sync_status: 'connected' })
  })

  it.each([403, null])(
    'says how many of its events cannot be understood for as long as they are there (sync tokens refused with %s)',
    async (tokenRefusal) => {
      const world = openWorld('caldav')
      await world.set({ server: 'sabredav', tokenRefusal })
      const { username, password, url }: any = await world.look()
      const { connect, sync } = await newService()
      const { body } = await connect({ server_url: url, username, password })
      const past = 'DTSTART:20260302T090000Z'
      const flood = (uid: string) => calendarOf(`UID:${uid}`, past, 'DURATION:PT1S', 'RRULE:FREQ=MINUTELY')
      const fine = (uid: string) => calendarOf(`UID:${uid}`, ...during(SLOT, 30))
      const told = async () => {
        // After hours, what is known of it is written again.
        await env.DB.prepare('UPDATE calendar_connections SET next_sync_at = 0 WHERE id = ?')
          .bind(body.id)
          .run()
        const { sync_status, sync_error } = await sync(body.id)
        return [sync_status, sync_error]
      }
      const one = (uid: string) => `1 event could not be understood in full: 2026-03-02, UID ${uid}.`
      const two = '2 events could not be understood in full, the earliest: 2026-03-02, UID a.'
      await world.seed([flood('a')])
      expect((await sync(body.id)).sync_error).toBe(one('a'))
      expect(await told()).toEqual(['connected', one('a')])
      await world.seed([fine('b')])
      expect(await told()).toEqual(['connected', one('a')])
      await world.seed([flood('c'), flood('a')])
      expect((await sync(body.id)).sync_error).toBe(two)
      expect(await told()).toEqual(['connected', two])
      await world.seed([fine('a')])
      expect(await told()).toEqual(['connected', one('c')])
      await world.remove('c.ics')
      expect(await told()).toEqual(['connected', null])
    },
  )

  it.each([
    [403, 'short'],
    [403, 'long'],
    [null, 'short'],
    [null, 'long'],
  ])(
    'says so of more than a hundred of them (sync tokens refused with %s, names that are %s)',
    async (tokenRefusal, names) => {
      const world = openWorld('caldav')
      await world.set({ server: 'sabredav', tokenRefusal })
      const { username, password, url }: any = await world.look()
      const { connect, sync } = await newService()
      const { body } = await connect({ server_url: url, username, password })
      const uids = Array.from({ length: 103 }, (_, at) => `${at}${names === 'long' ? 'x'.repeat(1000) : ''}`)
      const lines = (uid: string) => [`UID:${uid}`, ...during(SLOT, 30)]
      const second = ['END:VEVENT', 'BEGIN:VEVENT']
      const broken = (uid: string) => calendarOf(...lines(uid), ...second, ...lines(uid), 'RRULE:FREQ=SELDOM')
      const fine = (uid: string) => calendarOf(...lines(uid))
      const told = async () => Number.parseInt((await sync(body.id)).sync_error, 10)
      await world.seed(uids.map(broken))
      expect(await told()).toBe(103)
      for (const uid of [uids.at(-1)!, uids.at(-1)!, uids[0]!]) {
        await world.seed([broken(uid)])
        expect(await told()).toBe(103)
      }
      await world.seed(uids.slice(-3).map(fine))
      expect(await told()).toBe(100)
      await world.remove(`${uids[99]}.ics`)
      expect(await told()).toBe(99)
    },
  )
})

describe('a calendar that was made again under its address', () => {
  const remade = async () => {
    const { world, input, urlOf } = await newWorld({ unknownToken: 'everything' })
    const service = await newService()
    const { body } = await service.connect({ ...input, calendar_url: urlOf('work') })
    await world.seed([{ uid: 'old', start: iso(SLOT), end: iso(SLOT + 30 * MINUTE_MS) }], undefined, 'work')
    await service.sync(body.id)
    expect(await service.isOpen(SLOT)).toBe(false)
    await world.control('POST', '/calendars/work/remake', { goesOn: true })
    return { ...service, world, connection: body }
  }

  it('no longer blocks by what it had, after a sync that somebody asks for', async () => {
    const { connection, isOpen, sync } = await remade()
    expect((await sync(connection.id)).sync_status).toBe('connected')
    expect(await isOpen(SLOT)).toBe(true)
  })

  it('is compared as a whole once a day, and if a booking finds that it is not as it is known', async () => {
    const { connection, isOpen, service } = await remade()
    const memory = accountMemory()
    const keeper = new AccountKeeper(service.env, calendarAccounts, connection.account_id, memory)
    const poll = async (comparedHoursAgo: number) => {
      const now = Date.now()
      const comparedAt = now - comparedHoursAgo * HOUR_MS
      await memory.polls.put({
        [connection.id]: { at: now, readAt: comparedAt, everyMs: MINUTE_MS, comparedAt },
      })
      await keeper.pollDue()
      return memory.polls.get()[connection.id]!.comparedAt! > comparedAt
    }
    expect([await poll(23), await isOpen(SLOT)]).toEqual([false, false])
    expect([await poll(24), await isOpen(SLOT)]).toEqual([true, true])
    const wanted = { connectionId: connection.id, isThorough: true }
    const { comparedAt } = memory.polls.get()[connection.id]!
    await keeper.sync({ ...wanted, since: comparedAt! })
    expect(memory.polls.get()[connection.id]!.comparedAt).toBe(comparedAt)
    await keeper.sync({ ...wanted, since: comparedAt! + 1 })
    expect(memory.polls.get()[connection.id]!.comparedAt).toBeGreaterThan(comparedAt!)
  })
})

describe('signing in at a CalDAV server', () => {
  const nothing = { data: [], has_more: false }
  const accountOf = (id: string) =>
    env.DB.prepare('SELECT credentials FROM calendar_accounts WHERE id = ?')
      .bind(id)
      .first<string>('credentials')
  const schemeOf = async (id: string) =>
    JSON.parse(await unseal(env.ENCRYPTION_KEY, (await accountOf(id))!)).scheme

  it.each([
    [{ auth: ['Bearer', 'Negotiate'] }, ['Bearer', 'Negotiate']],
    [{ auth: [] }, []],
    [{ auth: ['Digest', 'Basic'], digestAlgorithms: ['SHA-512-256'] }, ['Digest', 'Basic']],
  ])(
    'says what the server offers if that is not known here, and connects nothing: %j',
    async (settings, auth) => {
      const { input } = await newWorld(settings)
      const { connect, ask } = await newService()
      const sent = vi.spyOn(globalThis, 'fetch')
      const { status, body } = await connect(input)
      const headers = sent.mock.calls.map(([, init]) => new Headers(init?.headers).get('Authorization'))
      sent.mockRestore()
      expect([status, body.error.code, body.error.details]).toEqual([400, 'bad_request', { auth }])
      expect(new Set(headers)).toEqual(new Set([null]))
      expect((await ask('GET', '/v1/calendars')).body).toEqual(nothing)
    },
  )

  it('says that the password is wrong if it is, by Digest and by Basic', async () => {
    for (const auth of [['Digest'], ['Basic']]) {
      const { input } = await newWorld({ auth })
      const { connect } = await newService()
      const { status, body } = await connect({ ...input, password: 'wrong' })
      expect([status, body.error.code, body.error.details]).toEqual([400, 'bad_request', undefined])
      expect(body.error.message).toContain('user name or password')
    }
  })

  it('continues with Digest if the server stops taking Basic, and never goes back', async () => {
    const { world, input } = await newWorld()
    const { connect, sync, ask } = await newService()
    const { body } = await connect(input)
    expect([body.provider_metadata.auth_method, await schemeOf(body.account_id)]).toEqual(['basic', 'basic'])
    await world.set({ auth: ['Digest'] })
    expect((await sync(body.id)).sync_status).toBe('connected')
    expect(await schemeOf(body.account_id)).toBe('digest')
    const [shown] = (await ask('GET', '/v1/calendars')).body.data
    expect(shown.provider_metadata.auth_method).toBe('digest')

    await world.set({ auth: ['Basic'] })
    await askAccount(serviceWith({ ALLOW_PRIVATE_HOSTS: 'true' }).env, body.account_id).connected({})
    for (let time = 0; time < 3; time++) {
      expect(await sync(body.id)).toMatchObject({
        sync_status: 'error',
        sync_error: expect.stringContaining('offered Digest before'),
      })
    }
    // Nor where the owner types the password again; taking the account away first says that it is meant.
    const again = await connect(input)
    expect([again.status, again.body.error.details]).toEqual([400, { auth: ['Basic'] }])
    expect((await ask('DELETE', `/v1/calendars/${body.id}`)).status).toBe(204)
    expect((await connect(input)).status).toBe(201)
  })

  it('asks once for a sync by Digest, whose nonce is used again', async () => {
    const { input } = await newWorld({ auth: ['Digest'] })
    const { connect, sync } = await newService()
    const { body } = await connect(input)
    await sync(body.id)
    const sent = vi.spyOn(globalThis, 'fetch')
    await sync(body.id)
    const count = sent.mock.calls.length
    sent.mockRestore()
    // What changed, and the list of all, without a challenge.
    expect(count).toBe(2)
  })

  it.each(['server_url', 'calendar_url'])(
    'connects no calendar instead of the one that %s names',
    async (field) => {
      for (const server of ['sogo', 'cyrus', 'sabredav', 'nextcloud']) {
        const { world, input, urlOf } = await newWorld({ server })
        const other: any = await world.look('colleague@example.com')
        const theirs = other.calendars.find(({ id }: any) => id === 'personal').url
        const { connect, ask } = await newService()
        for (const url of [urlOf('work').replace('/work/', '/none/'), urlOf('tasks'), theirs]) {
          const { status, body } = await connect({ ...input, [field]: url })
          expect([server, url, status, body.error.code]).toEqual([server, url, 400, 'bad_request'])
          expect(body.error.message).toContain(url)
        }
        expect((await ask('GET', '/v1/calendars')).body).toEqual(nothing)
        const { body } = await connect({ ...input, [field]: urlOf('personal') })
        expect(body.calendar_id).toBe(urlOf('personal'))
      }
    },
  )
})
