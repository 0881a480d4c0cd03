import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { AccountKeeper } from '../../src/calendars/accounts/account-keeper.ts'
import { calendarAccounts } from '../../src/calendars/accounts/account-source.ts'
import { listAccounts } from '../../src/calendars/list-accounts.ts'
import type { Poll } from '../../src/calendars/sync/poll-plan.ts'
import type { Env } from '../../src/env.ts'
import { seal } from '../../src/platform/auth/secret.ts'
import { accountMemory } from '../support/account-memory.ts'
import { call } from '../support/app.ts'
import { newCalendar } from '../support/caldav-calendars.ts'
import { answerConsent } from '../support/consent.ts'
import {
  bookAsAnother,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
  unique,
} from '../support/factories.ts'
import { visit } from '../support/pages.ts'
import { openWorld } from '../support/world.ts'
import { settingsOf } from '../support/world-account.ts'

const HOUR_MS = 3_600_000
const SLOT = dayFromNow(3) + 10 * HOUR_MS
const world = openWorld('microsoft')
Object.assign(env, settingsOf('calendar_b', world.base))

type Key = { readonly key: string }

async function comeBack(key: string, email: string): Promise<URL> {
  const { body } = await call('GET', '/v1/calendars/calendar_b/connect', { key })
  return world.consent(body.url, email)
}

async function connect(key: string, email: string) {
  return answerConsent(visit, await comeBack(key, email))
}

/** An owner with an account of which the main calendar is connected. */
async function connected(mode: 'live' | 'test' = 'live') {
  const organization = await createOrganization()
  const key = mode === 'live' ? organization.liveKey : organization.testKey
  const email = `${unique('a')}@example.com`
  expect((await connect(key, email)).status).toBe(200)
  const [main] = await connectionsOf({ key })
  return { ...organization, key, email, main, accountId: main.account_id as string }
}

async function connectionsOf({ key }: Key): Promise<any[]> {
  return (await call('GET', '/v1/calendars', { key })).body.data
}

async function accountsOf({ key }: Key): Promise<any[]> {
  return (await call('GET', '/v1/calendars/accounts', { key })).body.data
}

type Account = Awaited<ReturnType<typeof connected>>

async function another({ email }: Account, input: Record<string, unknown> = {}): Promise<string> {
  return (await world.addCalendar({ name: unique('Calendar'), ...input }, email)).id
}

function add({ key, accountId }: Account, externalId: string, more = {}, headers = {}) {
  const body = { account_id: accountId, external_id: externalId, ...more }
  return call('POST', '/v1/calendars', { key, body, headers })
}

/** Another calendar of the account, connected. */
async function second(account: Account, more = {}) {
  const externalId = await another(account)
  const { status, body } = await add(account, externalId, more)
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { externalId, ...body }
}

function change({ key }: Key, id: string, body: unknown) {
  return call('PATCH', `/v1/calendars/${id}`, { key, body })
}

async function receiversOf(account: Key): Promise<string[]> {
  return (await connectionsOf(account)).filter((each) => each.receives_bookings).map(({ id }) => id)
}

/** Does something while the calendar is read for the first time. */
async function whileReading<T>(ask: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  const real = globalThis.fetch
  let isAsked = false
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    if (!isAsked && String(url).includes('/calendarView')) {
      isAsked = true
      await meanwhile()
    }
    return real(url, init)
  })
  try {
    return await ask()
  } finally {
    spy.mockRestore()
    expect(isAsked).toBe(true)
  }
}

const wall = (instant: number) => ({ dateTime: iso(instant).slice(0, 19), timeZone: 'UTC' })
const hourAt = (start: number) => ({ subject: 'Busy', start: wall(start), end: wall(start + HOUR_MS) })

async function seed({ email }: Account, start: number, calendar?: string) {
  await world.seed([hourAt(start)], email, calendar)
}

async function rowOf(table: 'calendar_accounts' | 'calendar_connections', id: string): Promise<any> {
  return env.DB.prepare(`SELECT * FROM ${table} WHERE id = ?`).bind(id).first()
}

