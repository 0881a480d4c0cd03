import { hmacKey, hmacOf, toHex } from '../../../platform/transport/hmac.ts'

const PREFIX = 'whsec_'

/** A new signing secret: `whsec_` and the base64 of 32 random bytes, as Standard Webhooks 1.0 spells it. */
export function newWebhookSecret(): string {
  return `${PREFIX}${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`
}

/** Whether a text is a secret that anybody can sign with: `whsec_` and the base64 of 24 to 64 bytes (Standard Webhooks 1.0). */
export function isWebhookSecret(text: string): boolean {
  if (!/^whsec_(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(text)) return false
  const { length } = keyBytes(text)
  return length >= 24 && length <= 64
}

export type SignedMessage = {
  /** The same however often the message is sent. */
  readonly id: string
  readonly timestampSeconds: number
  readonly body: string
}

/**
 * The headers that prove where a message comes from. `X-Service-Signature` is the lower-case hex HMAC-SHA256
 * of the body, keyed with the first secret as text. `webhook-id`, `webhook-timestamp` and `webhook-signature`
 * follow Standard Webhooks 1.0: HMAC-SHA256 of `id.timestamp.body`, keyed with the bytes behind the secret's
 * prefix, one `v1,<base64>` for each secret, separated by spaces. The secrets come newest first.
 */
export async function signatureHeaders(
  { id, timestampSeconds, body }: SignedMessage,
  secrets: readonly [string, ...string[]],
): Promise<Record<string, string>> {
  const signed = `${id}.${timestampSeconds}.${body}`
  const plain = await hmacOf(await hmacKey(secrets[0]), body)
  const standard = await Promise.all(
    secrets.map(async (secret) => hmacOf(await hmacKey(keyBytes(secret)), signed)),
  )
  return {
    'X-Service-Signature': toHex(plain),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standard.map((signature) => `v1,${toBase64(signature)}`).join(' '),
  }
}

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(secret.slice(PREFIX.length)), (char) => char.charCodeAt(0))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
