import { exports } from 'cloudflare:workers'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { call, freshAddress, type Json } from './app.ts'
import { createEventType, createOrganization, type Rule } from './factories.ts'

export type Answer = { readonly isError: boolean; readonly body: any; readonly text: any }

/** An agent, by the protocol's own client. Whatever it calls comes from one address, and may get lost on its way back. */
export async function connectAgent(key?: string) {
  const address = freshAddress()
  let losses = 0
  const transport = new StreamableHTTPClientTransport(new URL('https://holdfast.test/mcp'), {
    requestInit: { headers: { 'CF-Connecting-IP': address, ...(key && { Authorization: `Bearer ${key}` }) } },
    fetch: async (url, init) => {
      const response = await exports.default.fetch(new Request(url as string, init as RequestInit))
      const isCall = String(init?.body ?? '').includes('"tools/call"')
      if (!isCall || losses === 0) return response
      losses--
      await response.arrayBuffer()
      throw new TypeError('The connection was cut.')
    },
  })
  const client = new Client({ name: 'agent', version: '1.0.0' })
  await client.connect(transport as never)
  // From then on the client holds every answer against its schema.
  const { tools } = await client.listTools()
  async function callTool(name: string, args: Json = {}): Promise<Answer> {
    const result = await client.callTool({ name, arguments: args })
    const text = JSON.parse((result.content as { text: string }[])[0]!.text)
    return { isError: result.isError === true, body: result.structuredContent, text }
  }
  return {
    client,
    address,
    tools,
    call: callTool,
    /** The next answers to calls of tools never arrive, though they were given. */
    lose: (answers: number) => {
      losses = answers
    },
  }
}

export type Agent = Awaited<ReturnType<typeof connectAgent>>

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
