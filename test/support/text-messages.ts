import { env } from 'cloudflare:workers'

/** The signature of a form, as Twilio makes it for the address at `PUBLIC_URL`. */
export async function twilioSignature(
  path: string,
  form: string,
  token = env.TWILIO_AUTH_TOKEN!,
): Promise<string> {
  const fields = [...new URLSearchParams(form)].sort(([one], [other]) => (one < other ? -1 : 1))
  const text = `${env.PUBLIC_URL}${path}${fields.map((field) => field.join('')).join('')}`
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-1' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(token), algorithm, false, ['sign'])
  return btoa(
    String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))),
  )
}
