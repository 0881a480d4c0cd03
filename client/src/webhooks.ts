import type { Challenge, Event } from './types.ts'

/** The message is not from the service, or too old. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/** As a `Request` has them, or Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const PREFIX = 'whsec_'
const TOLERANCE_SECONDS = 300
const encoder = new TextEncoder()

/**
 * Answers what was sent when the signature fits, and throws a `WebhookError` when it does not. Pass the body as it
 * came, before anything parsed it. Messages older than five minutes are refused, so that nobody can send them again.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { now = Date.now() }: { now?: number } = {},
): Promise<Event | Challenge> {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
    throw new TypeError('Pass the body as it came, text or bytes, before anything parses it.')
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !timestamp || !signatures) throw new WebhookError('The signature is missing.')
  const age = Math.abs(now / 1000 - Number(timestamp))
  if (!(age <= TOLERANCE_SECONDS)) throw new WebhookError('The message is too old, or from the future.')
  const key = await importKey(secret, 'verify')
  const signed = encoder.encode(`${id}.${timestamp}.${text}`)
  for (const signature of signatures.split(' ')) {
    const [version, value] = signature.split(',')
    const bytes = version === 'v1' && value ? bytesOf(value) : null
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return JSON.parse(text)
  }
  throw new WebhookError('The signature does not fit.')
}

/** The headers that the service signs a message with. */
export async function signWebhook(
  body: string,
  { id, timestampSeconds, secret }: { id: string; timestampSeconds: number; secret: string },
): Promise<Record<string, string>> {
  const standard = await hmac(await importKey(secret, 'sign'), `${id}.${timestampSeconds}.${body}`)
  const plain = await hmac(await hmacKey(encoder.encode(secret), 'sign'), body)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...standard))}`,
    'X-Service-Signature': Array.from(plain, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  }
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'object' ? value[0] : value
}

/** Those of another realm or library are no instance of ours. */
function isHeaders(headers: WebhookHeaders): headers is Headers {
  return typeof headers.get === 'function'
}

async function importKey(secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> {
  const bytes = secret?.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : null
  if (!bytes?.length) throw new WebhookError('The secret is none: it begins with whsec_ and goes on.')
  return hmacKey(bytes, use)
}

function hmacKey(bytes: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify'): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
}

async function hmac(key: CryptoKey, text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
