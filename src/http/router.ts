import { authenticate } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import { contradictionsOf } from '../auth/contradiction.ts'
import { isInScope, isPermitted } from '../auth/policy.ts'
import { bareError } from '../db/bare-error.ts'
import { looseId } from '../db/ids.ts'
import { isPassing } from '../db/passing-failure.ts'
import { assertConfigured, type Env } from '../env.ts'
import { realNow } from '../limits/clock.ts'
import { tallied } from '../log/tally.ts'
import { writeLine } from '../log/write-line.ts'
import { type Answer, explained, refusalAnswer, toResponse } from './answer.ts'
import { atHome, type Input } from './at-home.ts'
import type { Context } from './context.ts'
import { allowAnyOrigin, isPublic, preflight } from './cors.ts'
import { asksForDryRun, DRY_RUN, DRY_RUN_HEADER, isDryRun } from './dry-run.ts'
import { invalid, notFound, Refused } from './errors.ts'
import { ownerFinder, routeFinder } from './find-route.ts'
import {
  claimOf,
  findKept,
  type IdempotencyClaim,
  isDecided,
  keepAnswer,
  PUBLIC_SCOPE,
} from './idempotency.ts'
import { brakeNetwork } from './network-brake.ts'
import { readQuery } from './query.ts'
import { brakeAnswer, keyBrake, rateHeaders } from './rate-answers.ts'
import { parseObject, readBody } from './read-body.ts'
import type { Room } from './room.ts'
import { type Route, WholeAnswer } from './route.ts'
import { validate, validateParams } from './validate.ts'

const MAX_KEY_LENGTH = 255

type Serve = (asked: Asked) => Promise<Response>

/** A request with its address read. */
type Asked = {
  readonly request: Request
  readonly env: Env
  readonly query: URLSearchParams
  readonly params: Readonly<Record<string, string>>
}

/** The service as one function: every route, and one place where whatever goes wrong becomes an answer. */
export function createFetch(rooms: readonly Room[]) {
  const findRoom = ownerFinder(rooms.flatMap((room) => room.at.map((path) => ({ path, value: room }))))
  const opened = new Map<Room, ReturnType<typeof finderOf>>()
  // What is kept is the outcome: a request must not wait for a promise of another one.
  async function open(room: Room) {
    const find = finderOf(await room.open())
    opened.set(room, find)
    return find
  }
  return async (request: Request, env: Env, url: URL = new URL(request.url)): Promise<Response> => {
    const room = findRoom(url.pathname)
    const find = room && (opened.get(room) ?? (await open(room)))
    const found = find?.(request.method, url.pathname)
    if (!found) return answerUnknown(request, env)
    return found.value({ request, env, query: url.searchParams, params: found.params })
  }
}

function finderOf(routes: readonly Route[]) {
  const places = routes.map((route) => {
    const value: Serve = (asked) => answerWith(route, asked)
    return { method: route.method as string, path: route.path as string, value }
  })
  const preflights = routes.filter(isPublic).map(({ path }) => {
    const value: Serve = async () => preflight(routes, path, looseId())
    return { method: 'OPTIONS', path, value }
  })
  return routeFinder([...places, ...preflights])
}

function answerUnknown({ method }: Request, env: Env): Response {
  const requestId = looseId()
  const { tally } = tallied(env)
  writeLine(env, tally, Date.now(), {
    event: 'request',
    request_id: requestId,
    method,
    route: null,
    status: 404,
  })
  const headers = new Headers({ 'X-Request-Id': requestId })
  const answer = failureAnswer(notFound('endpoint'), requestId, headers)
  return toResponse(explained(answer, env.PUBLIC_URL, requestId), headers)
}

async function answerWith(route: Route, asked: Asked): Promise<Response> {
  const requestId = looseId()
  const headers = new Headers({ 'X-Request-Id': requestId, ...route.response.headers })
  if (isPublic(route)) allowAnyOrigin(headers)
  if (asksForDryRun(route, asked.query)) headers.set(DRY_RUN_HEADER, 'true')
  const began = Date.now()
  const env = tallied(asked.env)
  let answer: Answer
  try {
    answer = await runProven(route, { ...asked, env }, requestId, headers)
  } catch (error) {
    answer = failureAnswer(error, requestId, headers)
    headers.delete('Cache-Control')
  }
  const { status } = answer
  const done = { event: 'request', request_id: requestId, method: route.method, route: route.path, status }
  writeLine(env, env.tally, began, done)
  return toResponse(explained(answer, env.PUBLIC_URL, requestId), headers)
}

/** Callers whose credentials keep failing must wait. Valid credentials never reach this limit. */
async function runProven(route: Route, asked: Asked, requestId: string, headers: Headers): Promise<Answer> {
  try {
    return await run(route, asked, requestId, headers)
  } catch (error) {
    if (!(error instanceof Refused) || !isUnproven(route, error)) throw error
    const ipAddress = asked.request.headers.get('cf-connecting-ip')
    const braked = await brakeNetwork(asked.env, 'FAILED_LIMIT', ipAddress, headers)
    if (!braked) throw error
    return braked
  }
}

function isUnproven({ isProvedByContent }: Route, { refusal: { code } }: Refused): boolean {
  return code === 'unauthorized' || (isProvedByContent === true && code === 'not_found')
}

