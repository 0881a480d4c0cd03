const encoder = new TextEncoder()

/** A key for HMAC-SHA256, of the bytes of a text or of ready ones. */
export function hmacKey(secret: string | Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const bytes = typeof secret === 'string' ? Uint8Array.from(encoder.encode(secret)) : secret
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

export async function hmacOf(key: CryptoKey, text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
}

/** Whether `hex` is the HMAC of a text; how long that takes says nothing about the right one. */
export function isHmacOf(key: CryptoKey, text: string, hex: string): Promise<boolean> {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return crypto.subtle.verify('HMAC', key, bytes, encoder.encode(text))
}

/** In lower case. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
