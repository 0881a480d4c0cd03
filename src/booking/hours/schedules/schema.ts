import * as z from 'zod'
import {
  CalendarDate,
  Id,
  OneLine,
  QueryId,
  ResourceId,
  Timestamp,
  TimeZone,
} from '../../../platform/http/fields.ts'
import { ExpectedUpdatedAt } from '../../../platform/http/if-match.ts'
import { PageQuery, pageOf } from '../../../platform/http/page-schema.ts'
import { OverridesInput, RulesInput } from '../event-type/schema.ts'

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c47',
  name: 'Mornings',
  timezone: 'Europe/Berlin',
  rules: [{ day_of_week: 1, start_time: '08:00', end_time: '12:00' }],
  overrides: [{ date: '2026-12-24', intervals: [] }],
  member_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46',
  is_default: true,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
}

export const Schedule = z
  .object({
    id: ResourceId,
    name: z.string(),
    timezone: z.string().describe('The zone of its times and dates.'),
    rules: z.array(z.object({ day_of_week: z.int(), start_time: z.string(), end_time: z.string() })),
    overrides: z
      .array(
        z.object({
          date: CalendarDate,
          intervals: z.array(z.object({ start_time: z.string(), end_time: z.string() })),
        }),
      )
      .describe('The hours that replace those of a date, by date; without intervals the date is closed.'),
    member_id: ResourceId.nullable().describe(
      "The member whose hours these are; null for the organization's.",
    ),
    is_default: z
      .boolean()
      .describe(
        "Whether these are the member's default hours. The organization's are those of event types without `schedule_id` until hours are put on them.",
      ),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'Schedule',
    description: 'Named working hours with their own zone.',
    example: EXAMPLE,
  })
export type Schedule = z.output<typeof Schedule>

export const SchedulePage = pageOf(Schedule, 'SchedulePage')

const Name = OneLine(255)

export const CreateScheduleInput = z
  .object({
    name: Name,
    timezone: TimeZone.optional().describe("If left out, the member's zone, else the organization's."),
    rules: RulesInput,
    overrides: OverridesInput.optional(),
    member_id: Id.nullable()
      .optional()
      .describe("The member whose hours these are; if left out or null, the organization's."),
    is_default: z
      .boolean()
      .optional()
      .describe('True replaces the default of the member or the organization. If left out, false.'),
  })
  .meta({
    id: 'CreateScheduleInput',
    description: 'New hours: weekly rules, and overrides that replace the hours of one date.',
    example: {
      name: EXAMPLE.name,
      timezone: EXAMPLE.timezone,
      rules: EXAMPLE.rules,
      overrides: EXAMPLE.overrides,
      member_id: EXAMPLE.member_id,
      is_default: true,
    },
  })
export type CreateScheduleInput = z.output<typeof CreateScheduleInput>

export const UpdateScheduleInput = z
  .object({
    name: Name.optional(),
    timezone: TimeZone.optional(),
    rules: RulesInput.optional(),
    overrides: OverridesInput.optional(),
    is_default: z
      .boolean()
      .optional()
      .describe('True replaces the default of the member or the organization.'),
    updated_at: ExpectedUpdatedAt,
  })
  .meta({
    id: 'UpdateScheduleInput',
    description: 'The fields to change. Omitted fields stay as they are.',
    example: { name: 'Afternoons', rules: [{ day_of_week: 1, start_time: '13:00', end_time: '17:00' }] },
  })
export type UpdateScheduleInput = z.output<typeof UpdateScheduleInput>

export const ScheduleQuery = PageQuery.extend({ member_id: QueryId.optional() })
export type ScheduleQuery = z.output<typeof ScheduleQuery>

export const ScheduleParams = z.object({ id: Id })
