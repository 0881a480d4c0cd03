import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { because } from '../platform/http/errors.ts'
import type { CountedRequest } from './find-caller.ts'
import { McpServer } from './mcp-server.ts'
import type { ProtocolError } from './protocol-error.ts'
import type { Room } from './size.ts'

/** The transport of the SDK insists on it, but every answer is JSON. */
const ACCEPT = 'application/json, text/event-stream'

/** One POST of an earlier revision: a message or a batch of them. */
export async function answerEarlier(
  counted: CountedRequest,
  sent: unknown,
  room: Room,
): Promise<Response | ProtocolError> {
  const { request } = counted
  const all: readonly unknown[] = Array.isArray(sent) ? sent : [sent]
  const server = new McpServer(counted, await counted.refusedAmong(all), room)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const headers = new Headers(request.headers)
  headers.set('Accept', ACCEPT)
  const response = await transport.handleRequest(new Request(request.url, { method: 'POST', headers }), {
    parsedBody: sent,
  })
  if (response.status < 400) return response
  const { error } = (await response.json()) as { readonly error: { readonly code: number } }
  return { number: error.code, refusal: because('not_a_message'), status: response.status }
}
