import { because, invalid, type Refusal } from '../platform/http/errors.ts'
import { type Problem, problem } from '../platform/reasons/reason.ts'
import { NUMBERS, type ProtocolError } from './protocol-error.ts'
import { EARLIER, NEWEST, REVISIONS } from './revisions.ts'

const PREFIX = 'io.modelcontextprotocol'
const VERSION = `${PREFIX}/protocolVersion`
const CAPABILITIES = `${PREFIX}/clientCapabilities`
const CLIENT = `${PREFIX}/clientInfo`
export const SERVER = `${PREFIX}/serverInfo`

type Fields = Readonly<Record<string, unknown>>

/** A message of the newest revision; a notification has no id. */
export type Message = {
  readonly id?: string | number | undefined
  readonly method: string
  readonly params: Fields
}

type Read = 'earlier' | { readonly newest: Message } | { readonly wrong: ProtocolError }

/** Which parameter a gateway reads in `Mcp-Name`, by method. */
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/**
 * Decides which revision a POST uses, and checks what the newest one requires. A proxy may drop headers, so `_meta` decides,
 * and a header alone only if there is no `_meta` to contradict it.
 */
export function readEnvelope(headers: Headers, sent: unknown): Read {
  const version = headers.get('mcp-protocol-version')
  if (Array.isArray(sent)) {
    const isNewest = version === NEWEST || sent.some((one) => isClaimed(claimOf(one)))
    if (isNewest) return wrong(NUMBERS.invalidRequest, because('no_batches', { version: NEWEST }))
  }
  const claim = claimOf(sent)
  if (claim === undefined && (version === null || EARLIER.includes(version))) return 'earlier'
  if (claim === undefined && version !== null && version !== NEWEST) return unsupported(version)
  const message = messageIn(sent)
  if (!message) return wrong(NUMBERS.invalidRequest, because('not_a_message'))
  if (claim !== undefined) {
    if (typeof claim !== 'string') return malformed(VERSION, problem('not_a', { kinds: ['string'] }))
    if (version !== null && version !== claim) return mismatch('MCP-Protocol-Version')
    if (EARLIER.includes(claim)) return 'earlier'
    if (claim !== NEWEST) return unsupported(claim)
  }
  const problemFound =
    message.id === undefined ? noticeProblem(headers, message) : requestProblem(headers, message, claim)
  return problemFound ?? { newest: message }
}

function isClaimed(claim: unknown): boolean {
  return claim !== undefined && !EARLIER.includes(claim as string)
}

function requestProblem(headers: Headers, { method, params }: Message, claim: unknown): Read | null {
  const version = headers.get('mcp-protocol-version')
  if (claim === undefined) {
    // The handshake of earlier revisions contradicts the header.
    if (method === 'initialize') return mismatch('MCP-Protocol-Version')
    return malformed(VERSION, problem('required'))
  }
  const meta = params._meta as Fields
  if (meta[CAPABILITIES] === undefined) return malformed(CAPABILITIES, problem('required'))
  for (const name of [CAPABILITIES, CLIENT]) {
    if (meta[name] !== undefined && !isObject(meta[name]))
      return malformed(name, problem('not_a', { kinds: ['object'] }))
  }
  if (version === null) return missing('MCP-Protocol-Version')
  const sentMethod = headers.get('mcp-method')
  if (sentMethod === null) return missing('Mcp-Method')
  if (sentMethod !== method) return mismatch('Mcp-Method')
  const name = Object.hasOwn(NAMED, method) ? params[NAMED[method]!] : undefined
  if (typeof name !== 'string') return null
  const sentName = headers.get('mcp-name')
  if (sentName === null) return missing('Mcp-Name')
  return decoded(sentName) === name ? null : mismatch('Mcp-Name')
}

/** Notifications may come without headers. */
function noticeProblem(headers: Headers, { method }: Message): Read | null {
  const sentMethod = headers.get('mcp-method')
  return sentMethod === null || sentMethod === method ? null : mismatch('Mcp-Method')
}

/** A header's value, as text or as `=?base64?…?=`; null if that cannot be read. */
function decoded(value: string): string | null {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? []
  if (base64 === undefined) return value
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function claimOf(sent: unknown): unknown {
  const params = isObject(sent) ? sent.params : undefined
  const meta = isObject(params) ? params._meta : undefined
  return isObject(meta) ? meta[VERSION] : undefined
}

function messageIn(sent: unknown): Message | null {
  if (!isObject(sent) || sent.jsonrpc !== '2.0' || typeof sent.method !== 'string') return null
  const { id, method, params = {} } = sent
  const isId = typeof id === 'string' || Number.isSafeInteger(id)
  if (!isObject(params) || ('id' in sent && !isId)) return null
  return { id: id as Message['id'], method, params }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function wrong(number: number, refusal: Refusal, also?: ProtocolError['also']): Read {
  return { wrong: { number, refusal, status: 400, ...(also && { also }) } }
}

function malformed(name: string, why: Problem): Read {
  return wrong(NUMBERS.invalidParams, invalid({ [`params._meta.${name}`]: why }).refusal)
}

function missing(header: string): Read {
  return wrong(NUMBERS.headerMismatch, because('header_missing', { header }))
}

function mismatch(header: string): Read {
  return wrong(NUMBERS.headerMismatch, because('header_differs', { header }))
}

function unsupported(requested: string): Read {
  const also = { supported: REVISIONS, requested: requested.slice(0, 64) }
  return wrong(NUMBERS.unsupportedVersion, because('unknown_revision', { known: REVISIONS }), also)
}
