import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Doubles, startDoubles } from '../../doubles/start-doubles.ts'
import { openTwilio } from '../../doubles/twilio/open-twilio.ts'
import type { Json } from '../../doubles/world.ts'
import { askService } from '../support/ask-service.ts'
import { takeBuilt } from '../support/build-for-e2e.ts'
import { type LocalServer, startServer, textOf } from '../support/local-server.ts'
import { SERVICE_KEY, type Service, startService } from '../support/service.ts'

const HOUR_MS = 3_600_000
const SENDER = '+15005550006'
/** A zone where it is around noon, so that nothing waits for the end of quiet hours. */
const HOURS_FROM_NOON = 12 - new Date().getUTCHours()
const ZONE = `Etc/GMT${HOURS_FROM_NOON > 0 ? '-' : '+'}${Math.abs(HOURS_FROM_NOON)}`
const FIRST = (Math.floor(Date.now() / HOUR_MS) + 72) * HOUR_MS
const ALL_DAY = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
  day_of_week,
  start_time: '00:00',
  end_time: '24:00',
}))

let directory: string
let service: Service
let doubles: Doubles
/** `PUBLIC_URL`, as a proxy before the service. */
let front: LocalServer
let twilio: string
let key: string
let eventTypeId: string
let made = 0

const call = (method: string, path: string, body?: unknown, bearer = key, headers = {}) =>
  askService(front.url, method, path, body ?? null, bearer, headers)

async function control(path = '', body?: unknown, method = body === undefined ? 'GET' : 'PUT') {
  const response = await fetch(`${twilio}/control${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? null : JSON.parse(text)
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'texts-'))
  doubles = await startDoubles({ twilio: openTwilio })
  twilio = `${doubles.url}/twilio/e2e`
  front = await startServer(async (request, response) => {
    const headers = Object.entries(request.headers).filter(
      ([name]) => !/^(host|connection|content-length)$/.test(name),
    )
    const method = request.method!
    const body = method === 'GET' ? null : await textOf(request)
    const url = new URL(request.url!, service.url)
    const answer = await fetch(url, { method, body, headers: headers as [string, string][] })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(await answer.text())
  })
  service = await startService(await takeBuilt(directory), directory, '', {
    PUBLIC_URL: front.url,
    TWILIO_API_BASE: twilio,
    TWILIO_ACCOUNT_SID: `AC${'d0'.repeat(16)}`,
    TWILIO_AUTH_TOKEN: 'double-auth-token-of-32-letters1',
    TWILIO_FROM: SENDER,
  })
  const numbers = [{ number: SENDER, inboundUrl: `${front.url}/v1/sms/twilio/inbound`, isSmsCapable: true }]
  await control('/registration', { numbers })
  const named = { name: 'Texts', owner_user_id: randomUUID() }
  const { id } = await call('POST', '/v1/organizations', named, SERVICE_KEY)
  await call('PATCH', `/v1/organizations/${id}`, { tier: 'scale' }, SERVICE_KEY)
  key = (await call('POST', '/v1/api-keys', { name: 'texts' }, SERVICE_KEY, { 'X-Org-Id': id })).key
  const input = { title: 'Tea', slug: 'tea', duration_minutes: 30, reminder_channels: ['email', 'sms'] }
  eventTypeId = (await call('POST', '/v1/event-types', input)).id
  await call('PUT', `/v1/event-types/${eventTypeId}/availability`, { rules: ALL_DAY })
})

afterAll(async () => {
  await service?.kill()
  await Promise.all([doubles?.stop(), front?.stop()])
  await rm(directory, { recursive: true, force: true })
})

/** Books a time and cancels it, which the invitee is told by text. */
async function cancelOne(invitee_phone: string): Promise<string> {
  const start_time = new Date(FIRST + made++ * HOUR_MS).toISOString()
  const invitee = { invitee_name: 'Ada', invitee_email: `ada-${made}@example.com`, invitee_timezone: ZONE }
  const booking = { event_type_id: eventTypeId, start_time, ...invitee, invitee_phone, sms_consent: true }
  const { id } = await call('POST', '/v1/bookings', booking)
  await call('POST', `/v1/bookings/${id}/cancel`, {})
  return id
}

/** The cancellation's text as the organization's export has it. */
async function textAbout(bookingId: string): Promise<Json | undefined> {
  await (await fetch(new URL('/cdn-cgi/local/scheduled', service.url))).text()
  const response = await fetch(`${front.url}/v1/export`, { headers: { Authorization: `Bearer ${key}` } })
  const lines = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)
  return lines.find(
    ({ type, booking_id, kind }) =>
      type === 'text_messages' && booking_id === bookingId && kind === 'cancelled',
  )
}

const becomes = (bookingId: string, expected: Json) =>
  expect.poll(() => textAbout(bookingId), { timeout: 40_000, interval: 500 }).toMatchObject(expected)

describe('Twilio, over HTTP', () => {
  it('sends a text and reports its status by signed callbacks, however often and in any order', async () => {
    const id = await cancelOne('+4930901001')
    await becomes(id, { status: 'delivered', attempts: 1, segments: 1 })
    const { messages } = await control()
    const [sent, ...others] = messages.filter(({ to }: Json) => to === '+4930901001')
    expect([sent.from, others]).toEqual([SENDER, []])
    expect(sent.body).not.toMatch(/https?:/)
    await control(`/messages/${sent.sid}/deliver`, { order: 'reversed', times: 2 }, 'POST')
    expect(await textAbout(id)).toMatchObject({ status: 'delivered', provider_id: sent.sid })
    const { notifications } = await control()
    const statuses = notifications.filter(({ url }: Json) => url.includes('/v1/sms/twilio/status'))
    expect(statuses.length).toBeGreaterThanOrEqual(8)
    expect(new Set(statuses.map(({ status }: Json) => status))).toEqual(new Set([204]))
  }, 60_000)

  it('sends nothing more to a number that says STOP, until it says START', async () => {
    const number = '+4930901002'
    const says = (body: string) => control('/receive', { from: number, to: SENDER, body }, 'POST')
    await says('Stop ')
    const stopped = await cancelOne(number)
    await becomes(stopped, { status: 'dropped', last_error: 'opted_out' })
    await says('START')
    const again = await cancelOne(number)
    await becomes(again, { status: 'delivered' })
  }, 90_000)

  it('ends the texts to a number that opted out at the provider alone', async () => {
    const id = await cancelOne('+15005550004')
    await becomes(id, { status: 'failed', last_error: '21610', attempts: 1 })
    const next = await cancelOne('+15005550004')
    await becomes(next, { status: 'dropped', last_error: 'opted_out' })
  }, 90_000)

  it('is not believed without its signature', async () => {
    const number = '+4930901003'
    const form = new URLSearchParams({ From: number, To: SENDER, Body: 'STOP' })
    for (const signature of [null, 'AAAA', 'c2lnbmVkIGJ5IG5vYm9keQ==']) {
      const headers = signature === null ? {} : { 'X-Twilio-Signature': signature }
      const init = { method: 'POST', headers, body: form }
      expect((await fetch(`${front.url}/v1/sms/twilio/inbound`, init)).status).toBe(404)
    }
    await becomes(await cancelOne(number), { status: 'delivered' })
  }, 60_000)
})
