import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { because } from '../platform/http/errors.ts'
import type { CountedRequest } from './find-caller.ts'
import { McpServer } from './mcp-server.ts'
import { NUMBERS, type ProtocolError } from './protocol-error.ts'
import type { Room } from './size.ts'
import { errorOf } from './tool-refusal.ts'

/** The transport of the SDK insists on it, but every answer is JSON. */
const ACCEPT = 'application/json, text/event-stream'

const NOT_A_MESSAGE = { number: NUMBERS.invalidRequest, refusal: because('not_a_message'), status: 400 }

/** One POST of an earlier revision: a message or a batch of them. */
export async function answerEarlier(
  counted: CountedRequest,
  sent: unknown,
  room: Room,
): Promise<Response | ProtocolError> {
  const all: readonly unknown[] = Array.isArray(sent) ? sent : [sent]
  const messages = all.filter((one) => JSONRPCMessageSchema.safeParse(one).success)
  if (messages.length === 0) return NOT_A_MESSAGE
  const server = new McpServer(counted, await counted.refusedAmong(all), room)
  const response = await transported(server, counted.request, messages)
  if (response.status >= 400) {
    const { error } = (await response.json()) as { readonly error: { readonly code: number } }
    return { ...NOT_A_MESSAGE, number: error.code, status: response.status }
  }
  if (!Array.isArray(sent)) return response
  const wrong = Array.from({ length: all.length - messages.length }, () => refusedMessage(counted))
  // A batch has an array as its answer, even for one request; the transport would unwrap that.
  const answered = response.status === 202 ? [] : [(await response.json()) as unknown].flat()
  const answers = [...answered, ...wrong]
  return answers.length === 0 ? response : Response.json(answers)
}

async function transported(server: McpServer, request: Request, messages: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const headers = new Headers(request.headers)
  headers.set('Accept', ACCEPT)
  return transport.handleRequest(new Request(request.url, { method: 'POST', headers }), {
    parsedBody: messages,
  })
}

/** An item that is not a message does not have an id either. */
function refusedMessage({ env, requestId }: CountedRequest) {
  return { jsonrpc: '2.0', id: null, error: errorOf(NOT_A_MESSAGE, env.PUBLIC_URL, requestId) }
}
