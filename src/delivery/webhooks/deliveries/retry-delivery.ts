import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { newId } from '../../../platform/db/ids.ts'
import { fenceOf } from '../../../platform/db/refusals.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { type Refused, refuse } from '../../../platform/http/errors.ts'
import { commit } from '../../../platform/http/idempotency.ts'
import { wakeDeliveries } from '../../../platform/queue/messages.ts'
import { untried } from './fan-out.ts'
import { presentDelivery } from './present.ts'
import { type DeliveryRow, getDeliveryInTenant, replaceFailedDelivery } from './queries.ts'
import type { WebhookDelivery } from './schema.ts'

/** Restarts a failed delivery. Of several concurrent calls, one succeeds. */
export async function retryDelivery(
  ctx: Context<TenantCaller>,
  endpointId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const db = openDb(ctx.env, 'decide')
  const failed = await getDeliveryInTenant(db, ctx.caller, endpointId, deliveryId)

  if (failed.status !== 'failed') throw notFailed(failed.status)
  const now = Date.now()
  const again: DeliveryRow = {
    ...failed,
    id: newId(failed.id),
    retryOf: failed.id,
    ...untried(now),
  }
  const delivery = presentDelivery(again)

  const statements = [
    ...replaceFailedDelivery(db, failed.id, again),
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'webhook_delivery.retried',
      resourceType: 'webhook_delivery',
      resourceId: failed.id,
      changes: { retried_as: again.id },
    }),
  ]
  try {
    await commit(ctx, db, statements, { status: 201, body: delivery })
  } catch (error) {
    if (fenceOf(error) !== 'STALE') throw error
    throw notFailed('retried')
  }

  await wakeDeliveries(ctx.env, [{ type: 'delivery', deliveryId: again.id, attempt: 1 }])
  return delivery
}

function notFailed(status: DeliveryRow['status']): Refused {
  return refuse('delivery_not_failed', { status })
}