async function actionsOf({ key }: Key): Promise<string[]> {
  const { body } = await call('GET', '/v1/activity', { key })
  return body.data.map(({ action }: any) => action).filter((action: string) => action.startsWith('calendar.'))
}

describe('the accounts of an organization', () => {
  it('have calendars of other owners, which their connections say', async () => {
    const account = await connected()
    const shared = await second(account, { receives_bookings: true })
    expect(shared.owner).toBeNull()
    const externalId = await another(account, { name: 'Team', ownerMail: 'boss@example.com' })
    expect((await add(account, externalId)).body).toMatchObject({ owner: 'boss@example.com' })
    const owners = (await connectionsOf(account)).map(({ calendar_id, owner }) => [calendar_id, owner])
    expect(owners).toContainEqual([externalId, 'boss@example.com'])
    expect(owners.filter(([, owner]) => owner !== null)).toHaveLength(1)
    const next = await another(account)
    expect((await add(account, next)).body.owner).toBeNull()
  })

  it('are its own, in their mode', async () => {
    const live = await connected()
    const other = await connected()
    expect((await accountsOf(live)).map(({ id }) => id)).toEqual([live.accountId])
    expect(await accountsOf({ key: live.testKey })).toEqual([])
    expect((await accountsOf(other)).map(({ id }) => id)).toEqual([other.accountId])
  })

  it('show what they had when they cannot be asked, and what is connected of what they no longer have', async () => {
    const account = await connected()
    const gone = await second(account)
    await world.removeCalendar(gone.externalId, account.email)
    const expected = [
      { external_id: account.main.calendar_id, connection_id: account.main.id },
      { external_id: gone.externalId, connection_id: gone.id, name: gone.name },
    ]
    const [asked] = await accountsOf(account)
    expect(asked.calendars).toMatchObject(expected)
    await world.troubles([{ about: '/me/calendars', times: null, status: 500 }])
    const [known] = await accountsOf(account)
    await world.noTroubles()
    expect(known.calendars).toMatchObject(expected)
  })

  it('are listed though the provider of one hangs', async () => {
    const account = await connected()
    await world.troubles([{ about: '/me/calendars', times: null, does: 'hangs' }])
    const tenant = { organizationId: account.id, isTest: false }
    const [listed] = await listAccounts(env as unknown as Env, tenant, 100)
    await world.noTroubles()
    expect(listed!.calendars).toMatchObject([{ connection_id: account.main.id }])
  }, 6_000)

  it('are asked a few at a time, and shown as they were if none answers', async () => {
    const organization = await createOrganization()
    const emails = Array.from({ length: 9 }, () => `${unique('a')}@example.com`)
    for (const email of emails) await connect(organization.liveKey, email)
    const asked = async () => (await world.look()).calls!.filter(({ path }) => path.endsWith('/me/calendars'))
    const before = (await asked()).length
    await world.troubles([{ about: '/me/calendars', times: null, does: 'hangs' }])
    const tenant = { organizationId: organization.id, isTest: false }
    const listed = await listAccounts(env as unknown as Env, tenant, 300)
    await world.noTroubles()
    expect(listed.map(({ account_email }) => account_email)).toEqual(emails)
    expect((await asked()).length - before).toBe(6)
  }, 20_000)

  it('give a connection the current name of its calendar, and whether it is writable', async () => {
    const account = await connected()
    const { id, name } = await second(account)
    await env.DB.batch([
      env.DB.prepare("UPDATE calendar_connections SET name = 'Old', can_write = 0 WHERE id = ?").bind(id),
      env.DB.prepare("UPDATE calendar_accounts SET calendars = '[]' WHERE id = ?").bind(account.accountId),
    ])
    expect((await change(account, id, { receives_bookings: true })).status).toBe(400)
    await accountsOf(account)
    expect((await connectionsOf(account)).find((each) => each.id === id)).toMatchObject({ name })
    expect((await change(account, id, { receives_bookings: true })).status).toBe(200)
  })

  it('are listed though one of them breaks', async () => {
    const account = await connected()
    const { credentials } = await rowOf('calendar_accounts', account.accountId)
    const set = (provider: string, sealed: string) =>
      env.DB.prepare('UPDATE calendar_accounts SET provider = ?, credentials = ? WHERE id = ?')
        .bind(provider, sealed, account.accountId)
        .run()
    await set('caldav', await seal(env.ENCRYPTION_KEY, 'null'))
    const [listed] = await listAccounts(env as unknown as Env, { organizationId: account.id, isTest: false })
    await set('calendar_b', credentials)
    expect(listed!.calendars).toMatchObject([{ connection_id: account.main.id }])
  })

  it('show that a permission ended, and show no secret', async () => {
    const account = await connected()
    await world.end('revoked', account.email)
    await call('POST', `/v1/calendars/${account.main.id}/sync`, { key: account.key })
    const [listed] = await accountsOf(account)
    expect(listed.status).toBe('revoked')
    expect(listed.error).toEqual(expect.any(String))
    expect(Object.keys(listed).sort()).toEqual([
      ...['account_email', 'calendars', 'connected_at', 'error', 'id', 'member_id', 'provider', 'status'],
    ])
  })
})

