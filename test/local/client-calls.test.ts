import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { newWebhookSecret, signatureHeaders } from '../../src/delivery/webhooks/post/sign.ts'

// Their types come from the document when the package is built, which is tested with the package.
const SOURCES = '../../client/src'
const load = (name: string): Promise<any> => import(`${SOURCES}/${name}.ts`)
const [
  { createClient },
  { HoldfastError, paginate },
  { signWebhook, verifyWebhook, WebhookError },
  { listen },
] = await Promise.all([load('client'), load('paginate'), load('webhooks'), load('listen')])

type Reply = Response | Error

/** A client whose calls get these replies, one after another; and what it sent and waited. */
function clientOf(replies: readonly Reply[], options: object = {}) {
  const sent: Request[] = []
  const waits: number[] = []
  const client: any = createClient({
    baseUrl: 'https://api.example.com/',
    fetch: async (request: Request) => {
      const reply = replies[sent.length]!
      sent.push(request)
      if (reply instanceof Error) throw reply
      return reply
    },
    wait: async (milliseconds: number) => {
      waits.push(milliseconds)
    },
    ...options,
  })
  return { client, sent, waits }
}

const json = (status: number, body: unknown, headers = {}) => Response.json(body, { status, headers })
const refusal = (status: number, code: string, headers = {}) =>
  json(status, { error: { code, message: code } }, headers)
const LOST = new TypeError('fetch failed')

it('repeats requests without an answer or with a 5xx, with one Idempotency-Key', async () => {
  const { client, sent, waits } = clientOf([
    LOST,
    refusal(503, 'service_unavailable'),
    json(201, { id: 'x' }),
  ])
  const { data } = await client.POST('/v1/bookings', { body: { a: 1 } })
  expect(data).toEqual({ id: 'x' })
  const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(await Promise.all(sent.map((request) => request.json()))).toEqual(Array(3).fill({ a: 1 }))
  expect(waits[1]!).toBeGreaterThan(waits[0]!)
})

it.each([400, 401, 403, 404, 409, 422, 429])('never repeats a %i', async (status) => {
  const { client, sent } = clientOf([refusal(status, 'conflict', { 'Retry-After': '1' })])
  const { data, error, response } = await client.POST('/v1/bookings', { body: {} })
  expect([data, error.error.code, response.status, sent.length]).toEqual([undefined, 'conflict', status, 1])
})

it('waits as long as the server asks, and not for ever', async () => {
  const patient = clientOf([refusal(503, 'service_unavailable', { 'Retry-After': '7' }), json(200, {})])
  await patient.client.GET('/health')
  expect(patient.waits).toEqual([7_000])
  const hasty = clientOf([refusal(503, 'service_unavailable', { 'Retry-After': '3600' })])
  const { error } = await hasty.client.GET('/health')
  expect([error.error.code, hasty.waits]).toEqual(['service_unavailable', []])
})

it('gives up after two repetitions, with the last answer or the last failure', async () => {
  const answered = clientOf([LOST, LOST, refusal(500, 'internal_error')])
  expect((await answered.client.GET('/health')).error.error.code).toBe('internal_error')
  const lost = clientOf([LOST, LOST, LOST])
  await expect(lost.client.GET('/health')).rejects.toBe(LOST)
  const once = clientOf([LOST], { retries: 0 })
  await expect(once.client.GET('/health')).rejects.toBe(LOST)
})

it('repeats nothing once it is aborted', async () => {
  const controller = new AbortController()
  const { client, sent } = clientOf([LOST, json(200, {})], { wait: async () => controller.abort() })
  await expect(client.GET('/health', { signal: controller.signal })).rejects.toThrow()
  expect(sent).toHaveLength(1)
})

it('ends a pause at once when it is aborted', async () => {
  const controller = new AbortController()
  const reply = refusal(503, 'service_unavailable', { 'Retry-After': '30' })
  const { client, sent } = clientOf([reply], { wait: undefined })
  const called = client.GET('/health', { signal: controller.signal })
  setTimeout(() => controller.abort(), 10)
  await expect(called).rejects.toMatchObject({ name: 'AbortError' })
  expect(sent).toHaveLength(1)
})

it('repeats a call of which the answer broke off', async () => {
  const broken = () => new Response(new ReadableStream({ start: (stream) => stream.error(LOST) }))
  const { client, sent } = clientOf([broken(), json(201, { id: 'x' })])
  expect((await client.POST('/v1/bookings', { body: {} })).data).toEqual({ id: 'x' })
  expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1)
  const lost = clientOf([broken()], { retries: 0 })
  await expect(lost.client.GET('/health')).rejects.toBe(LOST)
})

it.each(['', '.', '..', undefined])(
  'sends nothing for an id that is %j, which would be another path',
  async (id) => {
    const { client, sent } = clientOf([])
    const called = client.DELETE('/v1/things/{id}', { params: { path: { id } } })
    await expect(called).rejects.toThrow('The path needs id')
    expect(sent).toHaveLength(0)
  },
)

