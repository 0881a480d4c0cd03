import * as z from 'zod'
import {
  CalendarDate,
  DurationText,
  Id,
  QueryId,
  ResourceId,
  StartTime,
  Timestamp,
  TimeZone,
  WholeNumberText,
} from '../../../platform/http/fields.ts'
import { Reason } from '../../bookable/schema.ts'

export const ExplanationParams = z.object({ id: Id })

const ID = '0192f1e0-7c11-7000-8000-3b1f0a5d9c42'
const START = '2026-03-09T13:00:00.000Z'
const END = '2026-03-09T13:30:00.000Z'

export const ExplanationQuery = z.object({
  start_time: StartTime.optional().describe('The start to explain. Either this, or `date` and `timezone`.'),
  date: CalendarDate.optional().describe('The day to explain, in `timezone`.'),
  timezone: TimeZone.optional().describe('The zone of `date`.'),
  duration: DurationText.describe("Minutes. Default: the event type's own duration."),
  seats: WholeNumberText(1, 100_000).optional().describe('The number of attendees. Default: 1.'),
  booking_id: QueryId.optional().describe(
    'A booking that moves, with a key or its token: its own time, seats and place in a cap are left out, and its length and seats are the defaults.',
  ),
  token: z.string().optional().describe("The booking's cancel token, in place of a key."),
  member_id: QueryId.optional().describe('The host who must take it.'),
  hosts: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe(
      'Whether a day with several hosts lists the reasons of each host, with what has their time. It is long for a large team. Default: false: each reason once.',
    ),
})
export type ExplanationQuery = z.output<typeof ExplanationQuery>

const Reasons = z.array(Reason)
const REASONS = [{ code: 'booked', message: 'A booking has this time, with its buffers.', booking_id: ID }]

export const StartExplanation = z
  .object({
    event_type_id: ResourceId,
    start_time: Timestamp,
    end_time: Timestamp,
    bookable: z.boolean().describe('Whether this start could be booked now.'),
    reasons: Reasons.describe('Every reason against it; empty exactly if it is bookable.'),
    hosts: z
      .array(z.object({ member_id: ResourceId, bookable: z.boolean(), reasons: Reasons }))
      .describe('The reasons for each host. With a strategy, one bookable host is enough.'),
    alternatives: z.array(Timestamp).describe('Up to three next open starts if this one is closed.'),
  })
  .meta({
    id: 'StartExplanation',
    description: 'Whether a start can be booked, and if not, why.',
    example: {
      event_type_id: ID,
      start_time: START,
      end_time: END,
      bookable: false,
      reasons: REASONS,
      hosts: [{ member_id: ID, bookable: false, reasons: REASONS }],
      alternatives: [END],
    },
  })
export type StartExplanation = z.output<typeof StartExplanation>

const Times = { start_time: Timestamp, end_time: Timestamp }

export const DayExplanation = z
  .object({
    date: z.string().meta({ format: 'date', example: '2026-03-09' }),
    timezone: z.string(),
    open: z.array(z.object(Times)).describe('Time within bookable slots; touching slots are joined.'),
    closed: z
      .array(z.object({ ...Times, reasons: Reasons }))
      .describe('The rest of the day, with the reasons of a start then.'),
  })
  .meta({
    id: 'DayExplanation',
    description: 'The open time of a day, and why the rest is closed: together the whole day.',
    example: {
      date: '2026-03-09',
      timezone: 'UTC',
      open: [{ start_time: END, end_time: '2026-03-10T00:00:00.000Z' }],
      closed: [{ start_time: '2026-03-09T00:00:00.000Z', end_time: END, reasons: REASONS }],
    },
  })
export type DayExplanation = z.output<typeof DayExplanation>

export const Explanation = z.union([StartExplanation, DayExplanation]).meta({
  id: 'Explanation',
  description: 'The explained start or day.',
  example: {
    date: '2026-03-09',
    timezone: 'UTC',
    open: [{ start_time: END, end_time: '2026-03-10T00:00:00.000Z' }],
    closed: [{ start_time: '2026-03-09T00:00:00.000Z', end_time: END, reasons: REASONS }],
  },
})
export type Explanation = z.output<typeof Explanation>
