import { MINUTE_MS } from '../core/time-units.ts'
import type { PublicCaller } from '../platform/auth/caller.ts'
import { sha256 } from '../platform/auth/secret.ts'
import { assertAllowed } from '../platform/http/admit.ts'
import { plainBody } from '../platform/http/answer.ts'
import { atHome, type Input as Given } from '../platform/http/at-home.ts'
import type { Context } from '../platform/http/context.ts'
import { type Refusal, Refused } from '../platform/http/errors.ts'
import { assertKey, type IdempotencyClaim, whenDone } from '../platform/http/idempotency-claim.ts'
import { inNameOrder } from '../platform/http/in-name-order.ts'
import { type Route, WholeAnswer } from '../platform/http/route.ts'
import { runOnce, scopeOf } from '../platform/http/run-once.ts'
import { validate, validateParams } from '../platform/http/validate.ts'
import { realNow } from '../platform/limits/clock.ts'
import { networkOf } from '../platform/limits/network.ts'
import type { Visit } from './find-caller.ts'

const PUBLIC: PublicCaller = { kind: 'public' }

export type Input = {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** How an endpoint is asked to act: only to say what it would do, or once under a key. */
export type Manner = {
  readonly isDry: boolean
  readonly key: unknown
  /** Whether the same call is the same act although it has no key. */
  readonly isSameAct: boolean
}

/** For how long it is. */
const SAME_ACT_MS = 10 * MINUTE_MS

export type Acted = { readonly body: unknown; readonly isReplay: boolean }

/** Calls a documented endpoint as the caller, with its own validation, so that no tool can do what the API refuses. */
export async function ask(
  visit: Visit,
  routes: readonly Route[],
  operationId: string,
  input: Input,
): Promise<unknown> {
  const route = find(routes, operationId)
  const ctx = contextOf(visit, route)
  const given = read(route, input)
  return acted(await route.handler(atHome(ctx, given), given)).body
}

/**
 * The same of an endpoint that changes something. Without a key of the caller's, the same request of the same network or
 * API key is the same act for ten minutes; one that was refused did nothing, so it is decided again.
 */
export async function act(
  visit: Visit,
  routes: readonly Route[],
  operationId: string,
  input: Input,
  { isDry, key, isSameAct }: Manner,
): Promise<Acted> {
  const route = find(routes, operationId)
  const ctx: Context = { ...contextOf(visit, route), isDry }
  const given = read(route, input)
  const isKept = !isDry && (key != null || isSameAct)
  const claim = isKept ? await claimOf(visit, route, given, key) : null
  if (!claim) return acted(await route.handler(atHome(ctx, given), given))
  const end = await whenDone(
    async (): Promise<Acted | Refused> => {
      try {
        return acted(await runOnce(route, { ...ctx, claim }, claim, () => given))
      } catch (error) {
        if (error instanceof Refused) return error
        throw error
      }
    },
    (one) => (one instanceof Refused ? one.refusal : null),
  )
  if (end instanceof Refused) throw end
  return end
}

function find(routes: readonly Route[], operationId: string): Route {
  const route = routes.find((one) => one.operationId === operationId)
  if (!route) throw new Error(`there is no operation ${operationId}`)
  return route
}

/** The visitor as the caller of this endpoint. */
function contextOf({ caller, now, ...visit }: Visit, route: Route): Context {
  if (route.auth === 'key' && caller.kind === 'public') {
    const message = 'This tool needs an API key: connect with Authorization: Bearer <key>.'
    throw new Refused({ code: 'unauthorized', message })
  }
  const asked = route.auth === 'none' ? { caller: PUBLIC, now: realNow() } : { caller, now }
  assertAllowed(route, asked.caller)
  return { ...visit, ...asked, claim: null, isDry: false }
}

function read({ request, malformedId }: Route, { params = {}, query = {}, body = {} }: Input): Given {
  const path = Object.entries(texts(params)).map(([name, text]) => [name, encodeURIComponent(text)])
  return {
    params: validateParams(request.params, Object.fromEntries(path), malformedId),
    query: validate(request.query, texts(query)),
    headers: undefined,
    body: validate(request.body, body),
  }
}

/** As an address carries them; what is not given is left out. */
function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  )
}

/** What is asked for counts as it is understood: another spelling of a time is the same request. */
async function claimOf(visit: Visit, route: Route, given: Given, key: unknown): Promise<IdempotencyClaim> {
  const { caller, ipAddress, requestId } = visit
  const { params, body } = given
  const requestHash = await sha256(
    JSON.stringify(inNameOrder([route.operationId, params ?? null, body ?? null])),
  )
  const scope = scopeOf(caller)
  if (key !== undefined && key !== null) {
    assertKey(typeof key === 'string' ? key : '', 'idempotency_key')
    return { scope, key: `mcp/${key}`, requestHash, requestId }
  }
  const who = caller.kind === 'public' ? networkOf(ipAddress) : caller.kind === 'api_key' ? caller.keyId : ''
  const derived = await sha256(`${who}\n${requestHash}`)
  return {
    scope,
    key: `mcp-same/${derived}`,
    requestHash,
    requestId,
    keepsNoRefusal: true,
    keptMs: SAME_ACT_MS,
  }
}

function acted(result: unknown): Acted {
  if (!(result instanceof WholeAnswer)) return { body: plainBody(result), isReplay: false }
  const { status, body } = result.answer
  if (status >= 400) throw new Refused((body as { readonly error: Refusal }).error)
  return { body: plainBody(body), isReplay: result.isReplay }
}
