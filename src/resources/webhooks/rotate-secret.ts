import type { TenantCaller } from '../../auth/caller.ts'
import { seal } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import type { Context } from '../../http/context.ts'
import { newWebhookSecret } from '../../providers/webhook/sign.ts'
import { DAY_MS } from '../../scheduling/time-units.ts'
import { commitChange, getEndpoint } from './change-endpoint.ts'
import type { WebhookSecret } from './schema.ts'

const OVERLAP_MS = DAY_MS

/** Gives the endpoint a new secret; for a day the previous one signs too. An older one ends at once. */
export async function rotateSecret(ctx: Context<TenantCaller>, id: string): Promise<WebhookSecret> {
  const db = openDb(ctx.env, 'decide')
  const before = await getEndpoint(ctx, db, id)

  const secret = newWebhookSecret()
  const now = Date.now()
  const columns = {
    secret: await seal(ctx.env.ENCRYPTION_KEY, secret),
    previousSecret: before.secret,
    previousSecretExpiresAt: now + OVERLAP_MS,
    updatedAt: now,
  }

  await commitChange(ctx, db, before, {
    action: 'webhook_endpoint.secret_rotated',
    columns,
    told: {},
    answer: { secret },
  })
  return { secret }
}
