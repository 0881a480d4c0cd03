import type Stripe from 'stripe'
import { writeForm } from './write-form.ts'

/** What this service sends and reads; it is that of the types, which the compiler sees to. */
export const API_VERSION: typeof Stripe.API_VERSION = '2026-10-28.endive'

/** Before a call is repeated. */
const REST_MS = 500

type Told = { readonly type?: string; readonly code?: string; readonly param?: string }

/** An answer that says no, or that cannot be read, or none at all: those have no `statusCode`. */
export class StripeError extends Error {
  override readonly name = 'StripeError'
  readonly statusCode: number | undefined
  /** The provider's kind of it, such as `invalid_request_error`. */
  readonly type: string | undefined
  readonly code: string | undefined
  readonly param: string | undefined

  constructor(message: string, statusCode?: number, { type, code, param }: Told = {}, cause?: unknown) {
    super(message, { cause })
    this.statusCode = statusCode
    this.type = type
    this.code = code
    this.param = param
  }
}

type Line = {
  readonly secretKey: string
  /** Without a slash at its end. */
  readonly base: string
  readonly fetcher: typeof fetch
  readonly timeoutMs: number
  readonly patience: AbortSignal | undefined
}

export type CallOptions = {
  /** v2 takes JSON; by default v1, which takes forms. */
  readonly version?: 'v1' | 'v2'
  /** The connected account that the call is made in; without it, the platform's own. */
  readonly account?: string
  readonly idempotencyKey?: string
  /** Of each attempt, until all of the answer is there. */
  readonly timeoutMs?: number
  /** 0 where nobody should wait for a repetition. */
  readonly repetitions?: 0 | 1
}

type Call = CallOptions & {
  readonly method: 'GET' | 'POST'
  readonly path: readonly string[]
  readonly values: object
}

type Answer = { readonly status: number; readonly advice: string | null; readonly text: string }

/**
 * The answer to a call. What got none, or one that may be another the next time, is asked once more under the same key, so
 * nothing happens twice. Throws `StripeError`. Source: https://docs.stripe.com/error-low-level#idempotency
 */
export async function sendCall<T>(line: Line, call: Call): Promise<T> {
  const send = attemptOf(line, call)
  let answer = await send()
  if (call.repetitions !== 0 && !line.patience?.aborted && isWorthAnother(answer)) {
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
    answer = await send()
  }
  if (answer instanceof StripeError) throw answer
  return contentOf(answer)
}

function attemptOf({ secretKey, base, fetcher, patience, ...line }: Line, call: Call) {
  const { method, path, values, account, version = 'v1', timeoutMs = line.timeoutMs } = call
  const key = call.idempotencyKey ?? (method === 'POST' ? crypto.randomUUID() : undefined)
  const form = writeForm(values)
  const query = method === 'GET' && form.size > 0 ? `?${form}` : ''
  const url = `${base}/${version}/${path.map(encodeURIComponent).join('/')}${query}`
  const isJson = method === 'POST' && version === 'v2'
  const headers = {
    Accept: 'application/json',
    ...(isJson && { 'Content-Type': 'application/json' }),
    Authorization: `Bearer ${secretKey}`,
    'Stripe-Version': API_VERSION,
    'User-Agent': 'Holdfast',
    ...(account !== undefined && { 'Stripe-Account': account }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  }
  return async (): Promise<Answer | StripeError> => {
    const deadline = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetcher(url, {
        method,
        headers,
        ...(method === 'POST' && { body: isJson ? JSON.stringify(values) : form }),
        redirect: 'manual',
        signal: patience ? AbortSignal.any([patience, deadline]) : deadline,
      })
      const advice = response.headers.get('stripe-should-retry')
      return { status: response.status, advice, text: await response.text() }
    } catch (error) {
      return new StripeError('The provider did not answer.', undefined, {}, error)
    }
  }
}

/** The provider may say itself whether to ask again. */
function isWorthAnother(answer: Answer | StripeError): boolean {
  if (answer instanceof StripeError) return true
  const { advice, status } = answer
  if (advice === 'true' || advice === 'false') return advice === 'true'
  return status === 409 || status >= 500
}

function contentOf<T>({ status, text }: Answer): T {
  const json = parse(text)
  if (typeof json !== 'object' || json === null) throw new StripeError('The provider sent no JSON.')
  if (status >= 200 && status < 300) return json as T
  const { error } = json as { error?: Told & { readonly message?: string } }
  throw new StripeError(error?.message ?? `The provider answered ${status}.`, status, error)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
