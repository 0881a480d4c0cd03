import * as z from 'zod'
import { QueryId, ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { ConnectionStatus } from '../schema.ts'

export const ConferencingProvider = z.enum(['video_a', 'calendar_a_meet', 'calendar_b_meet']).meta({
  id: 'ConferencingProvider',
  description: '`video_a` is Zoom, `calendar_a_meet` Google Meet and `calendar_b_meet` Microsoft Teams.',
})
export type ConferencingProvider = z.output<typeof ConferencingProvider>

const EXAMPLE = {
  provider: 'video_a' as const,
  member_id: '0195d6a0-7c00-7000-8000-000000000002',
  connected: true,
  account_email: 'ada@example.com',
  status: 'active' as const,
  error: null,
  connected_at: '2026-03-01T09:00:00.000Z',
}

export const ConferencingAccount = z
  .object({
    provider: ConferencingProvider,
    member_id: ResourceId.nullable().describe(
      "Whose account it is; null where nothing is connected. The owner's makes the meetings of whoever has none.",
    ),
    connected: z.boolean().describe('Whether meetings are made there now.'),
    account_email: z.string().nullable(),
    status: ConnectionStatus.nullable().describe(
      'Null when nothing is connected. `error`: the last meeting could not be made; it is tried again.',
    ),
    error: z.string().nullable(),
    connected_at: Timestamp.nullable(),
  })
  .meta({
    id: 'ConferencingAccount',
    description:
      'Where the meetings of bookings are made. Those of calendar suites come with their calendars.',
    example: EXAMPLE,
  })
export type ConferencingAccount = z.output<typeof ConferencingAccount>

export const ConferencingAccounts = z.object({ data: z.array(ConferencingAccount) }).meta({
  id: 'ConferencingAccounts',
  description: 'Every provider of meetings; `video_a` once for each account, that of the owner first.',
  example: { data: [EXAMPLE] },
})
export type ConferencingAccounts = z.output<typeof ConferencingAccounts>

export const ZoomAnswer = z
  .object({
    received: z.boolean().optional().describe('The notification was taken in.'),
    plainToken: z
      .string()
      .optional()
      .describe('What Zoom sent to see whether this address knows the secret.'),
    encryptedToken: z
      .string()
      .optional()
      .describe('The HMAC-SHA256 of `plainToken` with that secret, in hex.'),
  })
  .meta({ id: 'ZoomAnswer', description: 'What Zoom wants to read.', example: { received: true } })
export type ZoomAnswer = z.output<typeof ZoomAnswer>

export const ConferencingParams = z.object({
  // An unknown one is a `bad_request`, so the schema names the list and does not enforce it.
  provider: z.string().meta({ enum: ConferencingProvider.options, example: 'video_a' }),
})

export const DisconnectConferencingQuery = z.object({
  member_id: QueryId.optional().describe('Whose account; the owner if left out.'),
})

export const ConnectConferencingQuery = z.object({
  redirect_url: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .describe(
      'Where the owner is sent afterwards, with `conferencing=connected` or `error` in its query: on one of the `allowed_redirect_hosts` of the organization.',
    ),
  member_id: QueryId.optional().describe('Whose account it becomes; the owner if left out.'),
})
export type ConnectConferencingQuery = z.output<typeof ConnectConferencingQuery>
