import * as z from 'zod'
import { Duration, Id, QueryId, ResourceId, StartTime, Timestamp } from '../../platform/http/fields.ts'
import { ChosenHost, CreateBookingInput, Metadata } from '../bookings/input-schema.ts'
import { AssignedHost } from '../bookings/people-schema.ts'
import { NO_PRICE, PRICE_FIELDS } from '../bookings/schema.ts'

const SHORTEST_SECONDS = 30
export const LONGEST_SECONDS = 900
const USUAL_SECONDS = 600

const HoldStatus = z
  .enum(['held', 'confirmed', 'released', 'expired'])
  .meta({ id: 'HoldStatus', description: 'Only `held` takes time; it is `expired` from `expires_at` on.' })

export const CreateHoldInput = z
  .object({
    event_type_id: QueryId,
    start_time: StartTime.describe('An open slot, as GET /v1/availability lists it.'),
    duration: Duration,
    member_id: ChosenHost,
    seats: z
      .int()
      .min(1)
      .max(10_000)
      .default(1)
      .describe('The number of attendees, if bookings share sessions.'),
    ttl_seconds: z
      .int()
      .min(SHORTEST_SECONDS)
      .max(LONGEST_SECONDS)
      .default(USUAL_SECONDS)
      .describe('The duration of the hold, at most until the start.'),
    metadata: Metadata.default({}).describe(
      'For the booking, unless confirm sends other data; at most 16 KiB of JSON.',
    ),
  })
  .meta({
    id: 'CreateHoldInput',
    description: 'The slot to hold, and for how long.',
    example: {
      event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
      start_time: '2026-03-09T13:00:00Z',
      ttl_seconds: 600,
    },
  })
export type CreateHoldInput = z.output<typeof CreateHoldInput>

export const ConfirmHoldInput = CreateBookingInput.omit({
  event_type_id: true,
  start_time: true,
  duration: true,
  metadata: true,
  member_id: true,
  override: true,
})
  .extend({
    metadata: Metadata.optional().describe('Default: that of the hold. At most 16 KiB of JSON.'),
    if_still_free: z
      .boolean()
      .default(false)
      .describe('Whether an expired hold is booked like any open slot, if its time is still free.'),
  })
  .meta({
    id: 'ConfirmHoldInput',
    description: 'The invitee of the held slot.',
    example: {
      invitee_name: 'Ada Lovelace',
      invitee_email: 'ada@example.com',
      invitee_timezone: 'Europe/London',
    },
  })
export type ConfirmHoldInput = z.output<typeof ConfirmHoldInput>

const fields = {
  id: ResourceId,
  event_type_id: ResourceId,
  status: HoldStatus,
  start_time: Timestamp,
  end_time: Timestamp,
  seats: z.int(),
  assigned_host: AssignedHost.nullable(),
  hosts: z.array(AssignedHost).describe('Everybody whose time is held.'),
  ...PRICE_FIELDS,
  expires_at: Timestamp.describe('From this instant on it holds no time.'),
  booking_id: z.string().nullable().describe('The booking that confirming created.'),
  is_test: z.boolean(),
  created_at: Timestamp,
}

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c4a',
  event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  status: 'held' as const,
  start_time: '2026-03-09T13:00:00.000Z',
  end_time: '2026-03-09T13:30:00.000Z',
  seats: 1,
  assigned_host: null,
  hosts: [],
  ...NO_PRICE,
  expires_at: '2026-03-01T09:10:00.000Z',
  booking_id: null,
  is_test: false,
  created_at: '2026-03-01T09:00:00.000Z',
}

export const Hold = z.object(fields).meta({
  id: 'Hold',
  description: 'A slot that is held until a deadline.',
  example: EXAMPLE,
})
export type Hold = z.output<typeof Hold>

export const CreatedHold = z
  .object({
    ...fields,
    token: z.string().describe('Allows its owner to read, confirm and release the hold.'),
  })
  .meta({
    id: 'CreatedHold',
    description: 'A new hold and its token.',
    example: { ...EXAMPLE, token: 'n5zL0v3qWk7xYb2mRt8cJd4sHf6gPa1uEo9iTqVyXwA' },
  })
export type CreatedHold = z.output<typeof CreatedHold>

export const HoldParams = z.object({ id: Id })
export const HoldTokenQuery = z.object({
  token: z.string().optional().describe("The hold's token, instead of a key."),
})
export const ConfirmQuery = z.object({ token: z.string().optional().describe("The hold's token.") })
