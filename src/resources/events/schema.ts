import { z } from 'zod'
import { ResourceId, Timestamp, WholeNumberText } from '../../http/fields.ts'
import { EVENT_KINDS } from './record-event.ts'

export const EventKind = z.enum(EVENT_KINDS)

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  event: 'booking.rescheduled' as const,
  created_at: '2026-03-02T09:00:00.000Z',
  organization_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c43',
  is_test: false,
  sequence: 42,
  data: {
    id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c44',
    status: 'rescheduled',
    start_time: '2026-03-10T13:00:00.000Z',
    end_time: '2026-03-10T13:30:00.000Z',
  },
  previous: { start_time: '2026-03-09T13:00:00.000Z', end_time: '2026-03-09T13:30:00.000Z' },
}

export const ServiceEvent = z
  .object({
    id: ResourceId,
    event: EventKind,
    created_at: Timestamp,
    organization_id: ResourceId,
    is_test: z.boolean(),
    sequence: z
      .int()
      .describe('Grows by one with every event of the organization, live and test counted apart.'),
    data: z
      .record(z.string(), z.unknown())
      .describe('The booking or waitlist entry as it was then, without tokens.'),
    previous: z
      .object({ start_time: Timestamp, end_time: Timestamp })
      .optional()
      .describe('Where a rescheduled booking was before.'),
  })
  .meta({
    id: 'Event',
    description: 'Something that happened; the body of a webhook and an entry of the feed.',
    example: EXAMPLE,
  })
export type ServiceEvent = z.output<typeof ServiceEvent>

export const EventFeed = z.object({ data: z.array(ServiceEvent), has_more: z.boolean() }).meta({
  id: 'EventFeed',
  description: 'Events in the order in which they happened. Ask for the next ones with `after`.',
  example: { data: [EXAMPLE], has_more: false },
})

export const FeedQuery = z.object({
  after: z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text), 'Is no sequence.')
    .transform(Number)
    .default(0)
    .meta({ type: 'integer', minimum: 0 })
    .describe('The sequence of the last event seen.'),
  limit: WholeNumberText(1, 100).default(20).describe('How many events to answer with.'),
})
