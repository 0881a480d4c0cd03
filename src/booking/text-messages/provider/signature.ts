const encoder = new TextEncoder()

/**
 * Whether Twilio signed a form that it posts to `url`: HMAC-SHA1 of the URL with all fields in the order of their names,
 * as base64. Source: https://www.twilio.com/docs/usage/webhooks/webhooks-security
 */
export async function isSignedByTwilio(
  authToken: string,
  url: string,
  fields: URLSearchParams,
  signature: string | null,
): Promise<boolean> {
  const given = bytesOf(signature)
  if (given === null) return false
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(authToken),
    { name: 'HMAC', hash: 'SHA-1' },
    false,
    ['verify'],
  )
  // Of equal fields, Twilio signs each value once.
  const names = [...new Set(fields.keys())].sort()
  const text = names.flatMap((name) => [...new Set(fields.getAll(name))].sort().map((value) => name + value))
  return crypto.subtle.verify('HMAC', key, given, encoder.encode(url + text.join('')))
}

function bytesOf(base64: string | null): Uint8Array<ArrayBuffer> | null {
  try {
    return base64 ? Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)) : null
  } catch {
    return null
  }
}
