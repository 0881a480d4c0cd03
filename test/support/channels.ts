import { env } from 'cloudflare:workers'
import { newChannelSecret } from '../../src/calendars/channels/channel-secret.ts'
import { sha256 } from '../../src/platform/auth/secret.ts'
import { newId } from '../../src/platform/db/ids.ts'
import { homeOf } from '../../src/platform/db/shards.ts'
import type { Json } from './app.ts'

const DAY_MS = 86_400_000

/** A channel that tells of a connection, whatever its provider knows. */
export async function insertChannel(connectionId: string, provider: 'calendar_a' | 'calendar_b') {
  const id = newId(connectionId)
  const secret = await newChannelSecret(env.ENCRYPTION_KEY, connectionId)
  const now = Date.now()
  await homeOf(env, connectionId)
    .DB.prepare(`INSERT INTO calendar_channels (id, connection_id, provider, resource_id, secret_hash, expires_at, renew_at, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
    .bind(id, connectionId, provider, 'r', await sha256(secret), now + 6 * DAY_MS, now + 4 * DAY_MS, now)
    .run()
  return { id, secret }
}

export async function channelsOf(connectionId: string): Promise<any[]> {
  const { results } = await env.DB.prepare('SELECT * FROM calendar_channels WHERE connection_id = ?')
    .bind(connectionId)
    .all()
  return results
}

/** As Google tells: developers.google.com/workspace/calendar/api/guides/push */
export function googleHeaders(id: string, secret: string, state = 'exists'): Record<string, string> {
  return {
    'X-Goog-Channel-ID': id,
    'X-Goog-Channel-Token': secret,
    'X-Goog-Resource-ID': 'r',
    'X-Goog-Resource-State': state,
    'X-Goog-Message-Number': '2',
  }
}

/** As Graph tells: learn.microsoft.com/graph/change-notifications-delivery-webhooks */
export function graphNotification(id: string, secret: string, lifecycleEvent?: string): { value: Json[] } {
  const what = lifecycleEvent ? { lifecycleEvent } : { changeType: 'updated', resource: 'Users/1/Events/2' }
  const subscriptionExpirationDateTime = new Date(Date.now() + DAY_MS).toISOString()
  return { value: [{ subscriptionId: id, clientState: secret, subscriptionExpirationDateTime, ...what }] }
}
