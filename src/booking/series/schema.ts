import * as z from 'zod'
import { MOST_IN_SERIES } from '../../core/weekly-starts.ts'
import { REASON_CODES } from '../../engine/schedule/reason-codes.ts'
import { Id, Instant, ResourceId, StartTime, Timestamp } from '../../platform/http/fields.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { CreateBookingInput, Notify, Reason } from '../bookings/input-schema.ts'
import { Booking, CreatedBooking } from '../bookings/schema.ts'

const {
  start_time: _,
  expected_amount: __,
  expected_currency: ___,
  override: ____,
  ...ofInvitee
} = CreateBookingInput.shape

/** What belongs to `count`, not to `starts`. */
const WEEKLY = ['start_time', 'every_weeks', 'count'] as const

export const CreateSeriesInput = z
  .object({
    ...ofInvitee,
    start_time: StartTime.optional().describe('The first start. Required with `count`.'),
    every_weeks: z
      .int()
      .min(1)
      .max(8)
      .optional()
      .describe('Weeks from one start to the next, with `count`. Default: 1.'),
    count: z
      .int()
      .min(2)
      .max(MOST_IN_SERIES)
      .optional()
      .describe(
        "The number of starts, at the same wall-clock time in the event type's zone. Required unless `starts` is sent.",
      ),
    starts: z
      .array(StartTime)
      .min(2)
      .max(MOST_IN_SERIES)
      .optional()
      .describe('The starts themselves, in any order, instead of `start_time` and `count`.'),
    on_conflict: z
      .enum(['fail', 'skip'])
      .default('fail')
      .describe(
        'If not all starts are open: `fail` books none of them, `skip` books the others, but at least one.',
      ),
  })
  .superRefine(({ starts, ...input }, context) => {
    const wrong = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (starts !== undefined) {
      for (const field of WEEKLY) {
        if (input[field] !== undefined) wrong(field, problem('not_together', { other: 'starts' }))
      }
      if (new Set(starts).size < starts.length) wrong('starts', problem('overlapping_starts'))
      return
    }
    for (const field of ['start_time', 'count'] as const) {
      if (input[field] === undefined) wrong(field, problem('required'))
    }
  })
  .meta({
    id: 'CreateSeriesInput',
    description: 'The starts to book together and their invitee.',
    example: {
      event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      start_time: '2026-03-09T13:00:00Z',
      every_weeks: 1,
      count: 10,
      on_conflict: 'skip',
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
      invitee_timezone: 'Europe/London',
    },
  })
export type CreateSeriesInput = z.output<typeof CreateSeriesInput>

const SERIES_CODES = [...REASON_CODES, 'invitee_limit_reached', 'already_booked'] as const
export type SeriesCode = (typeof SERIES_CODES)[number]

export const SkippedStart = z
  .object({
    start_time: Timestamp,
    code: z.enum(SERIES_CODES).describe('Why it is not open, as an explanation says it.'),
  })
  .meta({ id: 'SkippedStart', description: 'A start that was not booked.' })

const id = ResourceId
const event_type_id = ResourceId
const skipped = z.array(SkippedStart).describe('The starts that were not open when it was made.')

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c50',
  event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
}
const BOOKING_EXAMPLE = {
  ...(Booking.meta()!.example as z.output<typeof Booking>),
  series_id: EXAMPLE.id,
}
const SKIPPED_EXAMPLE = [{ start_time: '2026-03-16T13:00:00.000Z', code: 'booked' as const }]

export const Series = z
  .object({
    id,
    event_type_id,
    bookings: z.array(Booking).describe('All its bookings as they are now, by start.'),
    skipped,
  })
  .meta({
    id: 'Series',
    description: 'Bookings that were made together. Each can be moved and cancelled alone.',
    example: { ...EXAMPLE, bookings: [BOOKING_EXAMPLE], skipped: SKIPPED_EXAMPLE },
  })
export type Series = z.output<typeof Series>

export const CreatedSeries = z
  .object({
    id,
    event_type_id,
    bookings: z.array(CreatedBooking),
    skipped,
    cancel_token: z
      .string()
      .describe('Lets the invitee read and cancel the series. Each booking has a token of its own.'),
  })
  .meta({
    id: 'CreatedSeries',
    description: 'A new series, with the tokens of its invitee.',
    example: {
      ...EXAMPLE,
      bookings: [
        {
          ...(CreatedBooking.meta()!.example as z.output<typeof CreatedBooking>),
          series_id: EXAMPLE.id,
        },
      ],
      skipped: SKIPPED_EXAMPLE,
      cancel_token: 'x3kY9v1qWk7xYb2mRt8cJd4sHf6gPa1uEo9iTqVyZaB',
    },
  })
export type CreatedSeries = z.output<typeof CreatedSeries>

export const CancelledSeries = z
  .object({
    id,
    bookings: z.array(Booking).describe('All its bookings as they are now, by start.'),
    cancelled: z.array(ResourceId).describe('The bookings that this call cancelled, by start.'),
  })
  .meta({
    id: 'CancelledSeries',
    description: 'A series after its bookings were cancelled.',
    example: { id: EXAMPLE.id, bookings: [BOOKING_EXAMPLE], cancelled: [BOOKING_EXAMPLE.id] },
  })
export type CancelledSeries = z.output<typeof CancelledSeries>

export const CancelSeriesInput = z
  .object({
    from: Instant.optional().describe(
      'Only the bookings that start then or later, where they are now. Default: all that have not begun.',
    ),
    reason: Reason,
    notify: Notify,
  })
  .meta({
    id: 'CancelSeriesInput',
    description: 'From when, and the reason.',
    example: { from: '2026-04-01T00:00:00Z', reason: 'I have moved away.' },
  })

export const SeriesParams = z.object({ id: Id })
export const SeriesTokenQuery = z.object({
  token: z.string().optional().describe("The series' cancel token, instead of a key."),
})
