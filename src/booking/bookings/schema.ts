import * as z from 'zod'
import { RULES_TO_SET_ASIDE } from '../../core/rules-to-set-aside.ts'
import { PaymentStatus, PROVIDER_ACCOUNT } from '../../money/payments/schema.ts'
import { Id, ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { pageOf } from '../../platform/http/page-schema.ts'
import { Place } from '../places/schema.ts'
import { GivenAnswers } from '../questions/schema.ts'
import { ActedBy, AssignedHost, Attendee, Guest } from './people-schema.ts'

export const BookingStatus = z
  .enum(['pending_approval', 'pending_payment', 'confirmed', 'rescheduled', 'cancelled'])
  .meta({
    id: 'BookingStatus',
    description: 'All except `cancelled` hold their time, `pending_…` ones until their deadline.',
  })

const payment = {
  id: ResourceId,
  status: PaymentStatus,
  amount: z.int().describe('In the smallest unit of the currency.'),
  currency: z.string(),
}

const BookedPayment = z
  .object(payment)
  .meta({ id: 'BookedPayment', description: 'The price of a booking and the state of its payment.' })

/** The price that was shown when something was made. */
export const PRICE_FIELDS = {
  price_amount: z
    .int()
    .nullable()
    .describe('The price per seat when it was made, in the smallest unit; null if it was free.'),
  price_currency: z.string().nullable(),
}

export const NO_PRICE = { price_amount: null, price_currency: null }

export const HeldUnit = z
  .object({ id: ResourceId, name: z.string(), unit: z.int() })
  .meta({ id: 'HeldUnit', description: 'A unit of a room or of equipment, numbered from 1.' })

const OutOfSync = z
  .object({ start_time: Timestamp, end_time: Timestamp })
  .meta({ id: 'OutOfSync', description: 'The time of a calendar event that was moved.' })

const fields = {
  id: ResourceId,
  organization_id: ResourceId,
  event_type_id: ResourceId,
  status: BookingStatus,
  is_test: z.boolean(),
  start_time: Timestamp,
  end_time: Timestamp,
  invitee_name: z.string(),
  invitee_email: z
    .string()
    .nullable()
    .describe('Null if they have a phone number instead; empty once erased.'),
  invitee_timezone: z.string(),
  invitee_locale: z.string().describe("The language of the invitee's emails."),
  notes: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()),
  attendee_count: z.int(),
  attendees: z.array(Attendee),
  guests: z.array(Guest),
  host_absent: z.boolean().describe('Whether no host came; false until attendance is recorded.'),
  overridden: z
    .array(z.enum(RULES_TO_SET_ASIDE))
    .describe('The rules that its present time breaks on purpose.'),
  assigned_host: AssignedHost.nullable().describe('The first of `hosts`; null without one.'),
  hosts: z
    .array(AssignedHost)
    .describe(
      'Everybody who hosts it: the assigned host first, then others of the pool, then required hosts by priority.',
    ),
  needs_host: z.boolean().describe('Whether its host left the organization and nobody else hosts it.'),
  resources: z.array(HeldUnit).describe('The units of rooms and equipment that it has.'),
  session_id: z
    .string()
    .nullable()
    .describe('The session it has seats in; null for event types with one seat.'),
  series_id: z
    .string()
    .nullable()
    .describe('The series that it was made with; null for a booking of its own.'),
  calendar_connection_id: z.string().nullable(),
  calendar_event_id: z.string().nullable(),
  busy_as_of: Timestamp.nullable().describe(
    'When the calendars that decided were last read; null without calendars.',
  ),
  sync_error: z
    .string()
    .nullable()
    .describe('The error of its calendar event; null for callers without a key.'),
  out_of_sync: OutOfSync.nullable().describe('Null if its calendar event was not moved.'),
  conferencing_url: z.string().nullable(),
  location: z.string().nullable(),
  place: Place.nullable().describe('The place that was chosen, as it was then; null without places.'),
  ...PRICE_FIELDS,
  payment: BookedPayment.nullable().describe('The price; null if it is free.'),
  cancelled_at: Timestamp.nullable(),
  cancel_reason: z.string().nullable(),
  rescheduled_at: Timestamp.nullable(),
  previous_start_time: Timestamp.nullable(),
  cancelled_by: ActedBy.nullable(),
  rescheduled_by: ActedBy.nullable().describe('The last actor who rescheduled it.'),
  reassigned_by: ActedBy.nullable().describe('The last actor who reassigned it.'),
  approved_by: ActedBy.nullable(),
  declined_by: ActedBy.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c43',
  organization_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c41',
  event_type_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  status: 'confirmed' as const,
  is_test: false,
  start_time: '2026-03-09T13:00:00.000Z',
  end_time: '2026-03-09T13:30:00.000Z',
  invitee_name: 'Ada Lovelace',
  invitee_email: 'ada@example.com',
  invitee_timezone: 'Europe/London',
  invitee_locale: 'en-GB',
  notes: null,
  metadata: {},
  attendee_count: 1,
  attendees: [
    {
      id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c44',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      timezone: 'Europe/London',
      is_primary: true,
      no_show: false,
    },
  ],
  guests: [],
  host_absent: false,
  overridden: [],
  assigned_host: null,
  hosts: [],
  needs_host: false,
  resources: [],
  session_id: null,
  series_id: null,
  calendar_connection_id: null,
  calendar_event_id: null,
  busy_as_of: null,
  sync_error: null,
  out_of_sync: null,
  conferencing_url: null,
  location: null,
  place: null,
  ...NO_PRICE,
  payment: null,
  cancelled_at: null,
  cancel_reason: null,
  rescheduled_at: null,
  previous_start_time: null,
  cancelled_by: null,
  rescheduled_by: null,
  reassigned_by: null,
  approved_by: null,
  declined_by: null,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
}

