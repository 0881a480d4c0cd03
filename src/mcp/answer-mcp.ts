import { waitUntil } from 'cloudflare:workers'
import { assertConfigured, type Env } from '../env.ts'
import { byDeadline } from '../platform/db/deadline.ts'
import { looseId } from '../platform/db/ids.ts'
import { brakeUnproven } from '../platform/http/admit.ts'
import { BLIP_SECONDS } from '../platform/http/answer.ts'
import { challengeOf } from '../platform/http/challenge.ts'
import { allowAnyOrigin } from '../platform/http/cors.ts'
import { endCost } from '../platform/http/cost-brake.ts'
import { because, invalid, type Refusal, Refused } from '../platform/http/errors.ts'
import { unexpected } from '../platform/http/failure.ts'
import { forRequest } from '../platform/http/for-request.ts'
import { keepCall } from '../platform/http/keep-call.ts'
import { writeLine } from '../platform/log/write-line.ts'
import { ERRORS } from '../platform/reasons/error-codes.ts'
import { problem } from '../platform/reasons/reason.ts'
import { answerEarlier } from './answer-earlier.ts'
import { answerNewest } from './answer-newest.ts'
import { readEnvelope } from './envelope.ts'
import { findCaller } from './find-caller.ts'
import { NUMBERS, type ProtocolError } from './protocol-error.ts'
import { readMessages } from './read-messages.ts'
import { MOST_MESSAGES, roomFor } from './size.ts'
import { errorOf, refusalOf } from './tool-refusal.ts'

const TOO_MANY = invalid({ body: problem('too_many', { most: MOST_MESSAGES }) }).refusal

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
  'Access-Control-Max-Age': '86400',
}

type Id = string | number | null

/** One POST: a message or a batch of them. Nothing is remembered between two, so every isolate can answer each. */
export async function answerMcp(request: Request, surroundings: Env): Promise<Response> {
  const requestId = looseId()
  const began = Date.now()
  const env = forRequest(surroundings)
  const headers = new Headers({ 'X-Request-Id': requestId, 'Cache-Control': 'no-store' })
  allowAnyOrigin(headers)
  headers.append('Access-Control-Expose-Headers', 'WWW-Authenticate')
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
  const refuse = (wrong: ProtocolError, id: Id = null): Response => {
    const { status = ERRORS[wrong.refusal.code].status } = wrong
    const error = errorOf(wrong, env.PUBLIC_URL, requestId)
    if (status === 401) headers.set('WWW-Authenticate', challengeOf(request, error.message))
    if (status === 503) headers.set('Retry-After', String(BLIP_SECONDS))
    if (status === 405) headers.set('Allow', 'POST')
    return Response.json({ jsonrpc: '2.0', error, id }, { status })
  }
  const notTaken = (refusal: Refusal, status?: number) =>
    refuse({ number: NUMBERS.notTaken, refusal, ...(status && { status }) })
  try {
    assertConfigured(env)
    return await byDeadline(env, () => answer(request, env, requestId, headers, refuse), waitUntil)
  } catch (error) {
    if (!(error instanceof Refused)) return notTaken(unexpected(error, requestId))
    const ipAddress = request.headers.get('cf-connecting-ip')
    const braked = await brakeUnproven({}, error, env, ipAddress, headers)
    return notTaken(braked ? refusalOf(braked) : error.refusal)
  }
}

async function answer(
  request: Request,
  env: Env,
  requestId: string,
  headers: Headers,
  refuse: (wrong: ProtocolError, id?: Id) => Response,
): Promise<Response> {
  const notTaken = (refusal: Refusal, status: number) => refuse({ number: NUMBERS.notTaken, refusal, status })
  const isPost = request.method === 'POST'
  // A client that opens a stream first learns here that its key is wrong.
  if (!isPost && !request.headers.has('authorization')) return notTaken(because('only_post'), 405)
  const counted = await findCaller(request, env, requestId, headers)
  if (!isPost) return notTaken(because('only_post'), 405)
  if (!isJson(request)) return notTaken(because('not_json_type'), 415)
  const messages = await readMessages(request)
  if ('unreadable' in messages) {
    return refuse({ number: messages.number, refusal: messages.unreadable, status: 400 })
  }
  const sent = messages.read
  const envelope = readEnvelope(request.headers, sent)
  if (envelope === 'earlier') {
    const all: readonly unknown[] = Array.isArray(sent) ? sent : [sent]
    if (all.length > MOST_MESSAGES) {
      return refuse({ number: NUMBERS.invalidRequest, refusal: TOO_MANY, status: 400 })
    }
    const answered = await answerEarlier(counted, sent, roomFor(all))
    return answered instanceof Response ? answered : refuse(answered)
  }
  if ('wrong' in envelope) return refuse(envelope.wrong, idIn(sent))
  const { newest: message } = envelope
  if (message.id === undefined) return new Response(null, { status: 202 })
  const refused = await counted.refusedAmong([message])
  const answered = await answerNewest(counted, message, refused.get(message.id), roomFor([message]))
  if ('wrong' in answered) return refuse(answered.wrong, message.id)
  return Response.json({ jsonrpc: '2.0', result: answered.result, id: message.id })
}

function isJson({ headers }: Request): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')
}

/** An id that the answer can repeat. */
function idIn(sent: unknown): Id {
  const id = Array.isArray(sent) ? null : (sent as { readonly id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
