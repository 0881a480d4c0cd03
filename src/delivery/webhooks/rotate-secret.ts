import { DAY_MS } from '../../core/time-units.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { seal } from '../../platform/auth/secret.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { commitChange, getEndpoint } from './change-endpoint.ts'
import { newWebhookSecret } from './post/sign.ts'
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
    changes: {},
    answer: { secret },
  })
  return { secret }
}
