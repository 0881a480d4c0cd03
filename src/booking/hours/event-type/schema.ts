import * as z from 'zod'
import { parseTimeOfDay } from '../../../core/local-time.ts'
import {
  CalendarDate,
  DateOrInstant,
  DurationText,
  Id,
  QueryId,
  ResourceId,
  Timestamp,
  TimeZone,
  WholeNumberText,
} from '../../../platform/http/fields.ts'
import { problem } from '../../../platform/reasons/reason.ts'

const TIME = { example: '09:00' }
const EndTime = z
  .string()
  .refine((text) => parseTimeOfDay(text) !== null, problem('not_a_time'))
  .meta({ example: '17:00' })
  .describe('`HH:MM` or `HH:MM:SS`, `24:00` at the latest, and after `start_time`.')
const StartTime = z
  .string()
  .refine((text) => parseTimeOfDay(text) !== null, problem('not_a_time'))
  .meta(TIME)
  .describe('`HH:MM` or `HH:MM:SS`.')

type Span = { readonly start_time: string; readonly end_time: string }

function endsAfterItStarts({ start_time, end_time }: Span): boolean {
  const start = parseTimeOfDay(start_time)
  const end = parseTimeOfDay(end_time)
  return start === null || end === null || end > start
}
const ENDS_AFTER = { path: ['end_time'], error: problem('not_after_start') }

const span = { start_time: StartTime, end_time: EndTime }

export const RuleInput = z
  .object({ day_of_week: z.int().min(0).max(6).describe('0 is Sunday.'), ...span })
  .refine(endsAfterItStarts, ENDS_AFTER)

export const OverrideInput = z.object({
  date: CalendarDate,
  intervals: z
    .array(z.object(span).refine(endsAfterItStarts, ENDS_AFTER))
    .max(50)
    .describe('Empty closes the date.'),
})

const EXAMPLE_RULE = { day_of_week: 1, start_time: '09:00', end_time: '17:00' }
const EXAMPLE_OVERRIDE = { date: '2026-12-24', intervals: [{ start_time: '09:00', end_time: '12:00' }] }

export const RulesInput = z.array(RuleInput).max(100)

export const OverridesInput = z
  .array(OverrideInput)
  .max(366)
  .superRefine((overrides, context) => {
    const seen = new Set<string>()
    for (const [at, { date }] of overrides.entries()) {
      if (seen.has(date)) {
        context.addIssue({ code: 'custom', path: [at, 'date'], message: problem('overridden_twice') })
      }
      seen.add(date)
    }
  })

export const PutAvailabilityInput = z
  .object({
    timezone: TimeZone.optional().describe("Becomes the event type's zone."),
    rules: RulesInput,
    overrides: OverridesInput.optional().describe('If left out, the overrides stay as they are.'),
  })
  .meta({
    id: 'PutAvailabilityInput',
    description: 'The hours: weekly rules, and overrides that replace the hours of one date.',
    example: { timezone: 'Europe/Berlin', rules: [EXAMPLE_RULE], overrides: [EXAMPLE_OVERRIDE] },
  })
export type PutAvailabilityInput = z.output<typeof PutAvailabilityInput>

const ID = '0192f1e0-7c11-7000-8000-3b1f0a5d9c42'
const AT = '2026-03-01T09:00:00.000Z'

export const AvailabilityRules = z
  .object({
    event_type_id: ResourceId,
    timezone: z.string(),
    rules: z.array(
      z.object({
        id: ResourceId,
        event_type_id: ResourceId,
        day_of_week: z.int(),
        start_time: z.string(),
        end_time: z.string(),
        created_at: Timestamp,
      }),
    ),
    overrides: z.array(
      z.object({
        id: ResourceId,
        date: z.string(),
        intervals: z.array(z.object({ start_time: z.string(), end_time: z.string() })),
        created_at: Timestamp,
      }),
    ),
  })
  .meta({
    id: 'AvailabilityRules',
    description: 'The hours of an event type, as wall-clock times in its zone.',
    example: {
      event_type_id: ID,
      timezone: 'Europe/Berlin',
      rules: [{ id: ID, event_type_id: ID, ...EXAMPLE_RULE, created_at: AT }],
      overrides: [{ id: ID, ...EXAMPLE_OVERRIDE, created_at: AT }],
    },
  })
export type AvailabilityRules = z.output<typeof AvailabilityRules>

export const AvailabilityParams = z.object({ id: Id })

export const MAX_DAYS = 31

