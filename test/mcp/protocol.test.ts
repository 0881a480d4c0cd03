import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ADA, bookedStarts, connectAgent, NEXT, START, sandboxFor } from '../support/agent.ts'
import { call, freshAddress, type Json } from '../support/app.ts'
import { createKey, createOrganization } from '../support/factories.ts'

const ACCEPT = 'application/json, text/event-stream'
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'first',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '0' } },
}

async function post(body: unknown, headers: Readonly<Record<string, string | null>> = {}) {
  const all = new Headers({
    'CF-Connecting-IP': freshAddress(),
    'Content-Type': 'application/json',
    Accept: ACCEPT,
  })
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) all.delete(name)
    else all.set(name, value)
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const request = new Request('https://holdfast.test/mcp', { method: 'POST', headers: all, body: text })
  const response = await exports.default.fetch(request)
  const answer = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: answer === '' ? null : (JSON.parse(answer) as any),
  }
}

function callOf(name: string, args: unknown = {}, id: unknown = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

function visit(method: string, headers: Record<string, string> = {}) {
  const from = { 'CF-Connecting-IP': freshAddress(), ...headers }
  return exports.default.fetch(new Request('https://holdfast.test/mcp', { method, headers: from }))
}

describe('what is posted to /mcp', () => {
  it('is answered on its own, without a session', async () => {
    const { status, headers, body } = await post(INITIALIZE)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(headers.get('mcp-session-id')).toBeNull()
    expect(headers.get('x-request-id')).toBeTruthy()
    expect(body.id).toBe('first')
    expect(body.result).toMatchObject({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'holdfast' },
    })
    expect((await post(PING)).body.result).toEqual({})
  })

  it('gets the newest version if it asks for an unknown one', async () => {
    const params = { ...INITIALIZE.params, protocolVersion: '1999-01-01' }
    const { body } = await post({ ...INITIALIZE, params })
    expect(body.result.protocolVersion).toBe('2025-11-25')
    const later = await post(PING, { 'Mcp-Protocol-Version': '1999-01-01' })
    expect([later.status, later.body.error.code]).toEqual([400, -32022])
    expect((await post(PING, { 'Mcp-Protocol-Version': '2025-06-18' })).status).toBe(200)
  })

  it('is refused with a reason if it cannot be parsed', async () => {
    const refusals: [unknown, Record<string, string | null>, number, number][] = [
      ['{bad', {}, 400, -32700],
      ['', {}, 400, -32700],
      ['"text"', {}, 400, -32600],
      [[], {}, 400, -32600],
      [null, {}, 400, -32600],
      ['{"id":1}', {}, 400, -32600],
      [[PING, PING], {}, 400, -32600],
      [[1, { id: 2 }], {}, 400, -32600],
      [`"${'x'.repeat(65_536)}"`, {}, 400, -32700],
      ['['.repeat(40) + ']'.repeat(40), {}, 400, -32700],
      ['{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', {}, 400, -32700],
      [PING, { 'Content-Type': 'text/plain' }, 415, -32000],
      [PING, { 'Content-Type': null }, 415, -32000],
      [[INITIALIZE, { ...INITIALIZE, id: 'second' }], {}, 400, -32600],
      [Array.from({ length: 11 }, (_, id) => ({ ...PING, id })), {}, 400, -32600],
    ]
    for (const [body, headers, status, code] of refusals) {
      const answer = await post(body, headers)
      expect([body, answer.status, answer.body.error.code, answer.body.jsonrpc]).toEqual([
        body,
        status,
        code,
        '2.0',
      ])
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.body.error.data).toMatchObject({
        code: expect.stringMatching(/^(validation_error|bad_request)$/),
        doc_url: expect.stringContaining('/docs/errors#'),
        request_id: answer.headers.get('x-request-id'),
        suggested_next_action: expect.any(String),
      })
    }
    const large = await post(`"${'x'.repeat(65_536)}"`)
    expect(large.body.error.data).toMatchObject({
      code: 'validation_error',
      details: { body: 'Must be at most 64 KiB.' },
      retryable: false,
    })
  })

  it('is answered with JSON, whatever it accepts and wherever it comes from', async () => {
    const asked: Record<string, string | null>[] = [
      { Accept: null },
      { Accept: '*/*' },
      { Accept: 'application/json' },
      { Accept: 'APPLICATION/JSON, Text/Event-Stream' },
      { Accept: 'text/html' },
      { 'Content-Type': 'Application/JSON; charset=utf-8' },
      { Origin: 'https://elsewhere.example' },
      { Origin: 'null' },
      { Origin: 'http://127.0.0.1:9' },
    ]
    for (const headers of asked) {
      const { status, headers: answered, body } = await post(PING, headers)
      expect([headers, status, answered.get('content-type')]).toEqual([headers, 200, 'application/json'])
      expect(answered.get('access-control-allow-origin')).toBe('*')
      expect(body).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    }
  })

  it('does nothing if a batch has two requests with the same id, because only one could be answered', async () => {
    const { key, id } = await sandboxFor()
    const asked = [START, NEXT].map((start_time) => callOf('book', { event_type_id: id, start_time, ...ADA }))
    const { status, body } = await post(asked)
    expect([status, body.error.data]).toMatchObject([
      400,
      { code: 'validation_error', details: { id: 'Must differ in each request.' } },
    ])
    expect(await bookedStarts(key, id)).toEqual([])
  })

  it('is accepted without a response if it is a notification', async () => {
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 7, result: {} },
    ]) {
      const { status, body: answer } = await post(body)
      expect([status, answer]).toEqual([202, null])
    }
  })

  it('is answered message by message in a batch, even if one of them cancels another', async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const { status, body } = await post([
      PING,
      cancelled,
      { jsonrpc: '2.0', id: 2, method: 'resources/list' },
      callOf('find_event_types', {}, 3),
      callOf('no_such_tool', {}, 4),
    ])
    expect(status).toBe(200)
    const byId = new Map(body.map((one: any) => [one.id, one]))
    expect(byId.get(1)).toMatchObject({ result: {} })
    expect(byId.get(2)).toMatchObject({ error: { code: -32601, data: { code: 'not_found' } } })
    expect(byId.get(3)).toMatchObject({
      result: { isError: true, structuredContent: { error: { code: 'validation_error' } } },
    })
    expect(byId.get(4)).toMatchObject({
      error: {
        code: -32602,
        data: { code: 'not_found', suggested_next_action: expect.stringContaining('tools/list') },
      },
    })
  })

  it('is an array for a batch of one request, as for any other batch', async () => {
    expect((await post([PING])).body).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    const notice = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await post([PING, notice])).body).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
    expect(await post([notice])).toMatchObject({ status: 202, body: null })
  })

  it('has an error for an item that is not a message, and the results of the others', async () => {
    const { status, body } = await post([{ id: 2 }, PING, 3])
    const refused = {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, data: { code: 'bad_request', request_id: expect.any(String) } },
    }
    expect(status).toBe(200)
    expect(body).toMatchObject([{ id: 1, result: {} }, refused, refused])
  })
})

