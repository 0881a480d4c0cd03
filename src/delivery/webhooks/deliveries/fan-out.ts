import type { Env } from '../../../env.ts'
import { storeSandboxItem } from '../../../outbox/mail/store-sandbox-item.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { newId } from '../../../platform/db/ids.ts'
import type { EventRow } from '../../../platform/db/schema/records.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { wakeDeliveries } from '../../../platform/queue/messages.ts'
import { presentEvent } from '../feed/present.ts'
import { type DeliveryRow, insertDelivery, type Listener } from './queries.ts'

type FanOut = {
  /** For the batch that marks the event as handled. If it runs again, an endpoint still gets one delivery. */
  readonly statements: readonly Statement[]
  /** Call it after the commit. It never fails: the sweep finds what was not announced. */
  readonly announce: () => Promise<void>
}

/** One delivery of the event for each endpoint that subscribes to its kind. */
export async function fanOut(
  env: Env,
  db: Db,
  event: EventRow,
  listeners: readonly Listener[],
  now: RealMs,
): Promise<FanOut> {
  const payload = JSON.stringify(presentEvent(event))
  const subscribed = listeners.filter(({ events }) => events.includes(event.kind) || events.includes('*'))
  const deliveries = subscribed.map((endpoint) => newDelivery(event, endpoint.id, payload, now))
  const shown = event.isTest ? subscribed : []
  const kept = shown.map((endpoint) =>
    storeSandboxItem(env, db, {
      organizationId: event.organizationId,
      onceKey: `webhook/${endpoint.id}/${event.id}`,
      channel: 'webhook',
      recipient: endpoint.url,
      subject: event.kind,
      body: { text: payload },
      createdAt: now,
    }),
  )
  const outbox = (await Promise.all(kept)).map(({ statement }) => statement)
  return {
    statements: [...deliveries.map((row) => insertDelivery(db, row)), ...outbox],
    announce: () =>
      wakeDeliveries(
        env,
        deliveries.map(({ id }) => ({ type: 'delivery', deliveryId: id, attempt: 1 })),
      ),
  }
}

function newDelivery(event: EventRow, endpointId: string, payload: string, now: RealMs): DeliveryRow {
  return {
    id: newId(event.organizationId),
    organizationId: event.organizationId,
    isTest: event.isTest,
    endpointId,
    eventId: event.id,
    eventKind: event.kind,
    payload,
    retryOf: null,
    ...untried(now),
  }
}

/** A new delivery. */
export function untried(now: number) {
  return {
    status: 'pending',
    attempts: 0,
    lastAttemptAt: null,
    responseStatusCode: null,
    responseBody: null,
    nextRetryAt: now,
    tellAgainAt: null,
    createdAt: now,
  } as const
}