it('leaves line-by-line responses to the caller', async () => {
  const lines = new Response('{"type":"a"}\n', {
    headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8' },
  })
  const { data, response } = await clientOf([lines]).client.GET('/v1/export')
  expect([data, await response.text()]).toEqual([undefined, '{"type":"a"}\n'])
})

it('puts parameters in their place, and several values into one', async () => {
  const { client, sent } = clientOf([json(200, {})], { key: 'hf_test_1' })
  await client.GET('/v1/things/{id}', {
    params: {
      path: { id: 'a/b' },
      query: { status: ['x', 'y'], none: undefined, q: 'ä&b' },
      header: { 'X-Org-Id': 'o' },
    },
  })
  const [{ url, headers, method }] = sent as [Request]
  expect([method, url]).toEqual(['GET', 'https://api.example.com/v1/things/a%2Fb?status=x%2Cy&q=%C3%A4%26b'])
  expect([headers.get('Authorization'), headers.get('X-Org-Id')]).toEqual(['Bearer hf_test_1', 'o'])
  expect(headers.has('Idempotency-Key')).toBe(false)
})

it('has a code also for what somebody in between answers', async () => {
  const { client } = clientOf([new Response('<h1>Bad gateway</h1>', { status: 502 })], { retries: 0 })
  const { error } = await client.GET('/health')
  expect(error.error.code).toBe('bad_gateway')
  const portal = clientOf([new Response('<h1>Sign in</h1>')])
  expect((await portal.client.GET('/health')).error.error.code).toBe('bad_gateway')
  for (const body of [{ error: 'Bad gateway' }, { error: null }, null]) {
    const gateway = clientOf([json(502, body)], { retries: 0 })
    expect((await gateway.client.GET('/health')).error.error.code).toBe('bad_gateway')
  }
})

it('returns no data if there is no body', async () => {
  const { client } = clientOf([new Response(null, { status: 204 })])
  expect(await client.DELETE('/v1/things/{id}', { params: { path: { id: '1' } } })).toMatchObject({
    data: undefined,
    response: { status: 204 },
  })
})

it('walks a list to its end, back from an item too, and throws what is refused', async () => {
  const page = (ids: string[], has_more: boolean) => json(200, { data: ids.map((id) => ({ id })), has_more })
  const { client, sent } = clientOf([page(['a', 'b'], true), page(['c'], false)])
  const seen: string[] = []
  for await (const { id } of paginate(client, '/v1/bookings', { params: { query: { limit: 2 } } }))
    seen.push(id)
  expect(seen).toEqual(['a', 'b', 'c'])
  expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?limit=2', '?limit=2&starting_after=b'])
  const back = clientOf([page(['b', 'c'], true), page(['a'], false)])
  const seenBack: string[] = []
  const query = { limit: 2, ending_before: 'd' }
  for await (const { id } of paginate(back.client, '/v1/bookings', { params: { query } })) seenBack.push(id)
  expect(seenBack).toEqual(['c', 'b', 'a'])
  expect(back.sent.map(({ url }) => new URL(url).search)).toEqual([
    '?limit=2&ending_before=d',
    '?limit=2&ending_before=b',
  ])
  const refused = clientOf([refusal(401, 'unauthorized')])
  const failure = await paginate(refused.client, '/v1/bookings')
    .next()
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(HoldfastError)
  expect(failure.code).toBe('unauthorized')
})

it('iterates a list to its end even if each item is deleted, and yields all items before it fails', async () => {
  const there = ['a', 'b', 'c', 'd', 'e']
  const client: any = {
    GET: async (_path: string, { params: { query } }: any) => {
      const { starting_after: after } = query
      if (after && !there.includes(after)) throw LOST
      const rest = there.slice(there.indexOf(after) + 1)
      return { data: { data: rest.slice(0, 2).map((id) => ({ id })), has_more: rest.length > 2 } }
    },
  }
  const seen: string[] = []
  for await (const { id } of paginate(client, '/v1/webhooks'))
    seen.push(...there.splice(there.indexOf(id), 1))
  expect([seen, there]).toEqual([['a', 'b', 'c', 'd', 'e'], []])
  const given: string[] = []
  const broken = clientOf([json(200, { data: [{ id: 'a' }], has_more: true }), LOST], { retries: 0 })
  const walk = async () => {
    for await (const { id } of paginate(broken.client, '/v1/webhooks')) given.push(id)
  }
  await expect(walk()).rejects.toBe(LOST)
  expect(given).toEqual(['a'])
})

