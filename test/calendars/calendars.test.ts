import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { AccountKeeper } from '../../src/calendars/accounts/account-keeper.ts'
import { calendarAccounts } from '../../src/calendars/accounts/account-source.ts'
import { askAccount } from '../../src/calendars/accounts/ask-account.ts'
import { seal, unseal } from '../../src/platform/auth/secret.ts'
import { looseId } from '../../src/platform/db/ids.ts'
import type { Message } from '../../src/platform/queue/messages.ts'
import { consume } from '../../src/worker/jobs/consume.ts'
import { sweep } from '../../src/worker/jobs/sweep.ts'
import { accountMemory } from '../support/account-memory.ts'
import { call, callAsService } from '../support/app.ts'
import { insertConnection } from '../support/connections.ts'
import { answerConsent, pressOn } from '../support/consent.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  book,
  createEventType,
  createOrganization,
  dayFromNow,
  iso,
  openStarts,
  organizationBackTo,
  unique,
} from '../support/factories.ts'
import { addHost, createMember } from '../support/hosts.ts'
import { HOSTILE, manyEvents } from '../support/many-events.ts'
import {
  answersWith,
  busyEvent,
  callsAt,
  connectGoogle,
  serviceWithGoogle,
} from '../support/oauth-calendars.ts'
import { formOf, linksOf, SITE, wordsOf } from '../support/pages.ts'
import { expectNowhere } from '../support/secrets.ts'
import type { Service } from '../support/service-with.ts'
import { syncWith } from '../support/sync.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SLOT = dayFromNow(3) + 10 * HOUR_MS

async function connected() {
  const { world, service } = serviceWithGoogle()
  const organization = await createOrganization()
  const key = organization.liveKey
  const connection = await connectGoogle(service, world, key)
  const sync = () => service.call('POST', `/v1/calendars/${connection.id}/sync`, { key })
  return { world, service, organization, key, connection, sync }
}

function rowOf(id: string): Promise<any> {
  return env.DB.prepare('SELECT * FROM calendar_connections WHERE id = ?').bind(id).first()
}

async function busyOf(id: string): Promise<{ starts_at: number; ends_at: number }[]> {
  const select = env.DB.prepare(
    'SELECT starts_at, ends_at FROM calendar_busy_times WHERE connection_id = ? ORDER BY starts_at',
  )
  return (await select.bind(id).all<any>()).results
}

/** The URL that the provider sends the owner back to, without its origin. */
async function comeBack(
  { service, world }: Pick<Awaited<ReturnType<typeof connected>>, 'service' | 'world'>,
  key: string,
  query = '',
  says: 'yes' | 'no' = 'yes',
  as?: string,
) {
  const { body } = await service.call('GET', `/v1/calendars/calendar_a/connect${query}`, { key })
  const back = await world.consent(body.url, as, says)
  return `${back.pathname}${back.search}`
}

async function accountRowOf(id: string): Promise<any> {
  return env.DB.prepare('SELECT * FROM calendar_accounts WHERE id = ?').bind(id).first()
}

