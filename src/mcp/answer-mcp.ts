import { waitUntil } from 'cloudflare:workers'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { assertConfigured, type Env } from '../env.ts'
import { byDeadline } from '../platform/db/deadline.ts'
import { looseId } from '../platform/db/ids.ts'
import { brakeUnproven } from '../platform/http/admit.ts'
import { BLIP_SECONDS } from '../platform/http/answer.ts'
import { allowAnyOrigin } from '../platform/http/cors.ts'
import { endCost } from '../platform/http/cost-brake.ts'
import { invalid, type Refusal, Refused } from '../platform/http/errors.ts'
import { unexpected } from '../platform/http/failure.ts'
import { forRequest } from '../platform/http/for-request.ts'
import { keepCall } from '../platform/http/keep-call.ts'
import { parseJson, readBody } from '../platform/http/read-body.ts'
import { writeLine } from '../platform/log/write-line.ts'
import { ERRORS } from '../platform/reasons/error-codes.ts'
import { problem } from '../platform/reasons/reason.ts'
import { findCaller } from './find-caller.ts'
import { McpServer } from './mcp-server.ts'
import { MOST_MESSAGES, roomFor } from './size.ts'
import { refusalOf, told } from './tool-refusal.ts'

const TOO_MANY = invalid({ body: problem('too_many', { most: MOST_MESSAGES }) }).refusal

/** The numbers of JSON-RPC for what is refused before a message is read, or because it cannot be read. */
const NOT_TAKEN = -32_000
const UNREADABLE = -32_700

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Last-Event-ID',
  'Access-Control-Max-Age': '86400',
}

const LONGEST_ID = 255

type Named = { readonly id?: unknown }

/** One POST: a message or a batch of them. Nothing is remembered between two, so every isolate can answer each. */
export async function answerMcp(request: Request, surroundings: Env): Promise<Response> {
  const requestId = looseId()
  const began = Date.now()
  const env = forRequest(surroundings)
  const headers = new Headers({ 'X-Request-Id': requestId, 'Cache-Control': 'no-store' })
  allowAnyOrigin(headers)
  const response = await answerOrFail(request, env, requestId, headers)
  endCost(env)
  const { method } = request
  const { status, body } = response
  keepCall(env, { id: requestId, method, route: '/mcp', status, ms: Date.now() - began, refusal: null })
  writeLine(env, env.tally, began, { event: 'request', request_id: requestId, method, route: '/mcp', status })
  for (const [name, value] of response.headers) headers.set(name, value)
  return new Response(body, { status, headers })
}

async function answerOrFail(
  request: Request,
  env: Env,
  requestId: string,
  headers: Headers,
): Promise<Response> {
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: PREFLIGHT })
  const refuse = (refusal: Refusal, status: number = ERRORS[refusal.code].status, number = NOT_TAKEN) => {
    if (status === 401) headers.set('WWW-Authenticate', 'Bearer')
    if (status === 503) headers.set('Retry-After', String(BLIP_SECONDS))
    const data = told(refusal, env.PUBLIC_URL, requestId)
    const error = { code: number, message: data.message, data }
    return Response.json({ jsonrpc: '2.0', error, id: null }, { status })
  }
  if (request.method !== 'POST') {
    headers.set('Allow', 'POST')
    const error = {
      code: NOT_TAKEN,
      message: 'Only POST is answered here: there are no sessions and no streams.',
    }
    return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 405 })
  }
  try {
    assertConfigured(env)
    const answering = async () => {
      const counted = await findCaller(request, env, requestId, headers)
      const messages = await readMessages(request)
      if ('unreadable' in messages) return refuse(messages.unreadable, 400, UNREADABLE)
      const all: readonly unknown[] = Array.isArray(messages.read) ? messages.read : [messages.read]
      if (all.length > MOST_MESSAGES) return refuse(TOO_MANY, 400, ErrorCode.InvalidRequest)
      const server = new McpServer(counted, await counted.refusedAmong(all), roomFor(all))
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      await server.connect(transport)
      return await transport.handleRequest(request, { parsedBody: messages.read })
    }
    return await byDeadline(env, answering, waitUntil)
  } catch (error) {
    if (!(error instanceof Refused)) return refuse(unexpected(error, requestId))
    const ipAddress = request.headers.get('cf-connecting-ip')
    const braked = await brakeUnproven({}, error, env, ipAddress, headers)
    return refuse(braked ? refusalOf(braked) : error.refusal)
  }
}

async function readMessages(
  request: Request,
): Promise<{ readonly read: unknown } | { readonly unreadable: Refusal }> {
  try {
    const read = parseJson(await readBody(request))
    // The transport would take a batch of nothing without a word.
    if (Array.isArray(read) && read.length === 0) throw invalid({ body: problem('empty') })
    // Of two with one id the transport would answer one, and both would be done.
    if (Array.isArray(read) && hasIdTwice(read)) throw invalid({ id: problem('id_twice') })
    const all: readonly unknown[] = Array.isArray(read) ? read : [read]
    // It is part of the answer, whose size is bounded.
    if (all.some(hasLongId)) throw invalid({ id: problem('too_long', { most: LONGEST_ID }) })
    return { read }
  } catch (error) {
    if (error instanceof Refused) return { unreadable: error.refusal }
    throw error
  }
}

function hasLongId(message: unknown): boolean {
  const id = (message as Named | null)?.id
  return typeof id === 'string' && id.length > LONGEST_ID
}

function hasIdTwice(batch: readonly unknown[]): boolean {
  const requests = batch.filter(
    (one): one is Named => typeof one === 'object' && one !== null && 'method' in one,
  )
  const ids = requests.map(({ id }) => id).filter((id) => id !== undefined && id !== null)
  return new Set(ids).size < ids.length
}