async function run(route: Route, asked: Asked, requestId: string, headers: Headers): Promise<Answer> {
  const { request, env } = asked
  assertConfigured(env)
  const arrivedAt = realNow()
  const ipAddress = request.headers.get('cf-connecting-ip')
  const counted = route.limit === 'counted'
  const authentication = await authenticate(request, env, route.auth, arrivedAt, counted)
  if (!authentication.ok) {
    if (authentication.code !== 'validation_error') throw new Refused(authentication)
    throw invalid({ [authentication.header]: authentication.message })
  }
  const { caller, now, rate, token } = authentication
  if (env.tally && 'organizationId' in caller) env.tally.organizationId = caller.organizationId
  if (rate) {
    rateHeaders(rate, headers)
    if (rate.refusedBy) return keyBrake(rate, arrivedAt, headers)
    const contradictions = caller.kind === 'api_key' ? contradictionsOf(request.headers, caller) : {}
    if (Object.keys(contradictions).length > 0) throw invalid(contradictions)
  } else if (caller.kind === 'public' && (counted || route.auth !== 'none')) {
    const braked = await brakeNetwork(env, 'PUBLIC_LIMIT', ipAddress, headers)
    if (braked) return braked
  }
  if (!isPermitted(caller, route.permission)) {
    throw new Refused({ code: 'forbidden', message: 'The caller may not do this.' })
  }
  if (!isInScope(caller, route.scope)) {
    throw new Refused({
      code: 'forbidden',
      message: 'A test key cannot change what live mode shares: use a live key.',
    })
  }

  const params = validateParams(route.request.params, asked.params, route.malformedId)
  const { [DRY_RUN]: dryRun, ...sent } = readQuery(route, asked.query)
  const isDry = isDryRun(dryRun)
  // Wherever it comes from, a token is one parameter of its route. One that is named in both places must be the same.
  if (token !== undefined && sent.token !== undefined && sent.token !== token) {
    throw invalid({ token: 'Must be the token of the Authorization header where both are sent.' })
  }
  const query = validate(route.request.query, token === undefined ? sent : { ...sent, token })
  const named = route.request.headers && validate(route.request.headers, Object.fromEntries(request.headers))
  const bodyText = route.request.body || route.idempotency ? await readBody(request) : ''
  const readInput = () => ({
    params,
    query,
    headers: named,
    body: route.request.body && validate(route.request.body, parseObject(bodyText)),
  })
  const key = route.method === 'POST' && !isDry ? request.headers.get('idempotency-key') : null
  const ctx: Context = { env, request, requestId, now, ipAddress, caller, claim: null, isDry }
  if (key === null) {
    const input = readInput()
    return finish(route, await route.handler(atHome(ctx, input), input), headers)
  }
  if (key.length < 1 || key.length > MAX_KEY_LENGTH) {
    throw invalid({ 'Idempotency-Key': 'Must have 1 to 255 characters.' })
  }
  const claim = await claimOf(scopeOf(caller), key, request, bodyText, requestId)
  const result = await runOnce(route, { ...ctx, claim }, claim, readInput)
  return finish(route, result, headers)
}

/** Answers from what is kept, or runs the handler and makes sure that its answer is kept. */
async function runOnce(
  route: Route,
  asked: Context,
  claim: IdempotencyClaim,
  readInput: () => Input,
): Promise<unknown> {
  let input: Input | Refused
  try {
    input = readInput()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    input = error
  }
  const ctx = atHome(asked, input instanceof Refused ? null : input)
  const isVerbs = route.idempotency === 'by-verb'
  // The public's Idempotency-Keys belong to an event type, which only the verb knows, so it keeps its own refusals.
  if (isVerbs && claim.scope === PUBLIC_SCOPE) {
    if (input instanceof Refused) throw input
    return route.handler(ctx, input)
  }
  const kept = isVerbs && !(input instanceof Refused) ? null : await findKept(ctx.env, claim)
  if (kept && 'refusal' in kept) throw new Refused(kept.refusal)
  if (kept) return new WholeAnswer(kept.replay, true)
  try {
    if (input instanceof Refused) throw input
    return await route.handler(ctx, input)
  } catch (error) {
    if (error instanceof Refused && !error.isKept && isDecided(error.refusal)) {
      await keepAnswer(ctx.env, claim, refusalAnswer(error.refusal))
    }
    throw error
  }
}

/**
 * Whom an Idempotency-Key belongs to: the keys of an organization in one mode, the service key acting for it
 * (which may be told more) as each of its members, the operator, or what a public call is about.
 */
function scopeOf(caller: Caller): string {
  switch (caller.kind) {
    case 'api_key':
      return `${caller.organizationId}/${caller.isTest ? 'test' : 'live'}`
    case 'service':
      return `${caller.organizationId}/${caller.isTest ? 'test' : 'live'}/${caller.onBehalfOf?.userId ?? ''}`
    case 'operator':
      return `operator/${caller.userId ?? ''}`
    case 'public':
      return PUBLIC_SCOPE
  }
}

function finish(route: Route, result: unknown, headers: Headers): Answer {
  if (!(result instanceof WholeAnswer)) return { status: route.response.status, body: result }
  if (result.isReplay) headers.set('Idempotent-Replayed', 'true')
  return result.answer
}

function failureAnswer(error: unknown, requestId: string, headers: Headers): Answer {
  if (error instanceof Refused) return brakeAnswer(error.refusal, headers)
  console.error(JSON.stringify({ requestId, cause: bareError(error).stack }))
  if (isPassing(error)) {
    return refusalAnswer({
      code: 'service_unavailable',
      message:
        'A service that we depend on did not answer. Try again in a moment, with the same Idempotency-Key.',
    })
  }
  return refusalAnswer({
    code: 'internal_error',
    message: 'Something failed on our side. It is logged under the request id.',
  })
}
