import * as z from 'zod'
import { Instant, ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { pageOf } from '../../platform/http/page-schema.ts'
import { problem } from '../../platform/reasons/reason.ts'

const Counts = z.record(z.string(), z.int())

export const CreatedTestData = z.object({ created: Counts }).meta({
  id: 'CreatedTestData',
  description: 'What was created.',
  example: { created: { event_types: 2, bookings: 3 } },
})

export const DeletedTestData = z.object({ deleted: Counts }).meta({
  id: 'DeletedTestData',
  description: 'What was deleted.',
  example: { deleted: { event_types: 2, bookings: 3, outbox_items: 4 } },
})

/** Leaves room for everything that is computed from the present. */
const LATEST = Date.UTC(9990, 0, 1)

export const SetClockInput = z
  .object({
    now: Instant.refine((now) => now < LATEST, problem('out_of_years'))
      .nullable()
      .describe('The sandbox stays at this time; null follows the real clock.'),
  })
  .meta({
    id: 'SetClockInput',
    description: "The sandbox's clock.",
    example: { now: '2027-03-01T09:00:00Z' },
  })

export const Clock = z.object({ now: Timestamp.nullable() }).meta({
  id: 'Clock',
  description: "The sandbox's clock; null while it follows the real one.",
  example: { now: '2027-03-01T09:00:00.000Z' },
})

export const OutboxItem = z
  .object({
    id: ResourceId,
    channel: z.enum(['email', 'calendar', 'webhook', 'payment', 'sms']),
    to: z.string(),
    from_name: z.string().nullable().describe("The sender's name of an email."),
    reply_to: z.string().nullable().describe('The reply address of an email.'),
    subject: z.string().nullable(),
    body: z.string().describe('The text of an email, the payload of other items.'),
    html: z.string().nullable().describe('The HTML version, if there is one.'),
    attachments: z.array(z.object({ filename: z.string(), type: z.string(), content: z.string() })),
    created_at: Timestamp,
  })
  .meta({
    id: 'OutboxItem',
    description: 'A message that would have left the sandbox.',
    example: {
      id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      channel: 'email' as const,
      to: 'ada@example.com',
      from_name: 'Acme Coaching',
      reply_to: 'grace@example.com',
      subject: 'Confirmed: Intro call, Mon, 9 Mar 2026',
      body: 'You are booked',
      html: null,
      attachments: [],
      created_at: '2026-03-01T09:00:00.000Z',
    },
  })
export type OutboxItem = z.output<typeof OutboxItem>

export const OutboxPage = pageOf(OutboxItem, 'OutboxPage')

export const TriedWebhook = z
  .looseObject({
    challenge: z.string().max(200).optional().describe('Present when an endpoint with this URL is verified.'),
    id: z.string().max(200).optional().describe('The id of an event.'),
  })
  .meta({
    id: 'TriedWebhook',
    description: 'A challenge or an event, as webhooks send it.',
    example: { type: 'webhook.verification', challenge: 'r4nd0m', created_at: '2026-03-01T09:00:00.000Z' },
  })

export const ReceivedTestWebhook = z
  .object({
    challenge: z.string().nullable(),
    received: z.string().nullable().describe('The id of the event.'),
  })
  .meta({
    id: 'ReceivedTestWebhook',
    description: 'What was received. Nothing is stored.',
    example: { challenge: 'r4nd0m', received: null },
  })
