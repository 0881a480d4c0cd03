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
      "The member of the account; null if none is connected. Meetings of members without an account use the owner's.",
    ),
    connected: z.boolean().describe('Whether meetings are created there now.'),
    account_email: z.string().nullable(),
    status: ConnectionStatus.nullable().describe(
      'Null if nothing is connected. `error`: the last meeting could not be created; it is retried.',
    ),
    error: z.string().nullable(),
    connected_at: Timestamp.nullable(),
  })
  .meta({
    id: 'ConferencingAccount',
    description:
      'Where the meetings of bookings are created. Those of calendar suites come with their calendars.',
    example: EXAMPLE,
  })
export type ConferencingAccount = z.output<typeof ConferencingAccount>

export const ConferencingAccounts = z.object({ data: z.array(ConferencingAccount) }).meta({
  id: 'ConferencingAccounts',
  description: "Every meeting provider; `video_a` once for each account, the owner's first.",
  example: { data: [EXAMPLE] },
})
export type ConferencingAccounts = z.output<typeof ConferencingAccounts>

export const ZoomAnswer = z
  .object({
    received: z.boolean().optional().describe('The notification was accepted.'),
    plainToken: z
      .string()
      .optional()
      .describe('The token with which Zoom checks that this address knows the secret.'),
    encryptedToken: z
      .string()
      .optional()
      .describe('The HMAC-SHA256 of `plainToken` with that secret, in hex.'),
  })
  .meta({ id: 'ZoomAnswer', description: 'The response that Zoom expects.', example: { received: true } })
export type ZoomAnswer = z.output<typeof ZoomAnswer>

export const ConferencingParams = z.object({
  // An unknown one is a `bad_request`, so the schema names the list and does not enforce it.
  provider: z.string().meta({ enum: ConferencingProvider.options, example: 'video_a' }),
})

export const DisconnectConferencingQuery = z.object({
  member_id: QueryId.optional().describe(
    'The member of the account. Default: the owner; for members below admin themselves, and nobody else is allowed.',
  ),
})

export const ConnectConferencingQuery = z.object({
  redirect_url: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .describe(
      'Where the owner is redirected afterwards, with `conferencing=connected` or `error` in its query: on one of the `allowed_redirect_hosts` of the organization.',
    ),
  member_id: QueryId.optional().describe(
    'The member of the new account. Default: the owner; for members below admin themselves, and nobody else is allowed.',
  ),
})
export type ConnectConferencingQuery = z.output<typeof ConnectConferencingQuery>
