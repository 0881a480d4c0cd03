import * as z from 'zod'
import { CalendarDate, TimeZone } from '../../../platform/http/fields.ts'

export const GROUPS = ['day', 'week', 'month', 'event_type', 'member', 'hour_of_week', 'status'] as const
export type GroupBy = (typeof GROUPS)[number]

export const MOST_DAYS = 366

const COUNT = z.int().min(0)

export const ReportQuery = z.object({
  from: CalendarDate.describe("The first date, in the organization's zone."),
  to: CalendarDate.describe(`The last date, which is included: at most ${MOST_DAYS} days in all.`),
  group_by: z.enum(GROUPS).default('day').describe('Default: `day`.'),
})
export type ReportQuery = z.output<typeof ReportQuery>

const ReportGroup = z.object({
  key: z
    .union([z.string(), z.int()])
    .nullable()
    .describe(
      'A date; the Monday of a week; a month such as `2026-03`; an id, null without a host; 0 to 167, where 0 is Monday from 00:00 to 01:00; or a status.',
    ),
  label: z.string().describe('The same as words: a date, a title, a name.'),
  bookings: COUNT.describe('Without cancelled ones, except for `group_by=status`.'),
  cancelled: COUNT,
  no_shows: COUNT.describe('Attendees who did not come.'),
  minutes: COUNT.describe('How long these bookings take together.'),
  revenue: z
    .record(z.string(), z.int())
    .optional()
    .describe(
      'What was paid for them, without what was refunded or lost, per currency and in its smallest unit; cancelled bookings included. Left out below the role `admin`.',
    ),
})

export const UsageReport = z
  .object({
    from: z.string(),
    to: z.string(),
    group_by: z.enum(GROUPS),
    timezone: TimeZone.describe('The zone of the dates and hours: that of the organization.'),
    data: z
      .array(ReportGroup)
      .describe(
        'Times in their order, event types and hosts with the most bookings first. Groups without bookings are left out.',
      ),
  })
  .meta({
    id: 'UsageReport',
    description: "What is booked in a period, by start, in the caller's mode.",
    example: {
      from: '2026-03-01',
      to: '2026-03-31',
      group_by: 'event_type',
      timezone: 'Europe/Berlin',
      data: [
        {
          key: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
          label: 'Intro call',
          bookings: 41,
          cancelled: 4,
          no_shows: 2,
          minutes: 1230,
          revenue: { eur: 164000 },
        },
      ],
    },
  })
export type UsageReport = z.output<typeof UsageReport>
export type ReportGroup = z.output<typeof ReportGroup>