describe('every other method at /mcp', () => {
  it('is not allowed, and browsers of any site may post', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
      const response = await visit(method)
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST'])
      if (method === 'HEAD') continue
      const { error } = (await response.json()) as any
      expect(error.data).toMatchObject({
        code: 'bad_request',
        doc_url: expect.stringContaining('#bad_request'),
        request_id: response.headers.get('x-request-id'),
      })
    }
    const preflight = await visit('OPTIONS')
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
    for (const name of ['Authorization', 'Content-Type', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name']) {
      expect(preflight.headers.get('access-control-allow-headers')!.split(', ')).toContain(name)
    }
  })

  it('answers a wrong key like POST does, so that a client learns it from its first request', async () => {
    const { liveKey } = await createOrganization()
    const challenges = new Set<string | null>()
    for (const method of ['GET', 'POST', 'DELETE']) {
      const refused = await visit(method, { Authorization: 'Bearer hf_live_nonsense' })
      const { error } = (await refused.json()) as any
      expect([method, refused.status, error.data.code]).toEqual([method, 401, 'unauthorized'])
      challenges.add(refused.headers.get('www-authenticate'))
      expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
    }
    expect([...challenges]).toEqual([
      'Bearer error="invalid_token", error_description="Send a valid API key as Authorization: Bearer <key>."',
    ])
    expect((await visit('GET', { Authorization: `Bearer ${liveKey}` })).status).toBe(405)
  })
})

