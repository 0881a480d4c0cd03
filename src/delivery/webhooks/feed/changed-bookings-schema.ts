import * as z from 'zod'
import { AssignedHost } from '../../../booking/bookings/people-schema.ts'
import { Booking } from '../../../booking/bookings/schema.ts'
import { Series, SkippedStart } from '../../../booking/series/schema.ts'
import { ResourceId, Timestamp } from '../../../platform/http/fields.ts'
import { EXAMPLE, envelope } from './envelope-schema.ts'

// Events of bookings that say more than the booking.

const BOOKING_EXAMPLE = Booking.meta()!.example as z.output<typeof Booking>
const SERIES_EXAMPLE = Series.meta()!.example as z.output<typeof Series>

const MOVED = {
  status: 'rescheduled' as const,
  start_time: '2026-03-10T13:00:00.000Z',
  end_time: '2026-03-10T13:30:00.000Z',
  rescheduled_at: EXAMPLE.created_at,
  previous_start_time: BOOKING_EXAMPLE.start_time,
}
export const RESCHEDULED_EXAMPLE = {
  ...EXAMPLE,
  event: 'booking.rescheduled' as const,
  data: { ...BOOKING_EXAMPLE, ...MOVED },
  previous: { start_time: BOOKING_EXAMPLE.start_time, end_time: BOOKING_EXAMPLE.end_time },
}

export const BookingRescheduled = z
  .object({
    ...envelope,
    event: z.literal('booking.rescheduled'),
    data: Booking,
    previous: z
      .object({ start_time: Timestamp, end_time: Timestamp })
      .describe('Where the booking was before.'),
  })
  .meta({
    id: 'BookingRescheduledEvent',
    description: 'A booking was rescheduled.',
    example: RESCHEDULED_EXAMPLE,
  })

const NEW_HOST = {
  member_id: EXAMPLE.id,
  user_id: 'user_2',
  email: 'grace@example.com',
  name: 'Grace Hopper',
}

export const BookingReassigned = z
  .object({
    ...envelope,
    event: z.literal('booking.reassigned'),
    data: Booking,
    previous_host: AssignedHost.nullable().describe('The host who gave it up; null if it had none.'),
  })
  .meta({
    id: 'BookingReassignedEvent',
    description: 'Another host got a booking at the same time.',
    example: {
      ...EXAMPLE,
      event: 'booking.reassigned' as const,
      data: { ...BOOKING_EXAMPLE, assigned_host: NEW_HOST, hosts: [NEW_HOST] },
      previous_host: BOOKING_EXAMPLE.assigned_host,
    },
  })

export const BookingUpdated = z
  .object({
    ...envelope,
    event: z.literal('booking.updated'),
    data: Booking,
    changed: z.array(z.string()).describe('The names of the fields that changed.'),
  })
  .meta({
    id: 'BookingUpdatedEvent',
    description: 'A booking was changed, not its time: see `changed`.',
    example: {
      ...EXAMPLE,
      event: 'booking.updated' as const,
      data: { ...BOOKING_EXAMPLE, location: 'Room 4' },
      changed: ['location'],
    },
  })

const OUT_OF_SYNC = { start_time: '2026-03-09T15:00:00.000Z', end_time: '2026-03-09T15:30:00.000Z' }

export const BookingOutOfSync = z
  .object({
    ...envelope,
    event: z.literal('booking.out_of_sync'),
    data: Booking,
    event_start: Timestamp.describe('When the calendar event starts.'),
    event_end: Timestamp.describe('When it ends.'),
  })
  .meta({
    id: 'BookingOutOfSyncEvent',
    description: 'Somebody moved the calendar event of a booking, which keeps its time.',
    example: {
      ...EXAMPLE,
      event: 'booking.out_of_sync' as const,
      data: { ...BOOKING_EXAMPLE, out_of_sync: OUT_OF_SYNC },
      event_start: OUT_OF_SYNC.start_time,
      event_end: OUT_OF_SYNC.end_time,
    },
  })

export const SeriesCreated = z
  .object({
    ...envelope,
    event: z.literal('series.created'),
    data: z.object({
      id: ResourceId,
      event_type_id: ResourceId,
      bookings: z.array(ResourceId).describe('Its bookings, by start.'),
      skipped: z.array(SkippedStart),
    }),
  })
  .meta({
    id: 'SeriesCreatedEvent',
    description: 'Several starts were booked together. The events of the bookings follow.',
    example: {
      ...EXAMPLE,
      event: 'series.created' as const,
      data: {
        id: SERIES_EXAMPLE.id,
        event_type_id: SERIES_EXAMPLE.event_type_id,
        bookings: SERIES_EXAMPLE.bookings.map(({ id }) => id),
        skipped: SERIES_EXAMPLE.skipped,
      },
    },
  })
