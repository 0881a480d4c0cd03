import type { Caller } from '../auth/caller.ts'
import { sha256 } from '../auth/secret.ts'
import { ERRORS } from '../reasons/error-codes.ts'
import { problem, type Reason } from '../reasons/reason.ts'
import { invalid, type Refusal } from './errors.ts'
import { inNameOrder } from './in-name-order.ts'
import { parseObject } from './read-body.ts'

/** One caller's use of one Idempotency-Key for one request. */
export type IdempotencyClaim = {
  readonly scope: string
  readonly key: string
  readonly requestHash: string
  /** The same by the bytes as they were sent. */
  readonly sentHash?: string
  /** The first request's, which a kept refusal names however often it is told. */
  readonly requestId?: string
  /** Whether a refusal leaves the key unused: the same request later gets a new decision. */
  readonly keepsNoRefusal?: true
  /** For how long its answer counts; a day unless it says otherwise. */
  readonly keptMs?: number
}

/** They are about the key, not about the request. */
const OF_KEYS: ReadonlySet<Reason> = new Set(['still_running', 'other_request', 'changing'])

/** A placeholder until the verb knows which event type a public call belongs to. */
export const PUBLIC_SCOPE = 'public'

/** Where the keys of public calls about one event type are. */
export function publicScope(subject: string): string {
  return `public/${subject}`
}

/**
 * The owner of an Idempotency-Key: the keys of an organization in one mode, the service key acting for it (which may see more)
 * as each of its members, the operator, or what a public call is about.
 */
export function scopeOf(caller: Caller): string {
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

export function scopedTo(claim: IdempotencyClaim | null, subject: string): IdempotencyClaim | null {
  return claim?.scope === PUBLIC_SCOPE ? { ...claim, scope: publicScope(subject) } : claim
}

const MAX_KEY_LENGTH = 255

/** Refuses a key that is too short or too long; `field` is what the caller named it. */
export function assertKey(key: string, field: string): void {
  if (key.length < 1 || key.length > MAX_KEY_LENGTH)
    throw invalid({ [field]: problem('wrong_length', { least: 1, most: MAX_KEY_LENGTH }) })
}

/**
 * A request is known by its meaning: the same JSON in other words, and the same parameters in another order, are the same
 * request. A body that is not a JSON object counts as it was sent.
 */
export async function claimOf(
  scope: string,
  key: string,
  request: Request,
  body: string,
  requestId: string,
): Promise<IdempotencyClaim> {
  const { pathname, search, searchParams } = new URL(request.url)
  const hash = (query: string, text: string) => sha256(`${request.method} ${pathname}${query}\n${text}`)
  const sentHash = await hash(search, body)
  searchParams.sort()
  const requestHash = await hash(`?${searchParams}`, asMeant(body))
  return { scope, key, requestHash, sentHash, requestId }
}

/**
 * The same for a body with a secret of which not even a hash is stored: any secret is the same request. A refusal leaves the key
 * unused, so that another secret can be sent with it.
 */
export async function claimWithoutBody(
  scope: string,
  key: string,
  request: Request,
  requestId: string,
): Promise<IdempotencyClaim> {
  return { ...(await claimOf(scope, key, request, '', requestId)), keepsNoRefusal: true }
}

type Named = { readonly operationId: string; readonly hasSecretBody?: true }

/** The same for a call from inside, by its validated input: another spelling of a time is the same request. */
export function hashOf(
  { operationId, hasSecretBody }: Named,
  { params, body }: { readonly params: unknown; readonly body: unknown },
): Promise<string> {
  const shown = hasSecretBody ? null : (body ?? null)
  return sha256(JSON.stringify(inNameOrder([operationId, params ?? null, shown])))
}

/** No body is an object without fields. */
function asMeant(body: string): string {
  try {
    const text = JSON.stringify(inNameOrder(parseObject(body)))
    return text === '{}' ? '' : text
  } catch {
    return body
  }
}

/** Whether a kept hash is that of the request which is asked now. */
export function isSameRequest(
  { requestHash, sentHash }: Pick<IdempotencyClaim, 'requestHash' | 'sentHash'>,
  kept: string | null,
): boolean {
  return kept === requestHash || kept === sentHash
}

/**
 * The one rule of what is kept: whatever was decided about the request, be it late or early. A fault, a brake or a
 * word about the caller or the key says nothing about it.
 */
export function isDecided({ code, reason }: Refusal): boolean {
  const { status } = ERRORS[code]
  return !OF_KEYS.has(reason) && status < 500 && status !== 429 && status !== 401
}

const WAIT_MS = 250
const MAX_WAITS = 32

/** Asks again while the same request still runs under its key, for eight seconds at most. */
export async function whenDone<T>(
  ask: () => Promise<T>,
  refusalIn: (asked: T) => Refusal | null,
): Promise<T> {
  for (let waits = 0; ; waits++) {
    const asked = await ask()
    if (refusalIn(asked)?.reason !== 'still_running' || waits === MAX_WAITS) return asked
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
}