describe('the tools', () => {
  const PUBLIC_TOOLS = [
    'find_event_types',
    'find_open_times',
    'hold_time',
    'confirm_hold',
    'book',
    'get_booking',
    'update_booking',
    'reschedule_booking',
    'cancel_booking',
    'join_waitlist',
  ]

  it('are ten for everybody and more with a key, and take little of a model to read', async () => {
    const { liveKey } = await createOrganization()
    const [anybody, owner] = [await connectAgent(), await connectAgent(liveKey)]
    expect(anybody.tools.map(({ name }) => name)).toEqual(PUBLIC_TOOLS)
    const more = ['list_bookings', 'list_sessions', 'explain_time', 'approve_booking', 'reassign_booking']
    expect(owner.tools.length).toBeLessThanOrEqual(16)
    expect(owner.tools.map(({ name }) => name)).toEqual([...PUBLIC_TOOLS, ...more])
    // Models read four characters of such text as one token, and hardly any reads less than three and a half.
    expect(JSON.stringify(owner.tools).length / 3.5).toBeLessThan(6_000)
  })

  it('describe their arguments, their results and their side effects', async () => {
    const { liveKey } = await createOrganization()
    for (const tool of (await connectAgent(liveKey)).tools) {
      const { inputSchema, outputSchema, annotations, description } = tool
      expect(description).toBeTruthy()
      expect(Object.keys(inputSchema.properties ?? {})).toEqual(
        expect.arrayContaining([...(inputSchema.required ?? [])]),
      )
      expect(Object.keys(outputSchema!.properties ?? {})).toEqual(
        expect.arrayContaining(['error', 'untrusted']),
      )
      const attendees = inputSchema.properties?.attendees as any
      if (attendees) expect(Object.keys(attendees.items.properties)).toEqual(['name', 'email', 'timezone'])
      expect(JSON.stringify(tool)).not.toContain('"metadata"')
      const writes = annotations!.readOnlyHint === false
      const takes = Object.keys(inputSchema.properties ?? {})
      expect([tool.name, takes.includes('dry_run'), takes.includes('idempotency_key')]).toEqual([
        tool.name,
        writes,
        writes,
      ])
    }
  })

  it('refuse invalid arguments with a code, and never with an error of the protocol', async () => {
    const { id } = await sandboxFor()
    const refusals: [string, unknown, string, string][] = [
      ['book', [], 'validation_error', 'arguments'],
      ['book', 'text', 'validation_error', 'arguments'],
      ['book', {}, 'validation_error', 'event_type_id'],
      ['book', { event_type_id: id, start_time: 7, ...ADA }, 'validation_error', 'start_time'],
      [
        'book',
        { event_type_id: id, start_time: START, ...ADA, timezone: 'Mars' },
        'validation_error',
        'timezone',
      ],
      ['book', { event_type_id: id, start_time: START, ...ADA, dry_run: 2 }, 'validation_error', 'dry_run'],
      [
        'book',
        { event_type_id: id, start_time: START, ...ADA, idempotency_key: '' },
        'validation_error',
        'idempotency_key',
      ],
      ['find_open_times', { event_type_id: id, dry_run: true }, 'validation_error', 'start'],
      [
        'find_open_times',
        { event_type_id: id, start: '2030-04-01', end: '2030-04-01', timezone: 'UTC', limit: 0 },
        'validation_error',
        'limit',
      ],
      ['get_booking', { id: 'x', dry_run: true }, 'validation_error', 'dry_run'],
      ['get_booking', { id: 'x' }, 'not_found', ''],
      ['get_booking', { id: { deep: [] } }, 'validation_error', 'id'],
      ['find_event_types', { organization: '../../v1/me' }, 'not_found', ''],
      ['list_bookings', {}, 'unauthorized', ''],
    ]
    for (const [name, args, code, field] of refusals) {
      const { status, body } = await post(callOf(name, args))
      const { isError, structuredContent, content } = body.result ?? {}
      expect([name, args, status, isError, structuredContent?.error.code]).toEqual([
        name,
        args,
        200,
        true,
        code,
      ])
      const { error } = structuredContent
      expect(JSON.parse(content[0].text)).toEqual(structuredContent)
      expect(error).toMatchObject({
        message: expect.any(String),
        request_id: expect.any(String),
        doc_url: expect.stringContaining(`#${code}`),
        retryable: false,
        suggested_next_action: expect.any(String),
      })
      if (field) expect(Object.keys(error.details)).toContain(field)
    }
  })
})

