import * as z from 'zod'
import { CreatedBy } from '../../outbox/makers/schema.ts'
import { Id, ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { pageOf } from '../../platform/http/page-schema.ts'

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c51',
  member_id: null,
  created_by: { type: 'member' as const, id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46', name: 'Grace Hopper' },
  created_at: '2026-03-01T09:00:00.000Z',
}

export const CalendarFeed = z
  .object({
    id: ResourceId,
    member_id: ResourceId.nullable().describe(
      'The member whose bookings it has; null for all of the organization.',
    ),
    created_by: CreatedBy.nullable().describe(
      "A feed ends with its creator's membership; a feed of other members or of all also ends with the creator's admin role. Null for old ones.",
    ),
    created_at: Timestamp,
  })
  .meta({
    id: 'CalendarFeed',
    description: 'An `.ics` of bookings for calendar programs that subscribe to addresses.',
    example: EXAMPLE,
  })
export type CalendarFeed = z.output<typeof CalendarFeed>

export const CreatedCalendarFeed = CalendarFeed.extend({
  url: z.string().describe('Anyone with this address can read the bookings. It is shown only once.'),
}).meta({
  id: 'CreatedCalendarFeed',
  description: 'A new feed with its address.',
  example: { ...EXAMPLE, url: 'https://holdfast.example/calendar-feeds/6f0c….ics' },
})
export type CreatedCalendarFeed = z.output<typeof CreatedCalendarFeed>

export const CalendarFeedPage = pageOf(CalendarFeed, 'CalendarFeedPage')

export const CreateCalendarFeedInput = z
  .object({
    member_id: Id.nullable()
      .optional()
      .describe("Only bookings that this member hosts; all of the organization's if left out or null."),
  })
  .meta({
    id: 'CreateCalendarFeedInput',
    description: 'A new feed.',
    example: { member_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46' },
  })
export type CreateCalendarFeedInput = z.output<typeof CreateCalendarFeedInput>

export const CalendarFeedParams = z.object({ id: Id })
