import type * as z from 'zod'
import { type Json, jsonSchemaOf, type Schemas } from './json-schema.ts'
import { componentName } from './names.ts'
import { jsonContent } from './operation.ts'

/** A message that the service sends to the endpoints of others. */
export type Webhook = {
  readonly name: string
  readonly summary: string
  readonly body: z.ZodType
  /** What the receiver must answer; without it, any 2xx will do. */
  readonly echo?: z.ZodType
}

const HEADERS = [
  ['X-Service-Signature', 'Lower-case hex HMAC-SHA256 of the raw body, keyed with the whole secret.'],
  ['webhook-id', 'Names the message; the same on every attempt.'],
  ['webhook-timestamp', 'When this attempt was signed, in Unix seconds.'],
  [
    'webhook-signature',
    'As Standard Webhooks has it: `v1,<base64>` of the HMAC-SHA256 of `id.timestamp.body`, keyed with the bytes behind `whsec_`; one for each secret, separated by spaces.',
  ],
] as const

export const WEBHOOK_PARAMETERS: Json = Object.fromEntries(
  HEADERS.map(([name, description]) => [
    componentName(name),
    { name, in: 'header', required: true, description, schema: { type: 'string' } },
  ]),
)

export function webhookOperationOf({ name, summary, body, echo }: Webhook, schemas: Schemas): Json {
  return {
    operationId: `receive${componentName(name)}`,
    tags: ['Webhooks'],
    summary,
    security: [],
    parameters: HEADERS.map(([header]) => ({ $ref: `#/components/parameters/${componentName(header)}` })),
    requestBody: { required: true, content: jsonContent(jsonSchemaOf(body, 'output', schemas)) },
    responses: {
      '2XX': {
        description: 'Received. Any other response, or none within ten seconds, is a failure.',
        ...(echo && { content: jsonContent(jsonSchemaOf(echo, 'output', schemas)) }),
      },
    },
  }
}
