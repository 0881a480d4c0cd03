import * as z from 'zod'
import { DateOrInstant, Id, ResourceId, StartTime, Timestamp } from '../../platform/http/fields.ts'
import { Notify, Override, Reason } from '../bookings/input-schema.ts'
import { AssignedHost } from '../bookings/people-schema.ts'

const fields = {
  id: ResourceId,
  start_time: Timestamp,
  end_time: Timestamp,
  assigned_host: AssignedHost.nullable(),
  hosts: z.array(AssignedHost).describe('Everybody who hosts it.'),
  booking_ids: z.array(ResourceId).describe('Its active bookings, the oldest first.'),
}

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c48',
  start_time: '2026-03-09T13:00:00.000Z',
  end_time: '2026-03-09T14:00:00.000Z',
  assigned_host: null,
  hosts: [],
  booking_ids: ['0192f1e0-7c11-7000-8000-3b1f0a5d9c43'],
}

const ListedSession = z
  .object({
    ...fields,
    seats: z.int().describe('How many seats the event type has.'),
    taken: z.int().describe('How many of them are booked or held.'),
    waiting: z.int().describe('How many waitlist entries are for its start.'),
  })
  .meta({
    id: 'ListedSession',
    description: 'The bookings of a group event type at one start.',
    example: { ...EXAMPLE, seats: 12, taken: 1, waiting: 0 },
  })
export type ListedSession = z.output<typeof ListedSession>

export const SessionList = z.object({ data: z.array(ListedSession) }).meta({
  id: 'SessionList',
  description: 'Sessions, the earliest first.',
  example: { data: [{ ...EXAMPLE, seats: 12, taken: 1, waiting: 0 }] },
})

/** What moving or cancelling a session answers. */
export const Session = z.object(fields).meta({
  id: 'Session',
  description: 'A session and its bookings, all of which were changed.',
  example: EXAMPLE,
})
export type Session = z.output<typeof Session>

export const SessionsParams = z.object({ id: Id })
export const SessionParams = z.object({ id: Id })

export const SessionsQuery = z.object({
  from: DateOrInstant.optional().describe(
    "A date in the event type's time zone, or an instant. Default: now. Sessions that have begun are listed until they end.",
  ),
  to: DateOrInstant.optional().describe(
    'A date, which is included, or an instant, which is not. Default: 31 days after `from`; at most 366.',
  ),
})

export const RescheduleSessionInput = z
  .object({ new_start_time: StartTime, reason: Reason, override: Override, notify: Notify })
  .meta({
    id: 'RescheduleSessionInput',
    description: 'The new start of the session.',
    example: { new_start_time: '2026-03-10T13:00:00Z', reason: 'The room is taken.' },
  })

export const CancelSessionInput = z.object({ reason: Reason, notify: Notify }).meta({
  id: 'CancelSessionInput',
  description: 'The reason.',
  example: { reason: 'The teacher is ill.' },
})