describe('the limits at /mcp', () => {
  it('count each message once under the key it came with, whatever it asks', async () => {
    const { liveKey: key } = await createOrganization()
    const left = async (body: unknown) => {
      const { headers } = await post(body, { Authorization: `Bearer ${key}` })
      return Number(headers.get('x-ratelimit-remaining'))
    }
    const first = await left(PING)
    const notified = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect(await left(callOf('get_booking', { id: crypto.randomUUID() }))).toBe(first - 1)
    expect(await left([PING, { ...PING, id: 2 }, notified, callOf('list_bookings', {}, 3)])).toBe(first - 5)
    expect(await left('{bad')).toBe(first - 6)
  })

  it('refuse those messages of a batch that are too many, as answers', async () => {
    const { id } = await createOrganization({ tier: 'free' })
    const { key } = await createKey(id)
    const sent = { Authorization: `Bearer ${key}` }
    const batch = Array.from({ length: 9 }, (_, at) => callOf('list_bookings', {}, at))
    for (let times = 0; times < 3; times++) await post(batch, sent)
    const { status, headers, body } = await post([...batch.slice(0, 5), { ...PING, id: 'last' }], sent)
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([200, true])
    const refused = body.filter((one: any) => one.error ?? one.result.isError)
    expect(refused.map((one: any) => one.id)).toEqual([3, 4, 'last'])
    const { error } = body.find((one: any) => one.id === 4).result.structuredContent
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', retryable: true, details: { tier: 'free' } })
    expect(body.find((one: any) => one.id === 'last').error.data.code).toBe('rate_limit_exceeded')
  })

  it('reject an invalid key, and soon all keys from the same address', async () => {
    const address = freshAddress()
    const wrong = { Authorization: 'Bearer hf_live_nonsense', 'CF-Connecting-IP': address }
    const refused = await post(PING, wrong)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer error="invalid_token", error_description="[^"]+"$/),
    ])
    expect(refused.body.error.data).toMatchObject({ code: 'unauthorized', retryable: false })
    for (let tries = 0; tries < 60; tries++) await post(PING, wrong)
    expect((await post(PING, wrong)).status).toBe(429)
  })

  it('slow down callers that guess tokens in batches', async () => {
    const { id } = await sandboxFor()
    const { body } = await (await connectAgent()).call('book', {
      event_type_id: id,
      start_time: START,
      ...ADA,
    })
    const from = { 'CF-Connecting-IP': freshAddress() }
    const codes: string[] = []
    for (let times = 0; times < 7; times++) {
      const guesses = Array.from({ length: 10 }, (_, at) =>
        callOf('get_booking', { id: body.id, token: `g${times}${at}` }, at),
      )
      const answers = (await post(guesses, from)).body as { result: { structuredContent: { error: Json } } }[]
      codes.push(...answers.map(({ result }) => String(result.structuredContent.error.code)))
    }
    expect(new Set(codes)).toEqual(new Set(['unauthorized', 'rate_limit_exceeded']))
    expect(codes.filter((code) => code === 'unauthorized')).toHaveLength(60)
  })

  it('let the service key act for an organization, which it must name', async () => {
    const { id } = await createOrganization()
    const key = { Authorization: `Bearer ${env.SERVICE_KEY}` }
    expect((await post(PING, key)).body.error.data.details).toHaveProperty('X-Org-Id')
    const listed = await post(callOf('list_bookings'), { ...key, 'X-Org-Id': id })
    expect(listed.body.result.structuredContent.data).toEqual([])
    expect((await call('GET', '/mcp/nothing')).status).toBe(404)
  })
})
