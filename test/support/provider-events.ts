import { API_VERSION } from '../../doubles/stripe/state.ts'

export const WEBHOOK_SECRET = 'whsec_of-the-provider-double-0123456789'

const encoder = new TextEncoder()

/** An event as the provider sends it: the body, and the header that proves where it comes from. */
export async function providerEvent(
  kind: string,
  object: unknown,
  options: { id?: string; at?: number; secret?: string; account?: string; version?: string | null } = {},
): Promise<{ body: string; headers: Record<string, string> }> {
  return signedEvent(
    {
      id: options.id ?? `evt_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`,
      object: 'event',
      type: kind,
      api_version: options.version === undefined ? API_VERSION : options.version,
      created: Math.floor((options.at ?? Date.now()) / 1000),
      livemode: false,
      pending_webhooks: 1,
      ...(options.account && { account: options.account }),
      data: { object },
    },
    options,
  )
}

/** Anything, signed as the provider signs. */
export async function signedEvent(
  event: object,
  options: { at?: number; secret?: string } = {},
): Promise<{ body: string; headers: Record<string, string> }> {
  const seconds = Math.floor((options.at ?? Date.now()) / 1000)
  const body = JSON.stringify(event)
  const signature = await hmac(options.secret ?? WEBHOOK_SECRET, `${seconds}.${body}`)
  return {
    body,
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${seconds},v1=${signature}` },
  }
}

/** A notification as Zoom sends it. */
export async function zoomNotification(
  event: string,
  payload: object,
): Promise<{ body: string; headers: Record<string, string> }> {
  const seconds = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({ event, event_ts: Date.now(), payload })
  const signature = await hmac(WEBHOOK_SECRET, `v0:${seconds}:${body}`)
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'x-zm-request-timestamp': String(seconds),
      'x-zm-signature': `v0=${signature}`,
    },
  }
}

async function hmac(secret: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