describe('another calendar of an account', () => {
  it('is connected once, however many ask for it at once', async () => {
    const account = await connected()
    const externalId = await another(account)
    const answers = await Promise.all([1, 2, 3].map(() => add(account, externalId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const refusals = answers.filter(({ status }) => status === 409).map(({ body }) => body.error.message)
    expect(new Set(refusals)).toEqual(new Set(['This calendar is already connected.']))
    const again = await add(account, externalId)
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict'])
    expect(again.body.error.message).toBe('This calendar is already connected.')
    expect(await connectionsOf(account)).toHaveLength(2)
    expect(await actionsOf(account)).toEqual(['calendar.connected', 'calendar.connected'])
  })

  it('is connected once by requests with one Idempotency-Key', async () => {
    const account = await connected()
    const externalId = await another(account)
    const headers = { 'Idempotency-Key': unique('add') }
    const first = await add(account, externalId, {}, headers)
    const again = await add(account, externalId, {}, headers)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
  })

  it('must be one of an account of the same organization and mode', async () => {
    const [account, other] = [await connected(), await connected()]
    const externalId = await another(account)
    const refused = [
      await add({ ...account, key: other.key }, externalId),
      await add({ ...account, key: account.testKey }, externalId),
      await add({ ...account, accountId: crypto.randomUUID() }, externalId),
      await add(account, 'no-such-calendar'),
    ]
    for (const { status, body } of refused) expect([status, body.error.code]).toEqual([404, 'not_found'])
    expect(await connectionsOf(account)).toHaveLength(1)
  })

  it('that may not be written to receives no bookings, and blocks time all the same', async () => {
    const account = await connected()
    const externalId = await another(account, { canWrite: false })
    await seed(account, SLOT, externalId)
    const refused = await add(account, externalId, { receives_bookings: true })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
    expect(await connectionsOf(account)).toHaveLength(1)
    const { status, body } = await add(account, externalId)
    expect([status, body.receives_bookings]).toEqual([201, false])
    expect((await change(account, body.id, { receives_bookings: true })).status).toBe(400)
    expect(await receiversOf(account)).toEqual([account.main.id])
    const { id } = await createEventType(account.key)
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
  })

  it('is not left without an account that is disconnected in the meantime', async () => {
    const account = await connected()
    const externalId = await another(account)
    const { status, body } = await whileReading(
      () => add(account, externalId),
      () => call('DELETE', `/v1/calendars/${account.main.id}`, { key: account.key }),
    )
    expect([status, body.error?.code]).toEqual([409, 'conflict'])
    expect(await connectionsOf(account)).toEqual([])
  })
})

describe('what a calendar is used for', () => {
  it('stays as it is with an empty body, and a change of it is listed in the activity', async () => {
    const account = await connected()
    const { status, body } = await change(account, account.main.id, {})
    expect([status, body]).toEqual([200, account.main])
    expect(await actionsOf(account)).toEqual(['calendar.connected'])
    await change(account, account.main.id, { checks_busy: false })
    const { body: activity } = await call('GET', '/v1/activity', { key: account.key })
    expect(activity.data[0]).toMatchObject({
      action: 'calendar.updated',
      resource_id: account.main.id,
      changes: { checks_busy: false },
    })
  })

  it('is changed in its organization and mode only, by booleans', async () => {
    const [account, other] = [await connected(), await connected()]
    const body = { checks_busy: false }
    for (const key of [other.key, account.testKey]) {
      expect((await change({ key }, account.main.id, body)).status).toBe(404)
    }
    const wrong = await change(account, account.main.id, { checks_busy: 'no' })
    expect([wrong.status, Object.keys(wrong.body.error.details)]).toEqual([400, ['checks_busy']])
    expect(await connectionsOf(account)).toEqual([account.main])
  })

  it('is one calendar of a member for bookings, however many are chosen at once', async () => {
    const account = await connected()
    const others = [await second(account), await second(account), await second(account)]
    const chosen = [account.main, ...others]
    const answers = await Promise.all(
      chosen.map(({ id }) => change(account, id, { receives_bookings: true })),
    )
    expect(answers.map(({ status }) => status)).toEqual(chosen.map(() => 200))
    expect(await receiversOf(account)).toHaveLength(1)
    const added = await second(account, { receives_bookings: true })
    expect(await receiversOf(account)).toEqual([added.id])
    const { id } = await createEventType(account.key)
    expect((await bookAsAnother(id, SLOT)).body.calendar_connection_id).toBe(added.id)
  })

  it('releases time to the waitlist when it blocks nothing any more', async () => {
    const account = await connected()
    await seed(account, SLOT)
    await call('POST', `/v1/calendars/${account.main.id}/sync`, { key: account.key })
    const { id } = await createEventType(account.key, { waitlist_enabled: true })
    expect(await openStarts(id, SLOT)).not.toContain(iso(SLOT))
    const entry = {
      event_type_id: id,
      start_time: iso(SLOT),
      invitee_name: 'Ada',
      invitee_email: 'a@example.com',
    }
    const { body: waiting } = await call('POST', '/v1/waitlist', { body: entry })
    await change(account, account.main.id, { checks_busy: false })
    const { body } = await call('GET', `/v1/waitlist/${waiting.id}`, { key: account.key })
    expect(body.status).toBe('promoted')
    const later = iso(SLOT + HOUR_MS / 2)
    expect(await openStarts(id, SLOT)).toContain(later)
    const { status, body: booked } = await bookAsAnother(id, SLOT + HOUR_MS / 2)
    expect([status, booked.busy_as_of]).toEqual([201, null])
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key: account.key })
    await change(account, account.main.id, { checks_busy: true })
    expect(await openStarts(id, SLOT)).not.toContain(later)
  })

  it('that it releases is reserved for the waitlist until it can be booked, even if the calendar is read in the meantime', async () => {
    const account = await connected()
    await seed(account, SLOT)
    const sync = () => call('POST', `/v1/calendars/${account.main.id}/sync`, { key: account.key })
    await sync()
    const { id } = await createEventType(account.key, { waitlist_enabled: true })
    const entry = {
      event_type_id: id,
      start_time: iso(SLOT),
      invitee_name: 'Ada',
      invitee_email: 'a@example.com',
    }
    expect((await call('POST', '/v1/waitlist', { body: entry })).status).toBe(201)
    await call('PATCH', `/v1/event-types/${id}`, { key: account.key, body: { active: false } })
    await change(account, account.main.id, { checks_busy: false })
    await seed(account, SLOT + 5 * HOUR_MS)
    await sync()
    const freed = env.DB.prepare('SELECT starts_at FROM freed_times WHERE event_type_id = ? AND source = ?')
    expect((await freed.bind(id, account.main.id).all()).results).toContainEqual({ starts_at: SLOT })
  })
})

describe('two event types of one owner without hosts', () => {
  async function twoTypes(account: Account) {
    const [one, two] = [await createEventType(account.key), await createEventType(account.key)]
    return [one.id, two.id] as const
  }

  it('are not booked at one time though another calendar receives bookings in between', async () => {
    const account = await connected()
    const other = await second(account)
    const [one, two] = await twoTypes(account)
    expect((await bookAsAnother(one, SLOT)).status).toBe(201)
    await change(account, other.id, { receives_bookings: true })
    expect(await openStarts(two, SLOT)).not.toContain(iso(SLOT))
    expect((await bookAsAnother(two, SLOT)).status).toBe(409)
  })

  it('are not booked at one time though another one begins to while the first is asked', async () => {
    const account = await connected()
    const other = await second(account)
    const [one, two] = await twoTypes(account)
    const statuses: number[] = []
    const { status } = await whileReading(
      () => bookAsAnother(one, SLOT),
      async () => {
        await change(account, other.id, { receives_bookings: true })
        statuses.push((await bookAsAnother(two, SLOT)).status)
      },
    )
    expect([...statuses, status]).toEqual([201, 409])
  })

  it('are not booked at one time though no calendar of their owner receives bookings', async () => {
    const account = await connected()
    await change(account, account.main.id, { receives_bookings: false })
    const [one, two] = await twoTypes(account)
    expect(await openStarts(two, SLOT)).toContain(iso(SLOT))
    const { status, body } = await bookAsAnother(one, SLOT)
    expect([status, body.calendar_connection_id]).toEqual([201, null])
    expect(await openStarts(two, SLOT)).not.toContain(iso(SLOT))
    expect((await bookAsAnother(two, SLOT)).status).toBe(409)
    await call('POST', `/v1/bookings/${body.id}/cancel`, { key: account.key })
    expect(await openStarts(two, SLOT)).toContain(iso(SLOT))
    expect((await bookAsAnother(two, SLOT)).status).toBe(201)
  })

  it('are not booked at one time though the calendar that received the first is disconnected', async () => {
    const account = await connected()
    const heir = await second(account)
    const [one, two] = await twoTypes(account)
    const { body: booked } = await bookAsAnother(one, SLOT)
    await call('DELETE', `/v1/calendars/${account.main.id}`, { key: account.key })
    expect(await receiversOf(account)).toEqual([heir.id])
    expect(await openStarts(two, SLOT)).not.toContain(iso(SLOT))
    expect((await bookAsAnother(two, SLOT)).status).toBe(409)
    await call('POST', `/v1/bookings/${booked.id}/cancel`, { key: account.key })
    expect((await bookAsAnother(two, SLOT)).status).toBe(201)
  })
})

describe('disconnecting', () => {
  it('leaves an account while it has another calendar, and takes its credentials with the last one', async () => {
    const account = await connected()
    const other = await second(account)
    const disconnect = (id: string) => call('DELETE', `/v1/calendars/${id}`, { key: account.key })
    expect((await disconnect(other.id)).status).toBe(204)
    expect(await receiversOf(account)).toEqual([account.main.id])
    expect(await rowOf('calendar_accounts', account.accountId)).not.toBeNull()
    expect((await disconnect(account.main.id)).status).toBe(204)
    expect(await rowOf('calendar_accounts', account.accountId)).toBeNull()
    expect((await disconnect(account.main.id)).status).toBe(404)
    expect(await accountsOf(account)).toEqual([])
  })
})

describe('connecting an account again', () => {
  it('is refused while all of it works', async () => {
    const account = await connected()
    await second(account)
    const answer = await connect(account.key, account.email)
    expect(answer.text).toContain('already connected')
    expect(await connectionsOf(account)).toHaveLength(2)
  })

  it('is connected again if its permission was withdrawn and this was not noticed yet', async () => {
    const account = await connected()
    await world.end('revoked', account.email)
    const answer = await answerConsent(visit, await comeBack(account.key, account.email))
    expect(answer.status).toBe(200)
    const [again] = await connectionsOf(account)
    expect(again).toMatchObject({ id: account.main.id, status: 'active' })
  })

  it('revives all its calendars as they were used, though only one has learnt that the permission ended', async () => {
    const account = await connected()
    const other = await second(account, { receives_bookings: true, checks_busy: false })
    await world.end('revoked', account.email)
    await call('POST', `/v1/calendars/${account.main.id}/sync`, { key: account.key })
    const back = await comeBack(account.key, account.email)
    const answer = await whileReading(
      () => answerConsent(visit, back),
      () => change(account, account.main.id, { checks_busy: false }),
    )
    expect(answer.status).toBe(200)
    const use = (id: string, checks_busy: boolean, receives_bookings: boolean) =>
      expect.objectContaining({ id, checks_busy, receives_bookings, status: 'active' })
    expect(await connectionsOf(account)).toEqual([
      use(other.id, false, true),
      use(account.main.id, false, false),
    ])
    expect(await accountsOf(account)).toMatchObject([{ id: account.accountId, status: 'active' }])
  })

  it('revives no calendar that is disconnected in the meantime', async () => {
    const account = await connected()
    const other = await second(account)
    await world.end('revoked', account.email)
    await call('POST', `/v1/calendars/${account.main.id}/sync`, { key: account.key })
    await seed(account, SLOT)
    const back = await comeBack(account.key, account.email)
    const answer = await whileReading(
      () => answerConsent(visit, back),
      () => call('DELETE', `/v1/calendars/${account.main.id}`, { key: account.key }),
    )
    expect(answer.status).toBe(409)
    expect((await connectionsOf(account)).map(({ id }) => id)).toEqual([other.id])
    const left = env.DB.prepare('SELECT * FROM calendar_busy_times WHERE connection_id = ?')
    expect((await left.bind(account.main.id).all()).results).toEqual([])
  })

  it('twice at once does so once', async () => {
    const account = await connected()
    await world.end('revoked', account.email)
    await call('POST', `/v1/calendars/${account.main.id}/sync`, { key: account.key })
    const backs = [await comeBack(account.key, account.email), await comeBack(account.key, account.email)]
    const answers = await Promise.all(backs.map((back) => answerConsent(visit, back)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await connectionsOf(account)).toMatchObject([{ id: account.main.id, status: 'active' }])
  })

  it('of two kinds at once makes one calendar of their member receive', async () => {
    const { liveKey: key } = await createOrganization()
    const emails = [unique('b'), unique('b')].map((name) => `${name}@example.com`)
    const backs = [await comeBack(key, emails[0]!), await comeBack(key, emails[1]!)]
    await Promise.all(backs.map((back) => answerConsent(visit, back)))
    expect(await receiversOf({ key })).toHaveLength(1)
  })
})

describe('the object of an account', () => {
  const keeperOf = (accountId: string, memory = accountMemory()) =>
    new AccountKeeper(env as unknown as Env, calendarAccounts, accountId, memory)

  it('uses the credentials that replaced refused ones, even without a notification', async () => {
    const { liveKey: key } = await createOrganization()
    const { serverUrl, calendarUrl, username, password } = await newCalendar()
    const input = { preset: 'custom', server_url: serverUrl, calendar_url: calendarUrl, username, password }
    const { body } = await call('POST', '/v1/calendars/caldav/connect', { key, body: input })
    const before = await rowOf('calendar_accounts', body.account_id)
    const set = (credentials: string, connectedAt: number) =>
      env.DB.prepare('UPDATE calendar_accounts SET credentials = ?, connected_at = ? WHERE id = ?')
        .bind(credentials, connectedAt, body.account_id)
        .run()
    const wrong = JSON.stringify({ username, password: 'not-this-one', addresses: [] })
    await set(await seal(env.ENCRYPTION_KEY, wrong), before.connected_at - 1)
    const keeper = keeperOf(body.account_id)
    const sync = () => keeper.sync({ connectionId: body.id, since: Date.now() + 1, isForced: true })
    await sync()
    expect((await rowOf('calendar_connections', body.id)).sync_status).toBe('error')
    await set(before.credentials, before.connected_at)
    await sync()
    expect((await rowOf('calendar_connections', body.id)).sync_status).toBe('connected')
  })

  it('renews tokens once at a time, however long that takes', async () => {
    const account = await connected()
    const keeper = keeperOf(account.accountId)
    const token = await keeper.accessToken(null)
    if (!('value' in token)) throw new Error(token.message)
    const renewals = async () =>
      (await world.look()).calls!.filter(({ path }) => path.endsWith('/oauth2/v2.0/token')).length
    const before = await renewals()
    const real = globalThis.fetch
    const until = Date.now() + 2 * 60_000
    const others: Promise<unknown>[] = []
    const now = vi.spyOn(Date, 'now')
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
      if (String(url).includes('/oauth2/') && others.length === 0) {
        now.mockReturnValue(until)
        others.push(keeper.accessToken(token.value))
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return real(url, init)
    })
    const renewed = await keeper.accessToken(token.value)
    expect(await Promise.all(others)).toEqual([renewed])
    spy.mockRestore()
    now.mockRestore()
    expect(renewed).not.toEqual(token)
    expect(await renewals()).toBe(before + 1)
  })

  it('records at once that its permission ended, whichever call finds out', async () => {
    for (const find of ['listBusy', 'accessToken'] as const) {
      const account = await connected()
      const memory = accountMemory()
      const { polls } = memory
      const keeper = keeperOf(account.accountId, memory)
      await keeper.sync({ connectionId: account.main.id, since: Date.now() + 1 })
      const planned = polls.get()[account.main.id]!
      await world.end('revoked', account.email)
      await world.expire(account.email)
      const range = { start: SLOT, end: SLOT + HOUR_MS }
      const { calendar_id: calendarId } = account.main
      const known = await keeper.accessToken(null)
      const told = await (find === 'listBusy'
        ? keeper.listBusy({ calendarId, timezone: null, range, patienceMs: 5_000 })
        : keeper.accessToken('value' in known ? known.value : null))
      expect(told).toMatchObject({ failure: 'revoked' })
      const { at } = polls.get()[account.main.id]!
      expect(at).toBeLessThan(planned.at)
      const now = vi.spyOn(Date, 'now').mockReturnValue(at)
      await keeper.pollDue()
      now.mockRestore()
      expect(await rowOf('calendar_connections', account.main.id)).toMatchObject({ status: 'revoked' })
    }
  })

  it('goes on planning for a calendar that was connected again while it was asked', async () => {
    const account = await connected()
    const memory = accountMemory()
    const { polls } = memory
    const keeper = keeperOf(account.accountId, memory)
    await whileReading(
      () => keeper.sync({ connectionId: account.main.id, since: Date.now() + 1 }),
      async () => {
        await seed(account, SLOT)
        await env.DB.prepare('UPDATE calendar_connections SET connected_at = connected_at + 1 WHERE id = ?')
          .bind(account.main.id)
          .run()
        await keeper.connected({ [account.main.id]: Date.now() })
      },
    )
    expect(Object.keys(polls.get())).toEqual([account.main.id])
  })

  it('asks its other calendars though one of them breaks off', async () => {
    const account = await connected()
    const other = await second(account)
    const memory = accountMemory()
    const { polls } = memory
    const keeper = keeperOf(account.accountId, memory)
    const ids = [account.main.id, other.id] as const
    for (const connectionId of ids) await keeper.sync({ connectionId, since: Date.now() + 1 })
    const [broken] = ids
    const planned = polls.get()
    await polls.put(Object.fromEntries(Object.entries(planned).map(([id, poll]) => [id, { ...poll, at: 1 }])))
    let isBroken = true
    const put = polls.put
    Object.assign(polls, {
      put: async (now: Readonly<Record<string, Poll>>) => {
        if (isBroken) {
          isBroken = false
          throw new Error('out of storage')
        }
        await put(now)
      },
    })
    await keeper.pollDue()
    const readAt = await keeper.readAt()
    expect(readAt[broken]).toBe(planned[broken]!.readAt)
    expect(readAt[other.id]).toBeGreaterThan(planned[other.id]!.readAt)
  })
})
