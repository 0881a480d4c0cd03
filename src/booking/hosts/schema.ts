import * as z from 'zod'
import { Id, ResourceId, Timestamp } from '../../platform/http/fields.ts'

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c45',
  event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  member_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46',
  member_email: 'grace@example.com',
  name: 'Grace Hopper',
  priority: 50,
  weight: 100,
  part: 'pool' as const,
  schedule_id: null,
  total_bookings: 12,
  last_booking_at: '2026-03-01T09:00:00.000Z',
  has_calendar: false,
  created_at: '2026-02-01T09:00:00.000Z',
}

const writable = {
  priority: z.int().min(1).max(100).describe('1 comes first; ties go to the older host.'),
  weight: z.int().min(1).max(1000).describe("The host's share among equals with `availability_weighted`."),
  part: z
    .enum(['pool', 'required'])
    .describe(
      "With a strategy: whether the host is one of the pool, of whom the event type's `pool_size` take part, or takes part in every booking.",
    ),
  schedule_id: Id.nullable().describe(
    "When the host works here: a schedule of the organization or the member's own. Null is the member's default schedule.",
  ),
}

export const AddHostInput = z
  .object({
    member_id: Id.describe('A member of the organization.'),
    priority: writable.priority.default(50),
    weight: writable.weight.default(100),
    part: writable.part.default('pool'),
    schedule_id: writable.schedule_id
      .default(null)
      .describe(
        "When the host works here: a schedule of the organization or the member's own. Null is the member's default schedule. Default: null.",
      ),
  })
  .meta({
    id: 'AddHostInput',
    description: 'The member who hosts the event type.',
    example: { member_id: EXAMPLE.member_id, priority: 50, weight: 100 },
  })
export type AddHostInput = z.output<typeof AddHostInput>

export const UpdateHostInput = z
  .object(writable)
  .partial()
  .meta({ id: 'UpdateHostInput', description: 'The fields to change.', example: { priority: 10 } })
export type UpdateHostInput = z.output<typeof UpdateHostInput>

export const Host = z
  .object({
    id: ResourceId,
    event_type_id: ResourceId,
    member_id: ResourceId,
    member_email: z.string(),
    name: z.string().nullable().describe('Null without a name.'),
    priority: z.int(),
    weight: z.int(),
    part: z.enum(['pool', 'required']),
    schedule_id: ResourceId.nullable().describe(
      "When the host works here; null is the member's default schedule.",
    ),
    total_bookings: z.int().describe('How many bookings the host was given here, cancelled ones included.'),
    last_booking_at: Timestamp.nullable().describe('When the host was last given a booking.'),
    has_calendar: z.boolean().describe('Whether a calendar of the member is connected.'),
    created_at: Timestamp,
  })
  .meta({ id: 'Host', description: 'A member who hosts an event type.', example: EXAMPLE })
export type Host = z.output<typeof Host>

export const HostList = z.object({ data: z.array(Host) }).meta({
  id: 'HostList',
  description: 'The hosts of an event type, sorted by priority, then age.',
  example: { data: [EXAMPLE] },
})

export const HostsParams = z.object({ id: Id })
export const HostParams = z.object({ id: Id, hostId: Id })