describe('connecting by consent', () => {
  it('makes a record that shows whose calendar it is, and no secret', async () => {
    const { organization, connection } = await connected()
    const owner = await env.DB.prepare('SELECT id FROM members WHERE user_id = ?')
      .bind(organization.ownerUserId)
      .first<string>('id')
    expect(connection).toEqual({
      id: expect.any(String),
      account_id: expect.any(String),
      provider: 'calendar_a',
      calendar_id: 'owner@example.com',
      name: 'owner@example.com',
      checks_busy: true,
      blocks: 'busy',
      everybody: false,
      owner: null,
      receives_bookings: true,
      account_email: 'owner@example.com',
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
        preset: 'calendar_a',
        server_url: expect.any(String),
        auth_method: 'oauth2',
        calendar_url: expect.any(String),
      },
    })
  })

  it('needs to be configured, and says what is missing', async () => {
    const { liveKey } = await createOrganization()
    for (const [suite, name] of [
      ['calendar_a', 'GOOGLE_CLIENT_ID'],
      ['calendar_b', 'MICROSOFT_CLIENT_ID'],
    ]) {
      const { status, body } = await call('GET', `/v1/calendars/${suite}/connect`, { key: liveKey })
      expect([status, body.error.code]).toEqual([400, 'bad_request'])
      expect(body.error.message).toContain(name)
    }
  })

  it('asks the owner first, naming the organization, the account and what is granted', async () => {
    const { world, service } = serviceWithGoogle()
    const organization = await createOrganization()
    const name = `</bdi><b onclick="x()">Bank & 'Co' \u202e</b>`
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, { body: { name } })
    const path = await comeBack({ world, service }, organization.liveKey)
    const asked = await service.visit(path)
    expect(asked.status).toBe(200)
    expect(asked.text).not.toContain('<b ')
    expect(asked.text).toContain(
      `<bdi>&lt;/bdi>&lt;b onclick=&quot;x()&quot;>Bank &amp; 'Co' \u202e&lt;/b></bdi>`,
    )
    expect(wordsOf(asked)).toContain('owner@example.com')
    expect(wordsOf(asked)).toContain('add events to your calendars, and update and remove these events')

    const policy = asked.headers.get('Content-Security-Policy')!.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"]),
    )
    expect(policy.some((directive) => directive.startsWith('script-src'))).toBe(false)
    expect(asked.text).not.toContain('<script')
    expect(asked.headers.get('X-Frame-Options')).toBe('DENY')
    expect(asked.headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(asked.headers.get('Cache-Control')).toBe('no-store')

    const german = await comeBack({ world, service }, organization.testKey)
    const fragt = await service.visit(german, { headers: { 'Accept-Language': 'de' } })
    expect(wordsOf(fragt)).toContain('Nicht verbinden')
    expect(wordsOf(fragt)).toContain('Das ist ein Test')
  })

  it('stores nothing until the owner agreed, and nothing when the owner declines', async () => {
    const { world, service } = serviceWithGoogle()
    const { id, liveKey } = await createOrganization()
    const kept = async () => {
      const counts = ['calendar_connections', 'activity', 'events'].map((table) =>
        env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE organization_id = ?`).bind(id).first('n'),
      )
      const keys = env.DB.prepare('SELECT count(*) AS n FROM idempotency_keys').first('n')
      return Promise.all([...counts, keys])
    }
    const path = await comeBack({ world, service }, liveKey, '', 'yes', `${unique('new')}@example.com`)
    const before = await kept()
    const asked = await service.visit(path)
    expect(asked.text).toContain('Do not connect')
    expect(await kept()).toEqual(before)
    const declined = await pressOn(service.visit, asked, 'decline')
    expect([declined.status, wordsOf(declined)]).toEqual([
      200,
      expect.stringContaining('Nothing was connected'),
    ])
    expect(await kept()).toEqual(before)
    expect((await world.look()).calls!.at(-1)).toMatchObject({ path: '/revoke' })
    const late = await pressOn(service.visit, asked, 'connect')
    expect(late.status).toBe(400)
    expect(await kept()).toEqual(before)
  })

  it('leaves a permission alone that another connection of the account lives by', async () => {
    const { world, service } = await connected()
    const stranger = await createOrganization()
    const asked = await service.visit(await comeBack({ world, service }, stranger.liveKey))
    const declined = await pressOn(service.visit, asked, 'decline')
    expect(wordsOf(declined)).toContain('Nothing was stored here')
    expect((await world.look()).calls!.some(({ path }) => path === '/revoke')).toBe(false)
  })

  it('takes a yes from its own page only, in time, for its own provider and unchanged', async () => {
    const { world, service } = serviceWithGoogle({ ZOOM_CLIENT_ID: 'x', ZOOM_CLIENT_SECRET: 'y' })
    const { liveKey } = await createOrganization()
    const asked = await service.visit(await comeBack({ world, service }, liveKey))
    const { action, fields } = formOf(asked, '/callback', 'value="connect"')
    const send = async (path: string, form: Record<string, string>, headers = {}) =>
      (await service.visit(path, { form, headers })).status
    expect(await send(action, fields, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
    expect(await send(action, { ...fields, grant: `${fields.grant}x` })).toBe(400)
    expect(await send(action, { answer: 'connect' })).toBe(400)
    expect(await send('/v1/conferencing/video_a/callback', fields)).toBe(400)
    const state = new URL(await comeBack({ world, service }, liveKey), SITE).searchParams.get('state')!
    expect(await send(action, { ...fields, grant: state })).toBe(400)
    vi.useFakeTimers({ now: Date.now() + 10 * MINUTE_MS + 1, toFake: ['Date'] })
    expect(await send(action, fields)).toBe(400)
    vi.useRealTimers()
    expect((await service.call('GET', '/v1/calendars', { key: liveKey })).body.data).toEqual([])
    expect(await send(action, fields)).toBe(200)
    expect(await send(action, fields)).toBe(409)
  })

  it("redirects the owner to the caller's address, and nowhere else", async () => {
    const { world, service } = serviceWithGoogle()
    const { liveKey } = await organizationBackTo('app.example.com')
    const query = `?redirect_url=${encodeURIComponent('https://app.example.com/done?step=2')}`
    const path = await comeBack({ world, service }, liveKey, query)
    const asked = await service.visit(`${path}&redirect_url=https://evil.example`)
    expect(asked.headers.get('Content-Security-Policy')).toContain(
      "form-action 'self' https://app.example.com;",
    )
    const { status, headers } = await pressOn(service.visit, asked, 'connect')
    expect(status).toBe(303)
    expect(headers.get('Location')).toBe('https://app.example.com/done?step=2&calendar=connected')
    expect(headers.get('Cache-Control')).toBe('no-store')

    const denied = await comeBack({ world, service }, liveKey, query, 'no')
    const location = new URL((await service.visit(denied)).headers.get('Location')!)
    expect(location.origin + location.pathname).toBe('https://app.example.com/done')
    expect(location.searchParams.get('error')).toBe('bad_request')
    expect(location.searchParams.get('calendar')).toBeNull()

    const again = await comeBack({ world, service }, liveKey, query)
    const conflict = new URL((await service.visit(again)).headers.get('Location')!)
    expect(conflict.searchParams.get('error')).toBe('conflict')
  })

  it('does not redirect owners who decline here, but says where they would go', async () => {
    const { world, service } = serviceWithGoogle()
    const { liveKey } = await organizationBackTo('app.example.com')
    const query = `?redirect_url=${encodeURIComponent('https://app.example.com/done')}`
    const path = await comeBack({ world, service }, liveKey, query)
    const declined = await answerConsent(service.visit, path, 'decline')
    expect([declined.status, declined.headers.get('Location')]).toEqual([200, null])
    expect(linksOf(declined)).toContain(
      'https://app.example.com/done?error=bad_request&error_description=Permission+was+not+given.',
    )
  })

  it('does not redirect without a state of ours, or to a host that is allowed no longer', async () => {
    const { world, service } = serviceWithGoogle()
    const { id, liveKey } = await organizationBackTo('app.example.com')
    const evil = 'redirect_url=https://evil.example&error=access_denied'
    for (const query of [evil, `${evil}&state=nonsense`]) {
      const { status, headers, text } = await service.visit(`/v1/calendars/calendar_a/callback?${query}`)
      expect([status, headers.get('Location')]).toEqual([400, null])
      expect(text).not.toContain('evil.example')
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'")
    }
    const query = `?redirect_url=${encodeURIComponent('https://app.example.com/done')}`
    const denied = await comeBack({ world, service }, liveKey, query, 'no')
    await callAsService('PATCH', `/v1/organizations/${id}`, { body: { allowed_redirect_hosts: [] } })
    const { status, headers } = await service.visit(denied)
    expect([status, headers.get('Location')]).toEqual([400, null])
  })

  it('takes no redirect to anything but a public https host that the organization allows', async () => {
    const { service } = serviceWithGoogle({ ALLOW_PRIVATE_HOSTS: 'false', PUBLIC_URL: SITE })
    const { id, liveKey } = await createOrganization()
    const answerTo = async (url: string) => {
      const path = `/v1/calendars/calendar_a/connect?redirect_url=${encodeURIComponent(url)}`
      const { status, body } = await service.call('GET', path, { key: liveKey })
      if (status !== 200) expect([url, Object.keys(body.error.details)]).toEqual([url, ['redirect_url']])
      return status
    }
    for (const url of [
      'http://app.example.com/',
      'https://localhost/',
      'http://localhost:3000/',
      'https://10.0.0.1/',
      'javascript:alert(1)',
      '/x',
      'https://app.example.com/',
      'http://holdfast.test/',
      'https://holdfast.test@evil.example/',
    ]) {
      expect([url, await answerTo(url)]).toEqual([url, 400])
    }
    expect(await answerTo('https://holdfast.test/done')).toBe(200)
    await service.call('PATCH', `/v1/organizations/${id}`, {
      key: env.SERVICE_KEY,
      body: { allowed_redirect_hosts: ['app.example.com', 'localhost:3000'] },
    })
    expect(await answerTo('https://app.example.com/')).toBe(200)
    expect(await answerTo('http://localhost:3000/done')).toBe(200)
    for (const url of [
      'http://app.example.com/',
      'https://sub.app.example.com/',
      'https://app.example.com:8443/',
      'https://app.example.com.evil.example/',
      'http://localhost:3001/',
      'https://holdfast.test/done',
    ]) {
      expect([url, await answerTo(url)]).toEqual([url, 400])
    }
  })

  it('takes a state unchanged, in its time and of its own provider', async () => {
    const { world, service } = serviceWithGoogle()
    const { liveKey } = await createOrganization()
    const path = await comeBack({ world, service }, liveKey)
    const statusOf = async (asked: string) => (await service.visit(asked)).status
    const changed = new URL(path, SITE)
    changed.searchParams.set('state', `${changed.searchParams.get('state')}x`)
    expect(await statusOf(`${changed.pathname}${changed.search}`)).toBe(400)
    expect(await statusOf('/v1/calendars/calendar_a/callback?code=x')).toBe(400)
    vi.useFakeTimers({ now: Date.now() + 10 * MINUTE_MS + 1, toFake: ['Date'] })
    expect(await statusOf(path)).toBe(400)
    vi.useRealTimers()
    expect(wordsOf(await answerConsent(service.visit, path))).toContain('Your account is connected')
    const again = await service.visit(path)
    expect([again.status, wordsOf(again)]).toEqual([400, expect.stringContaining('already been used')])
  })

  it('names a member of the organization, or nobody', async () => {
    const { world, service } = serviceWithGoogle()
    const organization = await createOrganization()
    const stranger = await createMember(await createOrganization())
    const { id } = await createMember(organization)
    const at = (memberId: string) => `/v1/calendars/calendar_a/connect?member_id=${memberId}`
    const key = organization.liveKey
    expect((await service.call('GET', at(stranger.id), { key })).status).toBe(404)
    expect(await connectGoogle(service, world, key, { memberId: id })).toMatchObject({ member_id: id })
  })

  it('of one account at the same moment makes one connection', async () => {
    const { world, service } = serviceWithGoogle()
    const organization = await createOrganization()
    const pages = []
    for (let at = 0; at < 4; at++) {
      pages.push(await service.visit(await comeBack({ world, service }, organization.liveKey)))
    }
    const answers = await Promise.all(pages.map((asked) => pressOn(service.visit, asked, 'connect')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const other = await comeBack({ world, service }, organization.testKey)
    expect((await answerConsent(service.visit, other)).status).toBe(200)
  })

  it('renews a calendar whose permission was withdrawn', async () => {
    const { world, service, key, connection, sync } = await connected()
    await world.end('revoked')
    await world.expire()
    expect((await sync()).body).toMatchObject({ status: 'revoked', sync_status: 'error' })
    expect((await rowOf(connection.id)).status).toBe('revoked')
    await world.seed([busyEvent(SLOT, 30)])
    const renewed = await connectGoogle(service, world, key)
    expect(renewed).toMatchObject({ id: connection.id, status: 'active', sync_error: null })
    expect(await busyOf(connection.id)).toHaveLength(1)
    expect((await service.call('GET', '/v1/calendars', { key })).body.data).toHaveLength(1)
  })

  it('needs every permission, and says which was not given', async () => {
    const { liveKey } = await createOrganization()
    // An account keeps what it granted before: each call is another one.
    for (const [granted, missing] of [
      ['calendar.events', 'See the list of Google calendars'],
      ['calendar.calendarlist.readonly', 'View and edit events on all your calendars'],
    ]) {
      const { world, service } = serviceWithGoogle()
      await world.set({ grantedScope: [`https://www.googleapis.com/auth/${granted}`] })
      const answer = await service.visit(await comeBack({ world, service }, liveKey))
      expect([answer.status, wordsOf(answer)]).toEqual([400, expect.stringContaining(missing!)])
    }
    const { world, service } = serviceWithGoogle()
    expect((await service.call('GET', '/v1/calendars', { key: liveKey })).body.data).toEqual([])
    await world.set({ grantedScope: 'all' })
    expect(await connectGoogle(service, world, liveKey)).toMatchObject({ status: 'active' })
  })

  it('reports an account that returns nothing sensible as the fault of the provider', async () => {
    const { world, service } = serviceWithGoogle()
    const { liveKey } = await createOrganization()
    const path = await comeBack({ world, service }, liveKey)
    await answersWith(world, 500)
    expect((await service.visit(path)).status).toBe(502)
    expect((await service.call('GET', '/v1/calendars', { key: liveKey })).body.data).toEqual([])
  })
})

describe('a sync', () => {
  it('follows what is made, moved and removed', async () => {
    const { world, connection, sync } = await connected()
    const [id] = await world.seed([busyEvent(SLOT, 30)])
    expect((await sync()).body.sync_status).toBe('connected')
    expect(await busyOf(connection.id)).toEqual([{ starts_at: SLOT, ends_at: SLOT + 30 * MINUTE_MS }])
    await world.change(id!, busyEvent(SLOT + HOUR_MS, 60))
    await sync()
    expect(await busyOf(connection.id)).toEqual([{ starts_at: SLOT + HOUR_MS, ends_at: SLOT + 2 * HOUR_MS }])
    await world.remove(id!)
    const before = Date.now()
    const { body } = await sync()
    expect(await busyOf(connection.id)).toEqual([])
    expect(Date.parse(body.last_sync_at)).toBeGreaterThanOrEqual(before)
  })

  it('keeps thousands of events, and long ones in pieces', async () => {
    const { world, connection, sync } = await connected()
    await world.set({ pageSize: 250 })
    await world.seed(Array.from({ length: 1200 }, (_, at) => busyEvent(SLOT + at * HOUR_MS, 30)))
    await world.seed([busyEvent(SLOT, 20 * 24 * 60)])
    await sync()
    const busy = await busyOf(connection.id)
    expect(busy).toHaveLength(1203)
    expect(Math.max(...busy.map(({ starts_at, ends_at }) => ends_at - starts_at))).toBe(7 * DAY_MS)
  })

  it('deletes what is gone when everything is listed again', async () => {
    const { world, connection, sync } = await connected()
    const [gone] = await world.seed([busyEvent(SLOT, 30), busyEvent(SLOT + HOUR_MS, 30)])
    await sync()
    expect(await busyOf(connection.id)).toHaveLength(2)
    await world.remove(gone!)
    await world.forget()
    await sync()
    expect(await busyOf(connection.id)).toHaveLength(1)
  })

  it('of a calendar that has not changed costs one request and one round trip, and writes nothing', async () => {
    const { world, service, connection } = await connected()
    const { trips, ran, env: counted } = countedEnv(service.env)
    const before = (await callsAt(world)).length
    await syncWith(counted, connection.id, () => ({}))
    // One of them is this test's, which opens the account.
    expect([trips.count - 1, (await callsAt(world)).length - before]).toEqual([1, 1])
    expect(ran.filter(({ written }) => written > 0)).toEqual([])
  })

  it('that would take too long ends with an error, keeps what is known, and lets others go before', async () => {
    const { world, service, organization, connection, sync } = await connected()
    await world.seed([busyEvent(SLOT, 30)])
    await sync()
    const known = await busyOf(connection.id)
    const other = await createEventType((await createOrganization()).liveKey)

    const ended: string[] = []
    const { client, asked } = manyEvents(6_000, HOSTILE)
    const listChanges: typeof client.listChanges = (window, since) =>
      client.listChanges(window, since).finally(() => ended.push('the reading'))
    const reading = syncWith(service.env, connection.id, () => ({ listChanges }))
    await vi.waitUntil(() => asked.events > 0, { interval: 0 })
    expect(await service.openStarts(other.id, SLOT)).not.toEqual([])
    ended.push('the question of somebody else')
    await reading
    expect(ended).toEqual(['the question of somebody else', 'the reading'])

    const { body } = await service.call('GET', '/v1/calendars', { key: organization.liveKey })
    expect(body.data[0]).toMatchObject({
      status: 'error',
      sync_status: 'error',
      sync_error: 'The calendar repeats so many events so often that it takes too long to read.',
    })
    expect(await busyOf(connection.id)).toEqual(known)
    expect((await sync()).body).toMatchObject({ status: 'active', sync_error: null })
  })

  it('is made once, however many ask for it at the same moment', async () => {
    const { world, service, connection } = await connected()
    const before = (await callsAt(world)).length
    const wanted = { connectionId: connection.id, since: Date.now() }
    const account = askAccount(service.env, connection.account_id)
    await Promise.all(Array.from({ length: 8 }, () => account.sync(wanted)))
    expect((await callsAt(world)).length - before).toBe(1)
    await account.sync({ ...wanted, since: wanted.since - MINUTE_MS })
    expect((await callsAt(world)).length - before).toBe(1)
  })

  it('is due after six hours if its object forgot it, and the sweep enqueues it', async () => {
    const { service, connection } = await connected()
    const row = await rowOf(connection.id)
    expect(row.next_sync_at - row.last_sync_at).toBe(6 * HOUR_MS)
    const told = async (now: number) => {
      service.messages.length = 0
      await sweep(service.env, now)
      return service.messages.filter(
        (message) => 'connectionId' in message && message.connectionId === connection.id,
      )
    }
    expect(await told(row.next_sync_at - 1)).toEqual([])
    expect(await told(row.next_sync_at)).toEqual([
      {
        type: 'calendar',
        accountId: connection.account_id,
        connectionId: connection.id,
        since: row.next_sync_at,
      },
    ])
  })

  it('is made by the queue, and one bad calendar delays no other', async () => {
    const good = await connected()
    const bad = await insertConnection(good.organization, 'live')
    await good.world.seed([busyEvent(SLOT, 30)])
    const since = Date.now() + MINUTE_MS
    const bodies: Message[] = [
      { type: 'calendar', accountId: bad, connectionId: bad, since },
      { type: 'calendar', accountId: looseId(), connectionId: looseId(), since },
      { type: 'calendar', accountId: good.connection.account_id, connectionId: good.connection.id, since },
    ]
    const acked: string[] = []
    const waiting: Promise<unknown>[] = []
    const messages = bodies.map((body, at) => ({
      id: String(at),
      body,
      attempts: 1,
      ack: () => acked.push(String(at)),
      retry: () => acked.push(`retry ${at}`),
    }))
    await consume(
      { queue: 'holdfast-events', messages } as unknown as MessageBatch<Message>,
      good.service.env,
      {
        waitUntil: (work) => waiting.push(work),
      },
    )
    expect(acked.sort()).toEqual(['0', '1', '2'])
    await Promise.all(waiting)
    expect(await busyOf(good.connection.id)).toHaveLength(1)
    expect(await rowOf(bad)).toMatchObject({ sync_status: 'error', sync_failures: 1, status: 'active' })
  })

  it('says what failed, waits as long as the provider asks, and recovers automatically', async () => {
    const { world, connection, sync } = await connected()
    await answersWith(world, 503, { times: 3, headers: { 'Retry-After': '86400' } })
    for (const status of ['active', 'active', 'error']) {
      const { body } = await sync()
      expect(body).toMatchObject({ status, sync_status: 'error', last_sync_at: connection.last_sync_at })
      expect(body.sync_error).toMatch(/^[A-Z].*\.$/)
      const row = await rowOf(connection.id)
      expect(row.next_sync_at - Date.now()).toBeGreaterThan(23 * HOUR_MS)
    }
    expect((await sync()).body).toMatchObject({
      status: 'active',
      sync_status: 'connected',
      sync_error: null,
    })
  })

  it('polls a calendar whose permission ended only on request', async () => {
    const { world, service, connection, sync } = await connected()
    await world.end('expired')
    await world.expire()
    await sync()
    expect((await rowOf(connection.id)).status).toMatch(/expired|revoked/)
    const before = (await callsAt(world)).length
    await askAccount(service.env, connection.account_id).sync({
      connectionId: connection.id,
      since: Date.now() + DAY_MS,
    })
    expect(await callsAt(world)).toHaveLength(before)
    service.messages.length = 0
    await sweep(service.env, Date.now() + DAY_MS)
    expect(JSON.stringify(service.messages)).not.toContain(connection.id)
  })

  it('reads the time around the present, also if that is the clock of a sandbox', async () => {
    const { world, service } = serviceWithGoogle()
    const { testKey } = await createOrganization()
    const later = dayFromNow(800) + 10 * HOUR_MS
    await world.seed([busyEvent(later, 30), busyEvent(SLOT, 30)])
    const connection = await connectGoogle(service, world, testKey)
    expect((await busyOf(connection.id)).map(({ starts_at }) => starts_at)).toEqual([SLOT])
    const setClock = (now: string | null) =>
      service.call('PUT', '/v1/test-data/clock', { key: testKey, body: { now } })
    await setClock(iso(later - 2 * DAY_MS))
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key: testKey })
    expect((await busyOf(connection.id)).map(({ starts_at }) => starts_at)).toEqual([later])
    await setClock(iso(later + 12 * HOUR_MS))
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key: testKey })
    await setClock(iso(later - 5 * DAY_MS))
    await world.seed([busyEvent(later - 4 * DAY_MS, 30)])
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key: testKey })
    expect((await busyOf(connection.id)).map(({ starts_at }) => starts_at)).toEqual([
      later - 4 * DAY_MS,
      later,
    ])
    await setClock(null)
    await service.call('POST', `/v1/calendars/${connection.id}/sync`, { key: testKey })
    expect((await busyOf(connection.id)).map(({ starts_at }) => starts_at)).toEqual([SLOT])
  })
})

