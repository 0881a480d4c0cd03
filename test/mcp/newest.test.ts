import { exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  ADA,
  bookedStarts,
  connectAgent,
  connectNewest,
  NEWEST,
  NEXT,
  START,
  sandboxFor,
} from '../support/agent.ts'
import { freshAddress, type Json } from '../support/app.ts'
import { createOrganization } from '../support/factories.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const CLIENT = 'io.modelcontextprotocol/clientInfo'
const SERVER = 'io.modelcontextprotocol/serverInfo'
const REVISIONS = [NEWEST, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']

type Asked = { readonly method: string; readonly params: Json }
type Sent = Readonly<Record<string, string | undefined>>

async function post(body: unknown, headers: Sent = {}) {
  const all = new Headers({ 'CF-Connecting-IP': freshAddress(), 'Content-Type': 'application/json' })
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.set(name, value)
  const response = await exports.default.fetch(
    new Request('https://holdfast.test/mcp', { method: 'POST', headers: all, body: JSON.stringify(body) }),
  )
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as any),
  }
}

const envelope = (version: unknown = NEWEST): Json => ({ _meta: { [VERSION]: version, [CAPABILITIES]: {} } })

function request(method: string, params: Json = {}, id: unknown = 1) {
  return { jsonrpc: '2.0', id, method, params: { ...envelope(), ...params } }
}

function headersOf({ method, params }: Asked, more: Sent = {}): Sent {
  return {
    'MCP-Protocol-Version': NEWEST,
    'Mcp-Method': method,
    ...(params.name !== undefined && { 'Mcp-Name': String(params.name) }),
    ...more,
  }
}

const send = (body: Asked, more?: Sent) => post(body, headersOf(body, more))
const LIST = request('tools/list')
const FIND = request('tools/call', { name: 'find_event_types', arguments: {} })

describe('the client of the newest revision', () => {
  it('finds, holds, confirms, moves and cancels a time without a handshake', async () => {
    const { key, id } = await sandboxFor()
    const agent = await connectNewest()
    expect(agent.client.getNegotiatedProtocolVersion()).toBe(NEWEST)
    expect(agent.client.getServerVersion()).toMatchObject({ name: 'holdfast', title: 'Holdfast' })
    expect(agent.client.getInstructions()).toContain('untrusted')
    const range = { start: '2030-04-01', end: '2030-04-01', timezone: 'Europe/Berlin' }
    const { body: open } = await agent.call('find_open_times', { event_type_id: id, ...range })
    expect(open.slots.map(({ start_time }: any) => start_time)).toContain(START)
    const { body: held } = await agent.call('hold_time', { event_type_id: id, start_time: START })
    const { body: booked } = await agent.call('confirm_hold', { id: held.id, token: held.token, ...ADA })
    expect(booked).toMatchObject({ status: 'confirmed', start_time: START })
    const own = { id: booked.id, token: booked.cancel_token }
    agent.lose(1)
    const move = () => agent.call('reschedule_booking', { ...own, new_start_time: NEXT })
    await expect(move()).rejects.toThrow()
    expect((await move()).body.start_time).toBe(NEXT)
    expect(await bookedStarts(key, id)).toEqual([NEXT])
    const taken = await agent.call('book', { event_type_id: id, start_time: NEXT, ...ADA })
    expect([taken.isError, taken.body.error.code]).toEqual([true, 'conflict'])
    expect((await agent.call('cancel_booking', own)).body.status).toBe('cancelled')
  })

  it('sees the same tools as the clients of earlier revisions', async () => {
    const { liveKey } = await createOrganization()
    for (const key of [undefined, liveKey]) {
      expect((await connectNewest(key)).tools).toEqual((await connectAgent(key)).tools)
    }
  })

  it('reads why its key is refused', async () => {
    const refused = await connectNewest('hf_live_nonsense').catch((error: Error) => error)
    expect(refused).toBeInstanceOf(Error)
    expect(String(refused)).toMatch(/401|unauthori[sz]ed|valid API key/i)
  })
})

