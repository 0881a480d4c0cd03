import * as z from 'zod'
import { Id, ResourceId, Several, Timestamp } from '../../../platform/http/fields.ts'
import { PageQuery, pageOf } from '../../../platform/http/page-schema.ts'
import { EventKind, ServiceEvent } from '../feed/schema.ts'

const DeliveryStatus = z
  .enum(['pending', 'success', 'failed', 'retried'])
  .meta({ id: 'DeliveryStatus', description: 'The state of a delivery.' })

export const WebhookDelivery = z
  .object({
    id: ResourceId,
    webhook_endpoint_id: ResourceId,
    event_id: ResourceId,
    event_type: EventKind,
    payload: ServiceEvent,
    status: DeliveryStatus,
    attempts: z.int(),
    last_attempt_at: Timestamp.nullable(),
    response_status_code: z.int().nullable().describe('Null without a response in time.'),
    response_body: z.string().nullable().describe('The first 1 KiB.'),
    next_retry_at: Timestamp.nullable().describe('While an attempt runs: when it times out.'),
    retry_of: ResourceId.nullable(),
    created_at: Timestamp,
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'The delivery of one event to one endpoint.',
    example: {
      id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c50',
      webhook_endpoint_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c51',
      event_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      event_type: 'booking.rescheduled' as const,
      payload: ServiceEvent.meta()!.example as z.output<typeof ServiceEvent>,
      status: 'success' as const,
      attempts: 1,
      last_attempt_at: '2026-03-02T09:00:00.000Z',
      response_status_code: 200,
      response_body: 'ok',
      next_retry_at: null,
      retry_of: null,
      created_at: '2026-03-02T09:00:00.000Z',
    },
  })
export type WebhookDelivery = z.output<typeof WebhookDelivery>

export const WebhookDeliveryPage = pageOf(WebhookDelivery, 'WebhookDeliveryPage')

export const DeliveryQuery = PageQuery.extend({
  status: Several(DeliveryStatus, { $ref: '#/components/schemas/DeliveryStatus' }),
})
export const DeliveriesParams = z.object({ id: Id })
export const DeliveryParams = z.object({ id: Id, deliveryId: Id })
