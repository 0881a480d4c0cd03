import * as z from 'zod'
import { Id, Lines, ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { pageOf } from '../../platform/http/page-schema.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { EventKind, ServiceEvent, Subscription } from './feed/schema.ts'
import { isWebhookSecret } from './post/sign.ts'

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  url: 'https://example.com/hooks/holdfast',
  events: ['booking.created' as const, 'booking.cancelled' as const],
  description: 'Rooms and invoices',
  active: true,
  verification_status: 'verified' as const,
  verified_at: '2026-03-01T09:00:00.000Z',
  verification_last_error: null,
  consecutive_failures: 0,
  suspended_at: null,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
}
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwq1b2c3d4e5f='

export const WebhookEndpoint = z
  .object({
    id: ResourceId,
    url: z.string(),
    events: z.array(Subscription),
    description: z.string().nullable(),
    active: z.boolean().describe('Nothing is sent to an endpoint that is not active.'),
    verification_status: z
      .enum(['pending', 'verified', 'failed'])
      .describe('The result of the last challenge. Only a verified endpoint gets events.'),
    verified_at: Timestamp.nullable(),
    verification_last_error: z.string().nullable(),
    consecutive_failures: z.int().describe('Failed deliveries since the last successful one.'),
    suspended_at: Timestamp.nullable().describe('Set after twenty failed deliveries; verifying clears it.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'WebhookEndpoint', description: 'An endpoint that receives events.', example: EXAMPLE })
export type WebhookEndpoint = z.output<typeof WebhookEndpoint>

const Secret = z.string().describe('Signs the messages. It is shown only once.')

export const CreatedWebhookEndpoint = WebhookEndpoint.extend({ secret: Secret }).meta({
  id: 'CreatedWebhookEndpoint',
  description: 'A new webhook endpoint with its signing secret.',
  example: { ...EXAMPLE, secret: SECRET },
})
export type CreatedWebhookEndpoint = z.output<typeof CreatedWebhookEndpoint>

export const WebhookSecret = z.object({ secret: Secret }).meta({
  id: 'WebhookSecret',
  description: 'A new signing secret. For 24 hours the previous one signs too.',
  example: { secret: SECRET },
})
export type WebhookSecret = z.output<typeof WebhookSecret>

export const WebhookEndpointPage = pageOf(WebhookEndpoint, 'WebhookEndpointPage')

const Url = z
  .string()
  .min(1)
  .max(2048)
  .meta({ format: 'uri', example: EXAMPLE.url })
  .describe('https to a public host name.')

type EndpointEvents = z.output<typeof Subscription>[]

const Description = Lines(500).nullable().optional().describe('A note for yourself.')

const Kinds = z
  .array(Subscription)
  .min(1, problem('no_event'))
  .max(100)
  .transform((kinds): EndpointEvents => (kinds.includes('*') ? ['*'] : [...new Set(kinds)]))
  .describe('The kinds to send; each counts once. `*` is every kind, future ones too.')

const OwnSecret = z
  .string()
  .refine(isWebhookSecret, problem('not_a_secret'))
  .meta({ example: SECRET })
  .describe(
    '`whsec_` and the base64 of 24 to 64 bytes. Signs the messages, including the first challenge: create it beforehand, so that your receiver knows it. If left out, one is created.',
  )

export const CreateWebhookEndpointInput = z
  .object({ url: Url, events: Kinds, description: Description, secret: OwnSecret.optional() })
  .meta({
    id: 'CreateWebhookEndpointInput',
    description: 'A new webhook endpoint.',
    example: { url: EXAMPLE.url, events: EXAMPLE.events },
  })
export type CreateWebhookEndpointInput = z.output<typeof CreateWebhookEndpointInput>

export const UpdateWebhookEndpointInput = z
  .object({
    url: Url.optional(),
    events: Kinds.optional(),
    description: Description,
    active: z.boolean().optional(),
  })
  .meta({
    id: 'UpdateWebhookEndpointInput',
    description: 'What to change. A new `url` must be verified again.',
    example: { active: false },
  })
export type UpdateWebhookEndpointInput = z.output<typeof UpdateWebhookEndpointInput>

export const WebhookEndpointParams = z.object({ id: Id })

export const TestWebhookInput = z.object({ event: EventKind }).meta({
  id: 'TestWebhookInput',
  description: 'The kind of the sample; the endpoint need not subscribe to it.',
  example: { event: 'booking.created' },
})
export type TestWebhookInput = z.output<typeof TestWebhookInput>

export const WebhookTest = z
  .object({
    success: z.boolean().describe('Whether there was a 2xx response in time.'),
    response_status_code: z.int().nullable().describe('Null without a response.'),
    response_body: z.string().nullable().describe('Its first 1 KiB.'),
    error: z.string().nullable().describe('Why there was no response.'),
    payload: ServiceEvent,
  })
  .meta({
    id: 'WebhookTest',
    description: 'The sample that was sent, and the response.',
    example: {
      success: true,
      response_status_code: 200,
      response_body: 'ok',
      error: null,
      payload: ServiceEvent.meta()!.example as z.output<typeof ServiceEvent>,
    },
  })
export type WebhookTest = z.output<typeof WebhookTest>
