import * as z from 'zod'
import { DateOrInstant, Id, Lines, QueryId, ResourceId } from '../../../platform/http/fields.ts'
import { PageQuery, pageOf } from '../../../platform/http/page-schema.ts'
import { hasNoNul } from '../../../platform/http/typed-text.ts'
import { problem } from '../../../platform/reasons/reason.ts'
import { refuseEnd } from './period.ts'

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c48',
  member_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46',
  resource_id: null,
  start: '2026-12-24',
  end: '2026-12-26',
  reason: 'Holidays',
  external_id: 'hr-4711',
}
const AFFECTED = ['0192f1e0-7c11-7000-8000-77a1c0de4b21']

const START = "When it begins: an instant, or a date in the member's zone."
const END =
  'When it ends: an instant, or the last date, which is included. Both are instants or both are dates.'

export const TimeOff = z
  .object({
    id: ResourceId,
    member_id: ResourceId.nullable().describe(
      'Null without a `resource_id` is everybody: it closes event types without hosts, and members who join later are off too.',
    ),
    resource_id: ResourceId.nullable().describe(
      'The room or equipment that is closed; null if it is a member or everybody.',
    ),
    start: z.string().describe("As it was sent: an instant, or a date in the member's zone."),
    end: z.string().describe('As it was sent: an instant, or the last date, which is included.'),
    reason: z.string().nullable(),
    external_id: z.string().nullable().describe('Its id in your own system.'),
  })
  .meta({
    id: 'TimeOff',
    description: 'A time when a member is off, or a room or equipment closed, regardless of hours.',
    example: EXAMPLE,
  })
export type TimeOff = z.output<typeof TimeOff>

const AffectedBookings = z
  .array(ResourceId)
  .describe('Every active booking of these members or rooms in this time, soonest first. They stay.')

export const CreatedTimeOff = z.object({ data: z.array(TimeOff), affected_bookings: AffectedBookings }).meta({
  id: 'CreatedTimeOff',
  description: 'The time off of each member, and the bookings in it.',
  example: { data: [EXAMPLE], affected_bookings: AFFECTED },
})
export type CreatedTimeOff = z.output<typeof CreatedTimeOff>

export const UpdatedTimeOff = TimeOff.extend({ affected_bookings: AffectedBookings }).meta({
  id: 'UpdatedTimeOff',
  description: 'The time off, and the bookings in it.',
  example: { ...EXAMPLE, affected_bookings: AFFECTED },
})
export type UpdatedTimeOff = z.output<typeof UpdatedTimeOff>

export const TimeOffPage = pageOf(TimeOff, 'TimeOffPage')

const Reason = Lines(500).min(1).nullable().optional()
const ExternalId = z.string().min(1).max(255).refine(hasNoNul, problem('has_nul')).nullable().optional()

export const CreateTimeOffInput = z
  .object({
    member_ids: z.array(Id).min(1).max(500).optional().describe('The members who are off.'),
    resource_ids: z.array(Id).min(1).max(50).optional().describe('The rooms and equipment that are closed.'),
    all: z
      .boolean()
      .optional()
      .describe(
        'True instead of `member_ids`: every member, also those who join later, and event types without hosts.',
      ),
    start: DateOrInstant.describe(START),
    end: DateOrInstant.describe(END),
    reason: Reason,
    external_id: ExternalId.describe(
      'Its id in your own system. Time off of the same member with the same id is replaced.',
    ),
  })
  .superRefine(({ member_ids: ids, resource_ids: rooms, all, start, end }, context) => {
    const told = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (ids === undefined && rooms === undefined && !all) told('member_ids', problem('required_unless_all'))
    if (ids !== undefined && rooms !== undefined) told('resource_ids', problem('members_and_resources'))
    if ((ids !== undefined || rooms !== undefined) && all) told('all', problem('all_and_members'))
    const wrongEnd = refuseEnd({ start, end })
    if (wrongEnd !== null) told('end', wrongEnd)
  })
  .meta({
    id: 'CreateTimeOffInput',
    description: 'The members who are off, or the rooms that are closed, from when until when.',
    example: {
      member_ids: [EXAMPLE.member_id],
      start: EXAMPLE.start,
      end: EXAMPLE.end,
      reason: EXAMPLE.reason,
    },
  })
export type CreateTimeOffInput = z.output<typeof CreateTimeOffInput>

export const UpdateTimeOffInput = z
  .object({
    start: DateOrInstant.optional().describe(START),
    end: DateOrInstant.optional().describe(END),
    reason: Reason,
    external_id: ExternalId,
  })
  .meta({
    id: 'UpdateTimeOffInput',
    description: 'What to change; null clears a nullable field.',
    example: { end: '2026-12-31' },
  })
export type UpdateTimeOffInput = z.output<typeof UpdateTimeOffInput>

export const TimeOffQuery = PageQuery.extend({
  member_id: QueryId.optional(),
  resource_id: QueryId.optional(),
  from: DateOrInstant.optional().describe(
    "Only time off that ends later. A date is the instant at which it begins in the organization's zone.",
  ),
  to: DateOrInstant.optional().describe('Only time off that begins earlier, or on that date.'),
})
export type TimeOffQuery = z.output<typeof TimeOffQuery>

export const TimeOffParams = z.object({ id: Id })
