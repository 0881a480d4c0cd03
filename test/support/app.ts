import { env, exports } from 'cloudflare:workers'
import { refusalSchemaOf } from '../../src/platform/http/openapi/refusals.ts'
import { ERRORS, type ErrorCode } from '../../src/platform/reasons/error-codes.ts'
import { assertDocumented } from './validated.ts'

export type Json = Record<string, unknown>

/** An answer with its body read. */
export type Answered<T = any> = { readonly status: number; readonly headers: Headers; readonly body: T }

export type Call = {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string
}

let lastAddress = 0

/** They take longer to make than to ask, and many answers are refusals. */
const schemas = new Map<string, ReturnType<typeof refusalSchemaOf>>()

/** A public caller nobody has seen before, so that no test uses up another one's brake. */
export function freshAddress(): string {
  lastAddress += 1
  return `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`
}

/** Calls the real Worker, in this process. Every call comes from an address of its own unless it says otherwise. */
export async function call<T = any>(
  method: string,
  path: string,
  { body, headers, key }: Call = {},
): Promise<Answered<T>> {
  const sent = {
    'CF-Connecting-IP': freshAddress(),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key && { Authorization: `Bearer ${key}` }),
    ...headers,
  }
  const content = body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await exports.default.fetch(
    new Request(`https://holdfast.test${path}`, { method, redirect: 'manual', headers: sent, ...content }),
  )
  const text = await response.text()
  const answer = { status: response.status, headers: Object.fromEntries(response.headers), body: text }
  await assertDocumented({ method, path, headers: sent, ...content, answer })
  const read = readAs(response.headers.get('content-type'), text)
  assertTold(read?.error?.code, read)
  return { status: response.status, headers: response.headers, body: read } as Answered<T>
}

/** The last of several lines; what is no JSON stays text. */
function readAs(type: string | null, text: string) {
  if (text === '') return undefined
  if (type?.startsWith('text/')) return text
  return JSON.parse(type?.startsWith('application/x-ndjson') ? text.trimEnd().split('\n').at(-1)! : text)
}

/** Whatever is told of a refusal is listed in `platform/http/error-details.ts`, which typed clients are made from. */
function assertTold(code: string | undefined, body: unknown): void {
  if (code === undefined || !(code in ERRORS)) return
  const schema = schemas.get(code) ?? refusalSchemaOf([code as ErrorCode])
  schemas.set(code, schema)
  schema.parse(body)
}

export function callAsService<T = any>(
  method: string,
  path: string,
  options: Call = {},
): Promise<Answered<T>> {
  return call<T>(method, path, { ...options, key: env.SERVICE_KEY })
}
