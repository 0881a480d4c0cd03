import * as z from 'zod'
import { Timestamp } from '../../platform/http/fields.ts'
import type { Webhook } from '../../platform/http/openapi/webhook.ts'
import { EVENTS } from './feed/schema.ts'

const CHALLENGE = 'Zk1mXo2Jq7sVb8nRy3cLw6dEa5gHu0iPtKfMxQz4fT9'

const Challenge = z
  .object({ type: z.literal('webhook.verification'), challenge: z.string(), created_at: Timestamp })
  .meta({
    id: 'WebhookChallenge',
    description: 'Asks the receiver at the URL whether it wants events.',
    example: { type: 'webhook.verification', challenge: CHALLENGE, created_at: '2026-03-01T09:00:00.000Z' },
  })

const ChallengeEcho = z.object({ challenge: z.string() }).meta({
  id: 'WebhookChallengeEcho',
  description: 'The challenge; it may also be returned as plain text.',
  example: { challenge: CHALLENGE },
})

/** What is sent to webhook endpoints. */
export const sentWebhooks: readonly Webhook[] = [
  ...Object.entries(EVENTS).map(([name, body]) => ({ name, summary: body.meta()!.description!, body })),
  {
    name: 'webhook.verification',
    summary: 'The endpoint must prove that it wants events.',
    body: Challenge,
    echo: ChallengeEcho,
  },
]