const OfMove = {
  booking_id: QueryId.optional().describe(
    'A booking that moves, with a key or its token: its own time, seats and place in a cap are left out, and its length is the default.',
  ),
  token: z.string().optional().describe("The booking's cancel token."),
}

export const AvailabilityQuery = z.object({
  event_type_id: QueryId,
  start: CalendarDate.describe('The first date, in `timezone`.'),
  end: CalendarDate.describe(`The last date, in \`timezone\`; at most ${MAX_DAYS} days in all.`),
  timezone: TimeZone.describe('The zone that the dates are in.'),
  duration: DurationText,
  hold_token: z
    .string()
    .optional()
    .describe('The token of a hold: its own start is listed too. An invalid token changes nothing.'),
  ...OfMove,
  member_id: QueryId.optional().describe(
    'The host who must take it: with a key, or if `host_choice` is not `none`.',
  ),
})
export type AvailabilityQuery = z.output<typeof AvailabilityQuery>

export const Availability = z
  .object({
    event_type_id: ResourceId,
    timezone: z.string(),
    start: z.string(),
    end: z.string(),
    slots: z.array(
      z.object({
        start_time: Timestamp,
        end_time: Timestamp,
        spots_remaining: z.int().optional().describe('Seats left, if bookings share a session.'),
        total_capacity: z.int().optional().describe('All seats, if bookings share a session.'),
      }),
    ),
    waitlist_slots: z
      .array(z.object({ start_time: Timestamp, end_time: Timestamp }))
      .optional()
      .describe('With the waitlist on: the full slots, which can be waited for.'),
    capped: z
      .literal(true)
      .optional()
      .describe('Present when the booking cap of a period in the range is reached.'),
    plan_limit: z
      .literal(true)
      .optional()
      .describe(
        "Present when the plan's bookings of this UTC month are used up: nothing can be booked until it ends.",
      ),
    next_available: Timestamp.nullable()
      .optional()
      .describe(
        'Present when `slots` is empty: the first start after the range that can be booked, within 366 days of today. Null with `plan_limit`.',
      ),
  })
  .meta({
    id: 'Availability',
    description: 'Open slots, ascending. Each of them can be booked.',
    example: {
      event_type_id: ID,
      timezone: 'America/New_York',
      start: '2026-03-09',
      end: '2026-03-15',
      slots: [{ start_time: '2026-03-09T13:00:00.000Z', end_time: '2026-03-09T13:30:00.000Z' }],
    },
  })
export type Availability = z.output<typeof Availability>

const MAX_SEARCHED = 20

export const SearchQuery = z.object({
  event_type_ids: z
    .string()
    .transform((text) => [...new Set(text.toLowerCase().split(','))])
    .refine((ids) => !ids.includes(''), problem('empty'))
    .refine((ids) => ids.length <= MAX_SEARCHED, problem('too_many', { most: MAX_SEARCHED }))
    .describe(`Up to ${MAX_SEARCHED} ids.`)
    .meta({ type: 'array', items: { type: 'string' }, maxItems: MAX_SEARCHED, example: [ID] }),
  from: DateOrInstant.describe('The earliest start. A date is the instant at which it begins in `timezone`.'),
  to: DateOrInstant.describe(
    `Starts lie before it, a date as in \`from\`: at most ${MAX_DAYS} days after \`from\`.`,
  ),
  timezone: TimeZone.optional().describe('The zone of the dates; required if a date is sent.'),
  limit: WholeNumberText(1, 100).prefault('10').describe('How many starts to return.'),
  ...OfMove,
})
export type SearchQuery = z.output<typeof SearchQuery>

export const SoonestStarts = z
  .object({
    data: z.array(
      z.object({
        event_type_id: ResourceId,
        start_time: Timestamp,
        end_time: Timestamp,
        spots_remaining: z.int().optional().describe('Seats left, if bookings share a session.'),
      }),
    ),
    plan_limit: z
      .literal(true)
      .optional()
      .describe("Present when the plan's bookings of this UTC month are used up for one of the event types."),
  })
  .meta({
    id: 'SoonestStarts',
    description:
      'Starts that can be booked, soonest first; at the same instant in the order of `event_type_ids`.',
    example: {
      data: [
        {
          event_type_id: ID,
          start_time: '2026-03-09T13:00:00.000Z',
          end_time: '2026-03-09T13:30:00.000Z',
        },
      ],
    },
  })
export type SoonestStarts = z.output<typeof SoonestStarts>