describe('a request of the newest revision', () => {
  it('learns the revisions, newest first, and how long it may keep the answer', async () => {
    const discover = request('server/discover')
    const { status, body } = await send(discover)
    expect(status).toBe(200)
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        resultType: 'complete',
        supportedVersions: REVISIONS,
        capabilities: { tools: {} },
        instructions: expect.stringContaining('find_event_types'),
        ttlMs: 300_000,
        cacheScope: 'public',
        _meta: { [SERVER]: { name: 'holdfast', title: 'Holdfast', version: expect.any(String) } },
      },
    })
    const { liveKey } = await createOrganization()
    for (const asked of [discover, LIST]) {
      const own = await send(asked, { Authorization: `Bearer ${liveKey}` })
      expect(own.body.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private', resultType: 'complete' })
      expect((await send(asked)).body.result.cacheScope).toBe('public')
    }
  })

  it('gets results that name their type and the server', async () => {
    const { body } = await send(FIND)
    expect(body.result).toMatchObject({
      resultType: 'complete',
      isError: true,
      structuredContent: { error: { code: 'validation_error' } },
      _meta: { [SERVER]: { name: 'holdfast' } },
    })
  })

  it('is refused if its headers are missing or differ from its body', async () => {
    const wrong: [what: string, body: Json, headers: Sent][] = [
      ['MCP-Protocol-Version', LIST, headersOf(LIST, { 'MCP-Protocol-Version': undefined })],
      ['MCP-Protocol-Version', LIST, headersOf(LIST, { 'MCP-Protocol-Version': '2025-11-25' })],
      ['MCP-Protocol-Version', { ...LIST, params: envelope('2025-11-25') }, headersOf(LIST)],
      ['MCP-Protocol-Version', { ...LIST, method: 'initialize', params: {} }, headersOf(LIST)],
      ['Mcp-Method', LIST, { 'MCP-Protocol-Version': NEWEST }],
      ['Mcp-Method', LIST, headersOf(LIST, { 'Mcp-Method': 'tools/call' })],
      ['Mcp-Method', LIST, headersOf(LIST, { 'Mcp-Method': 'Tools/List' })],
      ['Mcp-Name', FIND, headersOf(FIND, { 'Mcp-Name': undefined })],
      ['Mcp-Name', FIND, headersOf(FIND, { 'Mcp-Name': 'book' })],
      ['Mcp-Name', FIND, headersOf(FIND, { 'Mcp-Name': '=?base64?*?=' })],
      ['Mcp-Name', FIND, headersOf(FIND, { 'Mcp-Name': `=?base64?${btoa('book')}?=` })],
      [
        'Mcp-Method',
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: envelope() },
        headersOf(LIST),
      ],
    ]
    for (const [header, body, headers] of wrong) {
      const answer = await post(body, headers)
      const { error, id } = answer.body
      expect([headers, answer.status, error.code, id]).toEqual([headers, 400, -32_020, body.id ?? null])
      expect(error.message).toContain(header)
      expect(error.data).toMatchObject({
        code: 'bad_request',
        doc_url: expect.stringContaining('#bad_request'),
        request_id: answer.headers.get('x-request-id'),
      })
    }
  })

  it('may name its tool in Base64', async () => {
    const named = headersOf(FIND, { 'Mcp-Name': `=?base64?${btoa('find_event_types')}?=` })
    expect((await post(FIND, named)).status).toBe(200)
  })

  it('is malformed without a whole envelope', async () => {
    const malformed: [field: string, params: unknown][] = [
      [VERSION, undefined],
      [VERSION, {}],
      [VERSION, { _meta: {} }],
      [VERSION, { _meta: { [CAPABILITIES]: {} } }],
      [VERSION, { _meta: { [VERSION]: 5, [CAPABILITIES]: {} } }],
      [CAPABILITIES, { _meta: { [VERSION]: NEWEST } }],
      [CAPABILITIES, { _meta: { [VERSION]: NEWEST, [CAPABILITIES]: [] } }],
      [CLIENT, { _meta: { [VERSION]: NEWEST, [CAPABILITIES]: {}, [CLIENT]: 'me' } }],
    ]
    for (const [field, params] of malformed) {
      const { status, body } = await post({ ...LIST, params }, headersOf(LIST))
      expect([params, status, body.error.code, body.id]).toEqual([params, 400, -32_602, 1])
      expect(Object.keys(body.error.data.details)).toEqual([`params._meta.${field}`])
    }
  })

  it('gets the known revisions if it uses an unknown one, in its envelope or in its header', async () => {
    const later = '2099-01-01'
    const asked: [Json, Sent][] = [
      [{ ...LIST, params: envelope(later) }, { 'MCP-Protocol-Version': later }],
      [{ ...LIST, params: envelope(later) }, {}],
      [{ ...LIST, params: {} }, { 'MCP-Protocol-Version': later }],
    ]
    for (const [body, headers] of asked) {
      const answer = await post(body, headers)
      expect([answer.status, answer.body.error.code]).toEqual([400, -32_022])
      expect(answer.body.error.data).toMatchObject({
        supported: REVISIONS,
        requested: later,
        code: 'bad_request',
      })
    }
  })

  it('finds no method of other revisions and no tool that is not listed', async () => {
    for (const method of [
      'initialize',
      'ping',
      'resources/list',
      'subscriptions/listen',
      'logging/setLevel',
    ]) {
      const { status, body } = await send(request(method))
      expect([method, status, body.error.code]).toEqual([method, 404, -32_601])
      expect(body.error.data.code).toBe('not_found')
    }
    for (const name of ['no_such_tool', 'constructor', 7, undefined]) {
      const asked = request('tools/call', { name, arguments: {} })
      const { status, body } = await post(asked, headersOf(asked, { 'Mcp-Name': String(name) }))
      expect([name, status, body.error.code]).toEqual([name, 200, -32_602])
      expect(body.error.data.suggested_next_action).toContain('tools/list')
    }
  })

  it('comes alone: of a batch nothing is done', async () => {
    const { key, id } = await sandboxFor()
    const book = request('tools/call', {
      name: 'book',
      arguments: { event_type_id: id, start_time: START, ...ADA },
    })
    const earlier = { ...book, id: 2, params: { name: 'book', arguments: book.params.arguments } }
    for (const [batch, headers] of [
      [[book], headersOf(book)],
      [[earlier, book], {}],
      [[earlier], { 'MCP-Protocol-Version': NEWEST }],
    ] as const) {
      const { status, body } = await post(batch, headers)
      expect([status, body.error.code, body.id]).toEqual([400, -32_600, null])
    }
    expect(await bookedStarts(key, id)).toEqual([])
  })

  it('is one message of JSON-RPC', async () => {
    for (const more of [{ jsonrpc: '1.0' }, { id: null }, { id: 1.5 }, { params: [] }, { method: 1 }]) {
      const { status, body } = await post({ ...LIST, ...more }, headersOf(LIST))
      expect([more, status, body.error.code]).toEqual([more, 400, -32_600])
    }
    const answer = { jsonrpc: '2.0', id: 1, result: {} }
    expect((await post(answer, headersOf(LIST))).body.error.code).toBe(-32_600)
  })

  it('is accepted without an answer if it is a notification', async () => {
    const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    for (const params of [notice.params, { ...notice.params, ...envelope() }]) {
      const { status, body } = await post({ ...notice, params }, { 'MCP-Protocol-Version': NEWEST })
      expect([status, body]).toEqual([202, null])
    }
  })

  it('says in the answer when its key has no calls left', async () => {
    const { liveKey } = await createOrganization({ tier: 'free' })
    const sent = { Authorization: `Bearer ${liveKey}` }
    for (let calls = 0; calls < 30; calls++) await send(LIST, sent)
    const list = await send(LIST, sent)
    expect([list.status, list.body.error.data.code, list.body.id]).toEqual([429, 'rate_limit_exceeded', 1])
    const tool = await send(FIND, sent)
    expect(tool.body.result.structuredContent.error.code).toBe('rate_limit_exceeded')
    expect(Number(tool.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('earlier revisions', () => {
  it('never get the newest one from initialize', async () => {
    for (const protocolVersion of [NEWEST, '2099-01-01', undefined]) {
      const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '0' } }
      const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
      expect(body.result.protocolVersion).toBe('2025-11-25')
    }
  })

  it('are answered as before if an envelope names one of them', async () => {
    const { status, body } = await post({ ...LIST, params: envelope('2025-11-25') })
    expect([status, Object.keys(body.result)]).toEqual([200, ['tools']])
  })
})
