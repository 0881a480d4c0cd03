import * as z from 'zod'
import { DateOrInstant, QueryId, ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { BookingStatus } from '../bookings/schema.ts'

export const AgendaQuery = z.object({
  from: DateOrInstant.describe(
    "When it begins: a date in the organization's time zone, or an instant. What overlaps is shown.",
  ),
  to: DateOrInstant.describe(
    'When it ends: a date, which is included, or an instant, which is not. At most 42 days after `from`.',
  ),
  member_id: QueryId.optional().describe('Only what this member hosts, alone or with others.'),
  event_type_id: QueryId.optional().describe('Only what this event type and its hosts have.'),
  resource_id: QueryId.optional().describe('Only what takes a unit of this room or equipment.'),
})
export type AgendaQuery = z.output<typeof AgendaQuery>

const HOST =
  'The host it is assigned to; null without one. If several host it together, `together` lists them.'

const fields = {
  id: ResourceId,
  event_type_id: ResourceId,
  member_id: ResourceId.nullable().describe(HOST),
  start_time: Timestamp,
  end_time: Timestamp,
}
const invitee_name = z.string().describe('At most 70 bytes; longer names end with an ellipsis.')

const member_id = ResourceId.nullable().describe('Null if it is not about one member.')
const resource_id = ResourceId.nullable().describe('The room or equipment; null if it is not about one.')

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c43',
  event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  member_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c46',
  start_time: '2026-03-09T13:00:00.000Z',
  end_time: '2026-03-09T13:30:00.000Z',
}

export const Agenda = z
  .object({
    bookings: z
      .array(z.object({ ...fields, status: BookingStatus, invitee_name }))
      .describe('Active bookings, without seats and requests. Each is at most 350 bytes.'),
    sessions: z
      .array(
        z.object({
          ...fields,
          seats: z.int().describe('How many seats the event type has.'),
          taken: z.int().describe('How many of them are booked or held.'),
          booking_ids: z.array(ResourceId).describe('Its active bookings, the oldest first.'),
        }),
      )
      .describe('The starts of group event types, with the seats that are booked or held.'),
    requests: z
      .array(
        z.object({
          ...fields,
          invitee_name,
          expires_at: Timestamp.describe('Until when it can be approved.'),
        }),
      )
      .describe('Bookings that await approval. A requested seat is in its session, too.'),
    holds: z
      .array(z.object({ ...fields, seats: z.int(), expires_at: Timestamp }))
      .describe('Time and seats that are held until a deadline. A held seat is in its session, too.'),
    time_off: z.array(
      z.object({
        id: ResourceId,
        member_id,
        resource_id,
        start_time: Timestamp,
        end_time: Timestamp,
        reason: z.string().nullable(),
      }),
    ),
    busy: z
      .array(
        z.object({
          member_id,
          resource_id,
          calendar_connection_id: ResourceId,
          start_time: Timestamp,
          end_time: Timestamp,
        }),
      )
      .describe('When connected calendars are busy, as they were last read, without titles.'),
    open_hours: z
      .array(
        z.object({
          member_id: ResourceId.optional(),
          event_type_id: ResourceId.optional(),
          start_time: Timestamp,
          end_time: Timestamp,
        }),
      )
      .describe(
        'Hours before time off: when a member can be booked for any of their event types, and the hours of event types without hosts. Each has one of the two ids.',
      ),
    together: z
      .array(z.object({ id: ResourceId, member_ids: z.array(ResourceId) }))
      .describe('The members who host a booking, a session, a request or a hold together, by its id.'),
  })
  .meta({
    id: 'Agenda',
    description: 'Everything in a range of days, each list sorted by start. Cancelled bookings are left out.',
    example: {
      bookings: [{ ...EXAMPLE, status: 'confirmed', invitee_name: 'Ada Lovelace' }],
      sessions: [],
      requests: [],
      holds: [],
      time_off: [],
      busy: [
        {
          member_id: EXAMPLE.member_id,
          resource_id: null,
          calendar_connection_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c47',
          start_time: '2026-03-09T15:00:00.000Z',
          end_time: '2026-03-09T16:00:00.000Z',
        },
      ],
      open_hours: [
        {
          member_id: EXAMPLE.member_id,
          start_time: '2026-03-09T08:00:00.000Z',
          end_time: '2026-03-09T16:00:00.000Z',
        },
      ],
      together: [],
    },
  })
export type Agenda = z.output<typeof Agenda>
