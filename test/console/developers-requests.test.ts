import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { answerConsole } from '../../src/console/answer-console.ts'
import { DAY_MS } from '../../src/core/time-units.ts'
import { sha256 } from '../../src/platform/auth/secret.ts'
import { firstIdOf, looseId } from '../../src/platform/db/ids.ts'
import { LIMITED_CALLS_PER_MINUTE, LOGGED_CALLS } from '../../src/platform/limits/call-log.ts'
import type { CallNote } from '../../src/platform/limits/call-note.ts'
import { keyCounterOf } from '../../src/platform/limits/key-counter.ts'
import { call } from '../support/app.ts'
import { type Browser, enter } from '../support/console.ts'
import { countedEnv } from '../support/counted-env.ts'
import {
  bookingInput,
  createEventType,
  createKey,
  createOrganization,
  dayFromNow,
} from '../support/factories.ts'
import { browserRequest, wordsOf } from '../support/pages.ts'

const HERE = '/console/developers/requests'
const idOf = ({ headers }: { readonly headers: Headers }) => headers.get('X-Request-Id')!

/** CalendarChecks for a call until it is kept, which happens after its answer. */
async function found(browser: Browser, id: string) {
  await vi.waitFor(async () => expect((await browser.visit(`${HERE}/${id}`)).status).toBe(200), {
    timeout: 5_000,
    interval: 100,
  })
  return browser.visit(`${HERE}/${id}`)
}

/** The object of a key, and its storage as it is. */
async function limiterOf(key: string) {
  const hash = await sha256(key)
  const stub = env.RATE_LIMITS.getByName(hash)
  const rows = () =>
    runInDurableObject(stub, (_, { storage }) => {
      const has = storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'calls'").toArray().length > 0
      return has ? storage.sql.exec('SELECT * FROM calls').toArray() : []
    })
  return { hash, stub, rows, counter: keyCounterOf(env, hash) }
}

/** Those of the service go on from the last one. */
function idAt(at: number): string {
  return firstIdOf(at) + looseId().slice(13)
}

function noteAt(at: number, status = 200, refusal: CallNote['refusal'] = null): CallNote {
  return { id: idAt(at), method: 'GET', route: '/v1/bookings', status, ms: 3, refusal }
}

