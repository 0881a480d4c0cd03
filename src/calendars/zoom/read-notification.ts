import * as z from 'zod'
import { MINUTE_MS, SECOND_MS } from '../../core/time-units.ts'
import { hmacKey, hmacOf, isHmacOf, toHex } from '../../platform/transport/hmac.ts'

/** How old a signature may be. */
const TOLERANCE_MS = 5 * MINUTE_MS

/** https://developers.zoom.us/docs/api/webhooks */
const Notification = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('endpoint.url_validation'),
    payload: z.object({ plainToken: z.string().min(1).max(1000) }),
  }),
  z.object({
    event: z.literal('app_deauthorized'),
    payload: z.object({ user_id: z.string().min(1), deauthorization_time: z.string() }),
  }),
])

type ZoomNotification =
  /** Zoom asks whether who answers at this address knows the secret: `proof` is the token signed with it. */
  | { readonly kind: 'challenge'; readonly token: string; readonly proof: string }
  /** A user removed the app from their account. The instant is epoch milliseconds. */
  | { readonly kind: 'deauthorized'; readonly userId: string; readonly at: number }
  /** What means nothing here. */
  | { readonly kind: 'other' }

/**
 * What a notification's raw body says, when `signature` (its `x-zm-signature`) was made of it and of `timestamp` (its
 * `x-zm-request-timestamp`, in seconds) with one of the `secrets` in the last five minutes; else null.
 */
export async function readZoomNotification(
  body: string,
  { signature, timestamp }: { readonly signature: string; readonly timestamp: string },
  secrets: readonly string[],
  now: number,
): Promise<ZoomNotification | null> {
  const sentAt = Number(timestamp) * SECOND_MS
  if (!/^\d+$/.test(timestamp) || Math.abs(now - sentAt) > TOLERANCE_MS) return null
  const [, given = ''] = /^v0=([\da-f]{64})$/.exec(signature) ?? []
  for (const secret of secrets) {
    const key = await hmacKey(secret)
    if (await isHmacOf(key, `v0:${timestamp}:${body}`, given)) return notificationIn(body, key)
  }
  return null
}

async function notificationIn(body: string, key: CryptoKey): Promise<ZoomNotification> {
  const { data } = Notification.safeParse(parse(body))
  switch (data?.event) {
    case 'endpoint.url_validation': {
      const { plainToken: token } = data.payload
      return { kind: 'challenge', token, proof: toHex(await hmacOf(key, token)) }
    }
    case 'app_deauthorized': {
      const at = Date.parse(data.payload.deauthorization_time)
      return Number.isNaN(at) ? { kind: 'other' } : { kind: 'deauthorized', userId: data.payload.user_id, at }
    }
    default:
      return { kind: 'other' }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