it('verifies what the service signs, with either secret, and nothing else', async () => {
  const [secret, former, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]
  const body = JSON.stringify({ id: '1', event: 'booking.created', text: 'ä😀' })
  const timestampSeconds = Math.floor(Date.now() / 1000)
  const headers = await signatureHeaders({ id: 'msg', timestampSeconds, body }, [secret, former])
  for (const good of [secret, former]) {
    expect(await verifyWebhook(body, headers, good)).toEqual(JSON.parse(body))
    expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), good)).toEqual(
      JSON.parse(body),
    )
  }
  const foreign = { get: (name: string) => new Headers(headers).get(name) }
  expect(await verifyWebhook(body, foreign, secret)).toEqual(JSON.parse(body))
  const refused = [
    () => verifyWebhook(body, headers, other),
    () => verifyWebhook(`${body} `, headers, secret),
    () => verifyWebhook(body, { ...headers, 'webhook-id': 'another' }, secret),
    () => verifyWebhook(body, { ...headers, 'webhook-timestamp': 'soon' }, secret),
    () => verifyWebhook(body, { ...headers, 'webhook-signature': 'v1,!!!' }, secret),
    () => verifyWebhook(body, {}, secret),
    () => verifyWebhook(body, headers, 'secret'),
    () => verifyWebhook(body, headers, 'whsec_'),
    () => verifyWebhook(body, headers, undefined),
    () => verifyWebhook(body, headers, secret, { now: (timestampSeconds + 301) * 1000 }),
    () => verifyWebhook(body, headers, secret, { now: (timestampSeconds - 301) * 1000 }),
  ]
  for (const each of refused) await expect(each()).rejects.toBeInstanceOf(WebhookError)
  await expect(verifyWebhook(JSON.parse(body), headers, secret)).rejects.toThrow('before anything parses it')
})

it('signs as the service does', async () => {
  const secret = newWebhookSecret()
  const message = { id: 'msg', timestampSeconds: 1_772_000_000, body: '{"a":1}' }
  expect(await signWebhook(message.body, { ...message, secret })).toEqual(
    await signatureHeaders(message, [secret]),
  )
})

it('listens ever less often while nothing happens, at once after an event, and waits as long as a limit says', async () => {
  const page = (...data: object[]) => json(200, { data, has_more: false })
  const event = { id: 'x', sequence: 1, event: 'booking.created' }
  const told = [
    ...Array(10).fill(null),
    page(event),
    refusal(429, 'rate_limit_exceeded', { 'Retry-After': '40' }),
  ]
  const replies = told.map((reply) => reply ?? page())
  vi.stubGlobal('fetch', async (asked: Request | string) =>
    typeof asked === 'string' ? new Response('') : replies.shift()!,
  )
  const controller = new AbortController()
  const waits: number[] = []
  await listen({
    ...{ url: 'http://localhost:1', baseUrl: 'https://api.example.com', key: 'hf_test_x', after: 0 },
    ...{ secret: newWebhookSecret(), remember: () => {}, say: () => {}, signal: controller.signal },
    wait: async (milliseconds: number) => {
      waits.push(milliseconds)
      if (replies.length === 0) controller.abort()
    },
  }).finally(() => vi.unstubAllGlobals())
  expect([waits[0], waits[1], waits[9]]).toEqual([1_000, 1_500, 15_000])
  expect(waits.slice(10)).toEqual([1_000, 40_000])
})

describe('holdfast listen', () => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-listen-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  const URL = 'http://localhost:1'
  const CLI = resolve(import.meta.dirname, '../../client/src/cli.ts')

  /** Runs it until it ends by itself, or has said `end`. */
  async function run(given: readonly string[], environment: object = {}, end = 'Enqueued'): Promise<string> {
    const child = spawn(process.execPath, [CLI, 'listen', ...given], {
      cwd: directory,
      env: { HOLDFAST_KEY: 'hf_test_aaaa', HOLDFAST_BASE_URL: URL, ...environment },
    })
    let told = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        told += text
        if (told.includes(end)) child.kill()
      })
    }
    await once(child, 'close')
    return told
  }

  it.each([
    [['localhost:4000'], {}, 'localhost:4000 is no http address.'],
    [[URL], { HOLDFAST_BASE_URL: 'localhost:8787' }, 'localhost:8787 is no http address.'],
    [[URL], { HOLDFAST_WEBHOOK_SECRET: 'secret' }, 'The secret is none: it begins with whsec_'],
    [[URL], { HOLDFAST_WEBHOOK_SECRET: 'whsec_' }, 'The secret is none: it begins with whsec_ and goes on.'],
    [[URL, '--after', '1', '--state', '.'], {}, 'What was delivered cannot be remembered: '],
  ])('ends with what is wrong with %j and %j', async (given, environment, told) => {
    expect(await run(given, environment, 'trying again')).toContain(told)
  })

  it('remembers for each key and service where it was', async () => {
    for (const [at, key] of ['hf_test_aaaa', 'hf_test_bbbb'].entries()) {
      await run([URL, '--after', String(at)], { HOLDFAST_KEY: key }, 'trying again')
    }
    expect(JSON.parse(readFileSync(join(directory, '.holdfast-listen.json'), 'utf8'))).toEqual({
      [`${URL} hf_test_aaaa`]: 0,
      [`${URL} hf_test_bbbb`]: 1,
    })
  })
})
