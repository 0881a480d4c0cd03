import { exports } from 'cloudflare:workers'
import {
  Client as NewestClient,
  StreamableHTTPClientTransport as NewestTransport,
} from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { call, freshAddress, type Json } from './app.ts'
import { createEventType, createOrganization, type Rule } from './factories.ts'

export type Answer = { readonly isError: boolean; readonly body: any; readonly text: any }

/** An agent, by the protocol's own client. Whatever it calls comes from one address, and may get lost on its way back. */
export async function connectAgent(key?: string) {
  const line = lineFor(key)
  const transport = new StreamableHTTPClientTransport(MCP, line.options)
  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(transport as never)
  // From then on the client holds every answer against its schema.
  const { tools } = await client.listTools()
  return { client, tools, ...agentWith(line, (name, args) => client.callTool({ name, arguments: args })) }
}

export const NEWEST = '2026-07-28'

/** The same by the client of the newest revision, which speaks no other. */
export async function connectNewest(key?: string) {
  const line = lineFor(key)
  const client = new NewestClient(
    { name: 'agent', version: '2.0.0' },
    { versionNegotiation: { mode: { pin: NEWEST } } },
  )
  await client.connect(new NewestTransport(MCP, line.options))
  const { tools } = await client.listTools()
  return { client, tools, ...agentWith(line, (name, args) => client.callTool({ name, arguments: args })) }
}

const MCP = new URL('https://holdfast.test/mcp')

/** How an agent's requests arrive, and which of its answers do not. */
function lineFor(key?: string) {
  const address = freshAddress()
  let losses = 0
  const options = {
    requestInit: { headers: { 'CF-Connecting-IP': address, ...(key && { Authorization: `Bearer ${key}` }) } },
    fetch: async (url: string | URL, init?: RequestInit) => {
      const response = await exports.default.fetch(new Request(url as string, init))
      const isCall = String(init?.body ?? '').includes('"tools/call"')
      if (!isCall || losses === 0) return response
      losses--
      await response.arrayBuffer()
      throw new TypeError('The connection was cut.')
    },
  }
  const lose = (answers: number) => {
    losses = answers
  }
  return { address, options, lose }
}

type Called = {
  readonly content?: unknown
  readonly structuredContent?: unknown
  readonly isError?: unknown
  readonly [other: string]: unknown
}

function agentWith(
  { address, lose }: ReturnType<typeof lineFor>,
  callTool: (name: string, args: Json) => Promise<Called>,
) {
  return {
    address,
    /** The next answers to calls of tools never arrive, though they were given. */
    lose,
    async call(name: string, args: Json = {}): Promise<Answer> {
      const result = await callTool(name, args)
      const text = JSON.parse((result.content as { text: string }[])[0]!.text)
      return { isError: result.isError === true, body: result.structuredContent, text }
    },
  }
}

export type Agent = Pick<Awaited<ReturnType<typeof connectAgent>>, 'address' | 'lose' | 'call'>

/** Makes the same call until an answer arrives, as a patient agent does. */
export async function insist(agent: Agent, name: string, args: Json) {
  for (let tries = 0; ; tries++) {
    try {
      return await agent.call(name, args)
    } catch (error) {
      if (tries > 5) throw error
    }
  }
}

/** An event type in a sandbox whose clock stands still two days before the clocks of Europe change. */
export async function sandboxFor(input: Json = {}, rules?: readonly Rule[]) {
  const organization = await createOrganization()
  const { testKey: key } = organization
  const { id } = await createEventType(key, input, rules)
  const setClock = (now: string) => call('PUT', '/v1/test-data/clock', { key, body: { now } })
  await setClock(NOW)
  return { organization, key, id: id as string, setClock }
}

export const NOW = '2030-03-29T08:00:00.000Z'
/** A start that the sandbox offers. */
export const START = '2030-04-01T09:00:00.000Z'
export const NEXT = '2030-04-01T09:30:00.000Z'
export const ADA = { invitee_name: 'Ada Lovelace', invitee_email: 'ada@example.com' }

/** The starts that are booked, in their order; holds count where they still hold. */
export async function bookedStarts(key: string, eventTypeId: string): Promise<string[]> {
  const { body } = await call('GET', `/v1/bookings?event_type_id=${eventTypeId}&limit=100`, { key })
  const active = body.data.filter(({ status }: Json) => status !== 'cancelled')
  return active.map(({ start_time }: Json) => start_time).sort()
}