describe('disconnecting', () => {
  it('forgets events, busy times, credentials and the default, and leaves the bookings', async () => {
    const { world, service, organization, key, connection, sync } = await connected()
    const { id } = await createEventType(key)
    await callAsService('PATCH', `/v1/organizations/${organization.id}`, {
      body: { default_calendar_connection_id: connection.id },
    })
    const booked = await service.book(id, SLOT)
    await world.seed([busyEvent(SLOT + HOUR_MS, 30)])
    await sync()
    const listed = await service.call('GET', '/v1/calendars', { key })
    expect(listed.body.data[0].upcoming_booking_count).toBe(1)
    const path = `/v1/calendars/${connection.id}`
    expect((await service.call('DELETE', path, { key })).status).toBe(204)
    expect((await service.call('DELETE', path, { key })).status).toBe(404)
    for (const table of ['calendar_events', 'calendar_busy_times', 'calendar_writes']) {
      const left = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE connection_id = ?`).bind(
        connection.id,
      )
      expect([table, await left.first('n')]).toEqual([table, 0])
    }
    expect(await rowOf(connection.id)).toBeNull()
    const kept = await service.call('GET', `/v1/bookings/${booked.body.id}`, { key })
    expect(kept.body).toMatchObject({ status: 'confirmed', calendar_connection_id: connection.id })
  })

  it('comes with the removal of the member whose calendar it is', async () => {
    const { world, service, organization, key } = await connected()
    const { id } = await createMember(organization)
    const theirs = await connectGoogle(service, world, key, { as: 'member@example.com', memberId: id })
    const path = `/v1/organizations/${organization.id}/members/${id}`
    expect((await callAsService('DELETE', path, { headers: { 'X-Org-Id': organization.id } })).status).toBe(
      204,
    )
    expect(await rowOf(theirs.id)).toBeNull()
    expect((await service.call('GET', '/v1/calendars', { key })).body.data).toHaveLength(1)
  })

  it('comes with emptying the sandbox, for what is connected in it', async () => {
    const { world, service, organization, key } = await connected()
    await connectGoogle(service, world, organization.testKey)
    const { body } = await service.call('DELETE', '/v1/test-data', { key: organization.testKey })
    expect(body.deleted.calendar_connections).toBe(1)
    const listed = (listedKey: string) => service.call('GET', '/v1/calendars', { key: listedKey })
    expect((await listed(organization.testKey)).body.data).toEqual([])
    expect((await listed(key)).body.data).toHaveLength(1)
  })
})

describe('what else knows of calendars', () => {
  it('is the list, a page at a time, newest first', async () => {
    const organization = await createOrganization()
    const ids = []
    for (let at = 0; at < 3; at++) ids.unshift(await insertConnection(organization, 'live'))
    const page = (query: string) => call('GET', `/v1/calendars?${query}`, { key: organization.liveKey })
    const first = await page('limit=2')
    expect([first.body.data.map(({ id }: any) => id), first.body.has_more]).toEqual([ids.slice(0, 2), true])
    const rest = await page(`limit=2&starting_after=${ids[1]}`)
    expect([rest.body.data.map(({ id }: any) => id), rest.body.has_more]).toEqual([ids.slice(2), false])
  })

  it('is the list of hosts, in the mode of the event type', async () => {
    const organization = await createOrganization()
    const owner = await env.DB.prepare('SELECT id FROM members WHERE user_id = ?')
      .bind(organization.ownerUserId)
      .first<string>('id')
    await insertConnection(organization, 'live')
    for (const [key, has_calendar] of [
      [organization.liveKey, true],
      [organization.testKey, false],
    ] as const) {
      const { id } = await createEventType(key)
      expect((await addHost(key, id, owner!)).has_calendar).toBe(has_calendar)
      const { body } = await call('GET', `/v1/event-types/${id}/hosts`, { key })
      expect(body.data[0].has_calendar).toBe(has_calendar)
    }
  })

  it('is the usage summary', async () => {
    const organization = await createOrganization()
    await insertConnection(organization, 'live')
    const broken = await insertConnection(organization, 'live')
    await env.DB.prepare("UPDATE calendar_connections SET status = 'revoked' WHERE id = ?").bind(broken).run()
    const { body } = await call('GET', '/v1/usage/summary?period=7d', { key: organization.liveKey })
    expect(body.calendar_connections).toEqual({ total: 2, active: 1 })
  })

  it.each([
    ['calendar_a', 'no_calendar_a_connection'],
    ['calendar_b', 'no_calendar_b_connection'],
  ])(
    'is an event type with meetings of %s, which needs one that is active, in its mode',
    async (provider, code) => {
      const organization = await createOrganization()
      const key = organization.liveKey
      const create = () =>
        call('POST', '/v1/event-types', {
          key,
          body: {
            title: 'Call',
            slug: unique('call'),
            duration_minutes: 30,
            conferencing_provider: `${provider}_meet`,
          },
        })
      await insertConnection(organization, 'test', { provider })
      await insertConnection(organization, 'live')
      const refused = await create()
      expect([refused.status, refused.body.error.code]).toEqual([422, code])
      const id = await insertConnection(organization, 'live', { provider })
      const { status, body } = await create()
      expect([status, body.conferencing_provider]).toEqual([201, `${provider}_meet`])
      await env.DB.prepare("UPDATE calendar_connections SET status = 'expired' WHERE id = ?").bind(id).run()
      expect((await create()).status).toBe(422)
      const path = `/v1/event-types/${body.id}`
      expect((await call('PATCH', path, { key, body: { title: 'Talk' } })).status).toBe(200)
      const again = { conferencing_provider: `${provider}_meet` }
      expect((await call('PATCH', path, { key, body: again })).body.error.code).toBe(code)
    },
  )

  it('is not an organization that has none: nothing is asked and nothing closed', async () => {
    const { liveKey } = await createOrganization()
    const { id } = await createEventType(liveKey)
    expect(await openStarts(id, SLOT)).toHaveLength(48)
    expect((await book(id, SLOT)).status).toBe(201)
  })
})

const OLD_KEY = 'an-older-encryption-key-0123456789abcdef'

describe('the credentials', () => {
  it('of OAuth are in no column, no log and no answer, though the calendar fails', async () => {
    const { world, service, key, connection, sync } = await connected()
    const tokensOf = async () => {
      const row = await accountRowOf(connection.account_id)
      const tokens = JSON.parse(await unseal(service.env.ENCRYPTION_KEY, row.credentials))
      return [tokens.accessToken, tokens.refreshToken] as string[]
    }
    const first = await tokensOf()
    await expectNowhere(first, async () => {
      const answers = [await sync()]
      await answersWith(world, 503)
      answers.push(await sync(), await service.call('GET', '/v1/calendars', { key }))
      answers.push(await service.call('GET', '/v1/activity', { key }))
      return answers.map(({ body }) => body)
    })
    await world.noTroubles()
    await world.expire()
    await sync()
    expect(await rowOf(connection.id)).toMatchObject({ status: 'active', sync_status: 'connected' })
    await expectNowhere([...first, ...(await tokensOf())], () =>
      service.call('GET', '/v1/calendars', { key }),
    )
  })

  it('go under the newest key with the next sync', async () => {
    const { service, connection } = await connected()
    const row = await accountRowOf(connection.account_id)
    const plain = await unseal(service.env.ENCRYPTION_KEY, row.credentials)
    await env.DB.prepare('UPDATE calendar_accounts SET credentials = ? WHERE id = ?')
      .bind(await seal(OLD_KEY, plain), connection.account_id)
      .run()
    const rotated: Service['env'] = {
      ...service.env,
      ENCRYPTION_KEY: `${service.env.ENCRYPTION_KEY},${OLD_KEY}`,
    }
    const keeper = new AccountKeeper(rotated, calendarAccounts, connection.account_id, accountMemory())
    await keeper.sync({ connectionId: connection.id, since: Date.now() + 1 })
    expect((await rowOf(connection.id)).sync_status).toBe('connected')
    const after = await accountRowOf(connection.account_id)
    expect(await unseal(service.env.ENCRYPTION_KEY, after.credentials)).toBe(plain)
  })
})