describe('the log of calls', () => {
  it('finds a refused call by its id, and says why it was refused', async () => {
    const organization = await createOrganization()
    const eventType = await createEventType(organization.liveKey)
    const browser = await enter(organization)
    const input = { ...bookingInput(eventType.id, dayFromNow(3)), invitee_email: 'nobody', seats: 'x' }
    const invalid = await call('POST', '/v1/bookings', { key: organization.liveKey, body: input })
    expect(invalid.status).toBe(400)
    await found(browser, idOf(invalid))
    const searched = await browser.visit(`${HERE}?id=%20${idOf(invalid).toUpperCase()}`)
    expect(searched.headers.get('location')).toBe(`${HERE}/${idOf(invalid)}`)
    const page = wordsOf(await browser.follow(searched))
    expect(page).toContain('POST /v1/bookings')
    expect(page).toContain('validation_error')
    expect(page).toContain('invitee_email')
    const gone = await call('GET', `/v1/bookings/${looseId()}`, { key: organization.liveKey })
    expect(wordsOf(await found(browser, idOf(gone)))).toContain('No such booking.')
    const list = wordsOf(await browser.visit(`${HERE}?status=4xx`))
    expect([list.includes('GET /v1/bookings/:id'), list.includes('POST /v1/event-types')]).toEqual([
      true,
      false,
    ])
    expect(wordsOf(await browser.visit(`${HERE}?status=2xx`))).toContain('POST /v1/event-types')
  })

  it('stores nothing that callers sent: no body, name, address or parameter', async () => {
    const { liveKey } = await createOrganization()
    const eventType = await createEventType(liveKey)
    const name = 'Secretia Geheim'
    const email = 'secretia@example.com'
    const body = bookingInput(eventType.id, dayFromNow(3), { invitee_name: name, invitee_email: email })
    const key = liveKey
    const calls = [
      call('POST', '/v1/bookings', { key, body }),
      call('POST', '/v1/bookings', {
        key,
        body: { ...body, metadata: 'secretia', notes: 4 },
      }),
      call('GET', `/v1/bookings?${email}=1&Secretia=2&invitee_email=secretia`, { key }),
      call('GET', `/v1/people/${encodeURIComponent(email)}`, { key }),
      call('GET', `/v1/people/secretia`, { key }),
      call('GET', `/v1/webhooks/secretia-geheim`, { key }),
    ]
    const last = idOf((await Promise.all(calls))[5]!)
    const limiter = await limiterOf(liveKey)
    await vi.waitFor(async () => expect((await limiter.rows()).map(({ id }) => id)).toContain(last), {
      timeout: 5_000,
    })
    const rows = await limiter.rows()
    expect(rows.length).toBeGreaterThanOrEqual(7)
    expect(JSON.stringify(rows)).not.toMatch(/secretia|geheim|@/i)
    const fields = rows.flatMap(({ refusal }) => JSON.parse((refusal as string) ?? '{}').fields ?? [])
    expect(fields).toEqual(expect.arrayContaining(['metadata', 'notes', '*']))
  })

  it('knows what a key was refused after it was revoked, and nothing of keys that never were', async () => {
    const organization = await createOrganization()
    const { id, key } = await createKey(organization.id)
    await call('GET', '/v1/bookings', { key })
    await call('DELETE', `/v1/api-keys/${id}`, { key: organization.liveKey })
    const late = await call('GET', '/v1/bookings', { key })
    expect(late.status).toBe(401)
    expect(wordsOf(await found(await enter(organization), idOf(late)))).toContain('unauthorized')
    const limiter = await limiterOf('hf_live_nobody')
    await limiter.counter.keep(limiter.hash, 0, [noteAt(Date.now())])
    expect(await limiter.rows()).toEqual([])
  })

  it('never shows the calls of another organization or of the other mode', async () => {
    const organization = await createOrganization()
    const { key } = await createKey(organization.id, 'test')
    const [live, test] = await Promise.all([
      call('GET', '/v1/bookings', { key: organization.liveKey }),
      call('GET', '/v1/bookings', { key }),
    ])
    const browser = await enter(organization)
    await found(browser, idOf(live))
    expect((await browser.visit(`${HERE}/${idOf(test)}`)).status).toBe(404)
    const missing = await browser.visit(`${HERE}?id=${idOf(test)}`)
    expect([missing.status, wordsOf(missing).includes('None of your keys sent this request')]).toEqual([
      404,
      true,
    ])
    const noId = await browser.visit(`${HERE}?id=ada`)
    expect([noId.status, wordsOf(noId).includes('A request ID looks like')]).toEqual([422, true])
    const stranger = await enter(await createOrganization())
    expect((await stranger.visit(`${HERE}/${idOf(live)}`)).status).toBe(404)
    await browser.send(await browser.visit(HERE), '/console/mode', { mode: 'test' })
    await found(browser, idOf(test))
    expect((await browser.visit(`${HERE}/${idOf(live)}`)).status).toBe(404)
  })

  it('goes on page by page, over all keys, newest first', async () => {
    const organization = await createOrganization()
    const keys = [organization.liveKey, (await createKey(organization.id)).key]
    const now = Date.now()
    for (const [at, key] of keys.entries()) {
      await call('GET', '/v1/bookings', { key })
      const { hash, counter } = await limiterOf(key)
      await counter.keep(
        hash,
        0,
        Array.from({ length: 40 }, (_, n) => noteAt(now - 10_000 + n * 2 + at)),
      )
    }
    const browser = await enter(organization)
    const seen: string[] = []
    for (let path: string | undefined = HERE; path; ) {
      const page = await browser.visit(path)
      seen.push(
        ...[...page.text.matchAll(new RegExp(`href="${HERE}/([0-9a-f-]{36})"`, 'g'))].map(([, id]) => id!),
      )
      path = new RegExp(`href="(${HERE}\\?after=[^"]+)"`).exec(page.text)?.[1]
    }
    expect(seen.length).toBeGreaterThanOrEqual(80)
    expect(seen).toEqual([...new Set(seen)].sort().reverse())
  })

  it('drops entries automatically after seven days, even if no more calls are made', async () => {
    const { liveKey } = await createOrganization()
    await call('GET', '/v1/bookings', { key: liveKey })
    const { hash, counter, rows, stub } = await limiterOf(liveKey)
    const now = Date.now()
    const [old, young] = [noteAt(now - 7 * DAY_MS - 1_000), noteAt(now - 6 * DAY_MS)]
    await counter.keep(hash, 0, [old, young])
    expect(await counter.findCall(old.id)).toBeNull()
    expect(await counter.findCall(young.id)).toEqual(young)
    expect(await runDurableObjectAlarm(stub)).toBe(true)
    const kept = (await rows()).map(({ id }) => id)
    expect([kept.includes(old.id), kept.includes(young.id)]).toEqual([false, true])
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).toBeGreaterThan(now)
  })

  it('keeps the newest calls of a busy key, and its refusals whatever else it called', async () => {
    const { liveKey } = await createOrganization()
    await call('GET', '/v1/bookings', { key: liveKey })
    const { hash, counter, rows, stub } = await limiterOf(liveKey)
    const now = Date.now() - DAY_MS
    const refusal = { code: 'not_found', message: 'No such booking.', fields: [], reason: null }
    const refused = noteAt(now, 404, refusal)
    await counter.keep(hash, 0, [refused])
    for (let at = 0; at < LOGGED_CALLS + 1_000; at += 1_000) {
      await counter.keep(
        hash,
        0,
        Array.from({ length: 1_000 }, (_, n) => noteAt(now + 1 + at + n)),
      )
    }
    await runDurableObjectAlarm(stub)
    expect((await rows()).length).toBe(LOGGED_CALLS + 1)
    expect(await counter.findCall(refused.id)).toEqual(refused)
  })

  it('takes ten of a minute of those that the limit of the key refuses', async () => {
    const { liveKey } = await createOrganization()
    await call('GET', '/v1/bookings', { key: liveKey })
    const { hash, counter, rows } = await limiterOf(liveKey)
    const refusal = { code: 'rate_limit_exceeded', message: 'Too many.', fields: [], reason: '1m' }
    const minute = Math.floor(Date.now() / 60_000) * 60_000 - 60_000
    const before = (await rows()).length
    await counter.keep(
      hash,
      0,
      Array.from({ length: 50 }, (_, at) => noteAt(minute + at, 429, refusal)),
    )
    expect((await rows()).length - before).toBe(LIMITED_CALLS_PER_MINUTE)
  })

  it('makes no database query while a call is answered, and two for each of its screens', async () => {
    const organization = await createOrganization()
    const answered = await call('GET', '/v1/bookings', { key: organization.liveKey })
    const browser = await enter(organization)
    await found(browser, idOf(answered))
    const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const path of [
      HERE,
      `${HERE}/${idOf(answered)}`,
      '/console/developers',
      '/console/developers/keys/new',
    ]) {
      const counted = countedEnv(env)
      const request = browserRequest(path, { headers: { Cookie } })
      expect((await answerConsole(request, counted.env, path)).status).toBe(200)
      expect([path, counted.trips.count]).toEqual([path, path.endsWith('/new') ? 1 : 2])
    }
  })
})
