import { pauseFor, waitBefore } from './retry.ts'
import type { Client } from './types.ts'

export type ClientOptions = {
  /** Where the service is, such as `https://api.example.com`. */
  baseUrl: string
  /** An API key. The calls of invitees need none. */
  key?: string
  /** What sends; the runtime's own without one. */
  fetch?: (request: Request) => Promise<Response>
  /** How often a call is retried that had no response or a 5xx: 2 unless set. */
  retries?: number
  /** How to wait before that, for tests. */
  wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

type Params = {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  header?: Record<string, unknown>
}
type Init = { params?: Params; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }

/**
 * A client whose calls return `{ data }` or `{ error }`. It throws only if there was no response at all. A call without
 * a response or with a 5xx is retried, with the same `Idempotency-Key`; a 4xx never is.
 */
export function createClient(options: ClientOptions): Client {
  const call =
    (method: string) =>
    (path: string, init: Init = {}) =>
      send(options, method, path, init)
  const client = {
    GET: call('GET'),
    POST: call('POST'),
    PUT: call('PUT'),
    PATCH: call('PATCH'),
    DELETE: call('DELETE'),
  }
  return client as unknown as Client
}

async function send(options: ClientOptions, method: string, path: string, init: Init) {
  const { fetch: ask = (request) => globalThis.fetch(request), retries = 2, wait = pauseFor } = options
  const address = addressOf(options.baseUrl, path, init.params ?? {})
  const headers = headersOf(options, method, init)
  const { signal } = init
  const body = init.body === undefined ? null : JSON.stringify(init.body)
  for (let tries = 0; ; tries++) {
    let pause: number | null
    try {
      const response = await ask(new Request(address, { method, headers, body, ...(signal && { signal }) }))
      pause = response.status < 500 || tries >= retries ? null : waitBefore(tries, response)
      // An answer that breaks off is as good as none.
      if (pause === null) return await resultOf(response)
      await response.body?.cancel()
    } catch (error) {
      if (signal?.aborted || tries >= retries) throw error
      pause = waitBefore(tries, null)
    }
    await wait(pause ?? 0, signal)
    signal?.throwIfAborted()
  }
}

function headersOf({ key }: ClientOptions, method: string, { params, headers, body }: Init): Headers {
  const sent = new Headers(headers)
  for (const [name, value] of Object.entries(params?.header ?? {})) {
    if (value !== undefined) sent.set(name, String(value))
  }
  if (key !== undefined && !sent.has('Authorization')) sent.set('Authorization', `Bearer ${key}`)
  if (body !== undefined) sent.set('Content-Type', 'application/json')
  if (method === 'POST' && !sent.has('Idempotency-Key')) sent.set('Idempotency-Key', crypto.randomUUID())
  return sent
}

function addressOf(baseUrl: string, template: string, { path = {}, query = {} }: Params): string {
  const place = template.replace(/\{(\w+)\}/g, (_, name) => segmentOf(name, path[name]))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    // Lists are sent with commas, which the service takes as it takes repeated parameters.
    if (value !== undefined) search.set(name, String(value))
  }
  const text = search.toString()
  return baseUrl.replace(/\/+$/, '') + place + (text && `?${text}`)
}

/** One that is nothing or dots would lead to another endpoint. */
function segmentOf(name: string, value: unknown): string {
  const text = String(value ?? '')
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`The path needs ${name}: it must not be empty or dots.`)
  return encodeURIComponent(text)
}

async function resultOf(response: Response) {
  // What comes line by line is read by whoever asked, as it comes.
  if (response.ok && response.headers.get('Content-Type')?.startsWith('application/x-ndjson')) {
    return { data: undefined, response }
  }
  const text = await response.text()
  const body = text === '' ? undefined : parse(text)
  if (response.ok && (text === '' || body !== undefined)) return { data: body, response }
  return { error: isRefusal(body) ? body : strangerRefusal(response), response }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRefusal(body: unknown): boolean {
  return typeof (body as { error?: { code?: unknown } | null } | null)?.error?.code === 'string'
}

/** Somebody between us and the service answered, in words of their own. */
function strangerRefusal({ status, headers }: Response) {
  const code = status >= 400 && status < 500 ? 'bad_request' : 'bad_gateway'
  const message = `Answered with ${status}, but not by the service.`
  return { error: { code, message, doc_url: '', request_id: headers.get('X-Request-Id') ?? '' } }
}
