import { waitUntil } from 'cloudflare:workers'
import { assertConfigured, type Env } from '../../env.ts'
import { byDeadline } from '../db/deadline.ts'
import { looseId } from '../db/ids.ts'
import { tallied } from '../log/tally.ts'
import { writeLine } from '../log/write-line.ts'
import { problem } from '../reasons/reason.ts'
import { admit, assertAllowed, brakeUnproven, isBraked } from './admit.ts'
import { type Answer, explained, toResponse } from './answer.ts'
import type { Context } from './context.ts'
import { allowAnyOrigin, isPublic, preflight } from './cors.ts'
import { beginCost, endCost } from './cost-brake.ts'
import { asksForDryRun, DRY_RUN, DRY_RUN_HEADER, isDryRun } from './dry-run.ts'
import { invalid, notFound } from './errors.ts'
import { failureAnswer } from './failure.ts'
import { forRequest } from './for-request.ts'
import { assertKey, claimOf, claimWithoutBody, scopeOf } from './idempotency-claim.ts'
import { keepCall, refusalIn } from './keep-call.ts'
import { nestedRouter } from './nested-router.ts'
import { readQuery } from './query.ts'
import { assertUnpacked, parseObject, readBody } from './read-body.ts'
import type { Room } from './room.ts'
import { type Route, takesKey, WholeAnswer } from './route.ts'
import { runRoute } from './run-route.ts'
import { validate, validateParams } from './validate.ts'

/** A request with its address read. */
type Asked = {
  readonly request: Request
  readonly env: Env
  readonly search: URLSearchParams
  readonly params: Readonly<Record<string, string>>
}

/** The service as one function: every route, and one place where whatever goes wrong becomes an answer. */
export function createFetch(rooms: readonly Room[]) {
  const route = nestedRouter<Response, Omit<Asked, 'params'>>(
    rooms.map(({ at, open }) => ({ at, open: async () => placesOf(Object.values(await open())) })),
  )
  return async (request: Request, env: Env, url: URL = new URL(request.url)): Promise<Response> =>
    (await route(request.method, url, { request, env, search: url.searchParams })) ??
    answerUnknown(request, env)
}

function placesOf(routes: readonly Route[]) {
  const places = routes.map((route) => {
    return { method: route.method, path: route.path, answer: (asked: Asked) => answerWith(route, asked) }
  })
  const preflights = routes.filter(isPublic).map(({ path }) => {
    return { method: 'OPTIONS', path, answer: () => preflight(routes, path, looseId()) }
  })
  return [...places, ...preflights]
}

function answerUnknown(request: Request, env: Env): Response {
  const { method } = request
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
  return toResponse(explained(answer, env.PUBLIC_URL, requestId), request, headers)
}

async function answerWith(route: Route, asked: Asked): Promise<Response> {
  const requestId = looseId()
  const headers = new Headers({ 'X-Request-Id': requestId, ...route.response.headers })
  if (isPublic(route)) allowAnyOrigin(headers)
  if (asksForDryRun(route, asked.search)) headers.set(DRY_RUN_HEADER, 'true')
  const began = Date.now()
  const env = forRequest(asked.env)
  let answer: Answer
  try {
    answer = await byDeadline(env, () => runProven(route, { ...asked, env }, requestId, headers), waitUntil)
  } catch (error) {
    answer = failureAnswer(error, requestId, headers)
    headers.delete('Cache-Control')
  }
  endCost(env)
  const { status } = answer
  const call = { id: requestId, method: route.method, route: route.path, status, ms: Date.now() - began }
  keepCall(env, { ...call, refusal: refusalIn(route, answer) })
  const done = { event: 'request', request_id: requestId, method: route.method, route: route.path, status }
  writeLine(env, env.tally, began, done)
  return toResponse(explained(answer, env.PUBLIC_URL, requestId), asked.request, headers)
}

/** Callers whose credentials keep failing must wait. Valid credentials never reach this limit. */
async function runProven(route: Route, asked: Asked, requestId: string, headers: Headers): Promise<Answer> {
  try {
    return await run(route, asked, requestId, headers)
  } catch (error) {
    const ipAddress = asked.request.headers.get('cf-connecting-ip')
    const braked = await brakeUnproven(route, error, asked.env, ipAddress, headers)
    if (!braked) throw error
    return braked
  }
}

async function run(route: Route, asked: Asked, requestId: string, headers: Headers): Promise<Answer> {
  const { request, env } = asked
  assertConfigured(env)
  const ipAddress = request.headers.get('cf-connecting-ip')
  const admitted = await admit(route, request, env, headers)
  if ('braked' in admitted) return admitted.braked
  const { caller, now } = admitted
  const [token, proof] = route.takesProof ? [undefined, admitted.token] : [admitted.token]
  assertAllowed(route, caller)
  if (isBraked(route, caller)) await beginCost(env, ipAddress, 'call')

  const params = validateParams(route.request.params, asked.params, route.malformedId)
  const { [DRY_RUN]: dryRun, ...sent } = readQuery(route, asked.search)
  const isDry = isDryRun(dryRun)
  // Wherever it comes from, a token is one parameter of its route. One that is named in both places must be the same.
  if (token !== undefined && sent.token !== undefined && sent.token !== token) {
    throw invalid({ token: problem('token_differs') })
  }
  const query = validate(route.request.query, token === undefined ? sent : { ...sent, token })
  const named = route.request.headers && validate(route.request.headers, Object.fromEntries(request.headers))
  // What is read while it comes is its handler's.
  const isHandlers = Boolean(route.request.stream ?? route.request.file)
  if (isHandlers) assertUnpacked(request)
  const key = takesKey(route) && !isDry ? request.headers.get('idempotency-key') : null
  const isRead = !isHandlers && (route.request.body || key !== null)
  const bodyText = isRead ? await readBody(request) : ''
  const readInput = () => ({
    params,
    query,
    headers: named,
    body: route.request.body && validate(route.request.body, parseObject(bodyText)),
  })
  const ctx: Context = {
    env,
    request,
    requestId,
    now,
    ipAddress,
    caller,
    claim: null,
    isDry,
    ...(proof !== undefined && { proof }),
  }
  if (key === null) return finish(route, await runRoute(route, ctx, readInput), headers)
  assertKey(key, 'Idempotency-Key')
  const scope = scopeOf(caller)
  const claim = route.hasSecretBody
    ? await claimWithoutBody(scope, key, request, requestId)
    : await claimOf(scope, key, request, bodyText, requestId)
  return finish(route, await runRoute(route, { ...ctx, claim }, readInput), headers)
}

function finish(route: Route, result: unknown, headers: Headers): Answer {
  if (!(result instanceof WholeAnswer)) return { status: route.response.status, body: result }
  for (const [name, value] of Object.entries(result.headers)) headers.set(name, value)
  if (result.isReplay) headers.set('Idempotent-Replayed', 'true')
  return result.answer
}