export const Booking = z.object(fields).meta({
  id: 'Booking',
  description: 'One invitee at one time. All statuses except `cancelled` hold that time.',
  example: EXAMPLE,
})

export type Booking = z.output<typeof Booking>

const Consent = z.boolean().describe('Whether the invitee agreed to text messages.')

const Phone = z.string().nullable().describe('In E.164. Events and lists leave it out.')

export const UpdatedBooking = z.object({ ...fields, invitee_phone: Phone, sms_consent: Consent }).meta({
  id: 'UpdatedBooking',
  description: 'A booking after it was changed.',
  example: { ...EXAMPLE, location: 'Room 4', invitee_phone: null, sms_consent: false },
})

export type UpdatedBooking = z.output<typeof UpdatedBooking>

const CreatedPayment = z
  .object({
    ...payment,
    client_secret: z.string().optional().describe("The secret for the provider's payment form."),
    payment_provider_account_id: PROVIDER_ACCOUNT.optional(),
  })
  .meta({ id: 'CreatedPayment', description: 'The price of a new booking and how to pay it.' })

export const CreatedBooking = z
  .object({
    ...fields,
    payment: CreatedPayment.nullable().describe('The price; null if it is free.'),
    invitee_phone: Phone,
    sms_consent: Consent,
    cancel_token: z.string().describe('Lets the invitee change, cancel and reschedule it.'),
  })
  .meta({
    id: 'CreatedBooking',
    description: 'A new booking and the token of its invitee.',
    example: {
      ...EXAMPLE,
      invitee_phone: null,
      sms_consent: false,
      cancel_token: 'n5zL0v3qWk7xYb2mRt8cJd4sHf6gPa1uEo9iTqVyXwA',
    },
  })

export type CreatedBooking = z.output<typeof CreatedBooking>

const WhyNot = z.string().nullable().describe('Why not, for people to read; null if it is allowed.')

const AllowedActions = z
  .object({
    cancel: z.object({
      allowed: z.boolean(),
      reason: WhyNot,
      refund_amount: z
        .int()
        .nullable()
        .describe('The amount that cancelling refunds automatically; null if nothing was paid.'),
    }),
    reschedule: z.object({ allowed: z.boolean(), reason: WhyNot }),
  })
  .describe('Whether cancelling and rescheduling are allowed now.')

const BookedEventType = z.object({ id: ResourceId, title: z.string(), duration: z.int() })

export const BookingDetail = z
  .object({
    ...fields,
    invitee_phone: Phone,
    sms_consent: Consent,
    event_type: BookedEventType,
    answers: GivenAnswers,
    allowed_actions: AllowedActions,
  })
  .meta({
    id: 'BookingDetail',
    description: 'A booking with its event type.',
    example: {
      ...EXAMPLE,
      invitee_phone: null,
      sms_consent: false,
      event_type: { id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42', title: 'Intro call', duration: 30 },
      answers: { topic: 'Hiring' },
      allowed_actions: {
        cancel: { allowed: true, reason: null, refund_amount: null },
        reschedule: { allowed: true, reason: null },
      },
    },
  })

export type BookingDetail = z.output<typeof BookingDetail>

const ListedBooking = z
  .object({ ...fields, event_type: BookedEventType.optional().describe('With `expand=event_type`.') })
  .meta({ id: 'ListedBooking', description: 'A booking in a list.', example: EXAMPLE })

export type ListedBooking = z.output<typeof ListedBooking>

export const BookingPage = pageOf(ListedBooking, 'BookingPage')

export const Expand = z
  .enum(['event_type'])
  .optional()
  .describe('`event_type` adds the event type. A single booking always has it.')

export const BookingParams = z.object({ id: Id })

export const TokenQuery = z.object({
  token: z.string().optional().describe("The booking's cancel token, instead of a key."),
})

export const BookingDetailQuery = TokenQuery.extend({ expand: Expand })
