import * as z from 'zod'
import { RESOURCE_TYPES } from '../../platform/db/schema/records.ts'
import { Filter, ResourceId, Several, Timestamp } from '../../platform/http/fields.ts'
import { PageQuery, pageOf } from '../../platform/http/page-schema.ts'
import { problem } from '../../platform/reasons/reason.ts'

export const ResourceType = z
  .enum(RESOURCE_TYPES)
  .meta({ id: 'ResourceType', description: 'The kind of thing that was changed.' })
export type ResourceType = z.output<typeof ResourceType>

export const ActivityEntry = z
  .object({
    id: ResourceId,
    actor_type: z.enum(['api_key', 'service', 'user', 'invitee', 'system']),
    actor_id: z.string().nullable().describe('A user id or the id of an API key.'),
    action: z.string(),
    resource_type: ResourceType,
    resource_id: z.string().nullable(),
    changes: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The values that were set; a pair is the value before and after.'),
    ip_address: z.string().nullable(),
    request_id: z.string().nullable().describe("The response's `X-Request-Id`."),
    is_test: z.boolean(),
    created_at: Timestamp,
  })
  .meta({
    id: 'ActivityEntry',
    description: 'One change of state: the action, its actor and their address.',
    example: {
      id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      actor_type: 'api_key',
      actor_id: '0192f1e0-7c11-7000-8000-77a1c0de4b21',
      action: 'booking.cancelled',
      resource_type: 'booking' as const,
      resource_id: '0192f1e0-7c11-7000-8000-5e2c4b7a9d10',
      changes: { status: ['confirmed', 'cancelled'], reason: null },
      ip_address: '192.0.2.7',
      request_id: '0192f1e0-7c11-7000-8000-0d9c423b1f0a',
      is_test: false,
      created_at: '2026-03-01T09:00:00.000Z',
    },
  })
export type ActivityEntry = z.output<typeof ActivityEntry>

export const ActivityPage = pageOf(ActivityEntry, 'ActivityPage')

const Action = z.string().regex(/^[a-z_]+\.[a-z_]+$/, problem('not_an_action'))

export const ActivityQuery = PageQuery.extend({
  action: Several(Action, { type: 'string' }).describe('Such as `booking.cancelled`.'),
  resource_type: ResourceType.optional(),
  resource_id: Filter,
})
export type ActivityQuery = z.output<typeof ActivityQuery>
