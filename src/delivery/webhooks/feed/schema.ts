import * as z from 'zod'
import { ImportJob } from '../../../booking/bookings/imported/schema.ts'
import { Booking } from '../../../booking/bookings/schema.ts'
import { WaitlistEntry } from '../../../booking/waitlist/schema.ts'
import { CalendarConnection } from '../../../calendars/schema.ts'
import { Payment } from '../../../money/payments/schema.ts'
import { Member } from '../../../people/team/schema.ts'
import { EVENT_KINDS, type EventKind as Kind } from '../../../platform/db/schema/records.ts'
import { ResourceId, WholeNumberText } from '../../../platform/http/fields.ts'
import { problem } from '../../../platform/reasons/reason.ts'
import {
  BookingOutOfSync,
  BookingReassigned,
  BookingRescheduled,
  BookingUpdated,
  RESCHEDULED_EXAMPLE,
  SeriesCreated,
} from './changed-bookings-schema.ts'
import { EXAMPLE, envelope } from './envelope-schema.ts'

export const EventKind = z.enum(EVENT_KINDS).meta({ id: 'EventKind', description: 'The kinds of events.' })

/** `*` means every kind, including future ones. */
export const Subscription = z
  .enum([...EVENT_KINDS, '*'])
  .meta({ id: 'EventSubscription', description: 'A kind of event; `*` is every kind, future ones too.' })

const BOOKING_EXAMPLE = Booking.meta()!.example as z.output<typeof Booking>
const ENTRY_EXAMPLE = WaitlistEntry.meta()!.example as z.output<typeof WaitlistEntry>
const PAYMENT_EXAMPLE = Payment.meta()!.example as z.output<typeof Payment>
const MEMBER_EXAMPLE = Member.meta()!.example as z.output<typeof Member>
const CONNECTION_EXAMPLE = CalendarConnection.meta()!.example as z.output<typeof CalendarConnection>

function bookingEvent<K extends Kind>(event: K, id: string, description: string, change: object) {
  return z.object({ ...envelope, event: z.literal(event), data: Booking }).meta({
    id,
    description,
    example: { ...EXAMPLE, event, data: { ...BOOKING_EXAMPLE, ...change } },
  })
}

function waitlistEvent<K extends Kind>(event: K, id: string, description: string, change: object) {
  return z.object({ ...envelope, event: z.literal(event), data: WaitlistEntry }).meta({
    id,
    description,
    example: { ...EXAMPLE, event, data: { ...ENTRY_EXAMPLE, position: 0, ...change } },
  })
}

function calendarEvent<K extends Kind>(event: K, id: string, description: string, change: object) {
  return z.object({ ...envelope, event: z.literal(event), data: CalendarConnection }).meta({
    id,
    description,
    example: { ...EXAMPLE, event, data: { ...CONNECTION_EXAMPLE, ...change } },
  })
}

function paymentEvent<K extends Kind>(event: K, id: string, description: string, change: object) {
  return z.object({ ...envelope, event: z.literal(event), data: Payment }).meta({
    id,
    description,
    example: { ...EXAMPLE, event, data: { ...PAYMENT_EXAMPLE, ...change } },
  })
}

const MemberRemoved = z
  .object({
    ...envelope,
    event: z.literal('member.removed'),
    data: Member,
    unassigned: z
      .array(ResourceId)
      .describe('The upcoming bookings of this mode that have no host since then, soonest first.'),
  })
  .meta({
    id: 'MemberRemovedEvent',
    description: 'A member was removed. Both modes get it, each with its own bookings.',
    example: {
      ...EXAMPLE,
      event: 'member.removed' as const,
      data: { ...MEMBER_EXAMPLE, default_schedule_id: null },
      unassigned: [BOOKING_EXAMPLE.id],
    },
  })

const ImportFinished = z.object({ ...envelope, event: z.literal('import.finished'), data: ImportJob }).meta({
  id: 'ImportFinishedEvent',
  description: 'An import from another service ended. What it made has no events of its own.',
  example: {
    ...EXAMPLE,
    event: 'import.finished' as const,
    data: ImportJob.meta()!.example as ImportJob,
  },
})

const CANCELLED = { status: 'cancelled', cancelled_at: EXAMPLE.created_at }
const PROMOTED = {
  status: 'promoted',
  promoted_booking_id: BOOKING_EXAMPLE.id,
  promoted_at: EXAMPLE.created_at,
}

const WaitlistExpired = z
  .object({
    ...envelope,
    event: z.literal('waitlist.expired'),
    data: WaitlistEntry,
    reason: z
      .enum(['session_moved', 'session_cancelled'])
      .optional()
      .describe('What happened to the whole session that it waited for; left out if it expired by time.'),
  })
  .meta({
    id: 'WaitlistExpiredEvent',
    description: 'A waitlist entry expired.',
    example: {
      ...EXAMPLE,
      event: 'waitlist.expired' as const,
      data: { ...ENTRY_EXAMPLE, position: 0, status: 'expired' as const },
      reason: 'session_cancelled' as const,
    },
  })

/** What receivers get, by kind. `data` is the changed object, as it was then and without tokens. */
export const EVENTS = {
  'booking.created': bookingEvent('booking.created', 'BookingCreatedEvent', 'A slot was booked.', {}),
  'booking.requested': bookingEvent(
    'booking.requested',
    'BookingRequestedEvent',
    'A slot was asked for, and waits for an approval: in place of `booking.created`.',
    { status: 'pending_approval' },
  ),
  'booking.confirmed': bookingEvent(
    'booking.confirmed',
    'BookingConfirmedEvent',
    'A booking that waited for its payment or an approval is confirmed.',
    {},
  ),
  'booking.cancelled': bookingEvent(
    'booking.cancelled',
    'BookingCancelledEvent',
    'A booking was cancelled.',
    CANCELLED,
  ),
  'booking.rescheduled': BookingRescheduled,
  'booking.reassigned': BookingReassigned,
  'booking.updated': BookingUpdated,
  'booking.out_of_sync': BookingOutOfSync,
  'booking.attendance': bookingEvent(
    'booking.attendance',
    'BookingAttendanceEvent',
    'Attendance was recorded: see `attendees` and `host_absent`.',
    { attendees: BOOKING_EXAMPLE.attendees.map((one) => ({ ...one, no_show: true })) },
  ),
  'series.created': SeriesCreated,
  'waitlist.promoted': waitlistEvent(
    'waitlist.promoted',
    'WaitlistPromotedEvent',
    'A waitlist entry was booked into released time.',
    PROMOTED,
  ),
  'waitlist.expired': WaitlistExpired,
  'calendar.disconnected': calendarEvent(
    'calendar.disconnected',
    'CalendarDisconnectedEvent',
    'A calendar could not be read for an hour, or its permission ended.',
    { status: 'revoked', sync_status: 'error', sync_error: 'The access was withdrawn; connect once more.' },
  ),
  'calendar.restored': calendarEvent(
    'calendar.restored',
    'CalendarRestoredEvent',
    'A lost calendar can be read again.',
    {},
  ),
  'payment.refunded': paymentEvent(
    'payment.refunded',
    'PaymentRefundedEvent',
    'A refund was made, here or at the provider, or a refund failed later: see `refunded_amount`.',
    { status: 'partially_refunded', refunded_amount: 2500, refund_id: 're_3MtwBwLkdIwHu7ix28a3tqPa' },
  ),
  'payment.disputed': paymentEvent(
    'payment.disputed',
    'PaymentDisputedEvent',
    'A dispute or an inquiry was opened, changed, won, lost or closed: see `status` and `dispute`.',
    {
      status: 'disputed',
      dispute: {
        id: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
        status: 'open',
        amount: 5000,
        reason: 'fraudulent',
        evidence_due_at: '2026-03-10T09:00:00.000Z',
        created_at: EXAMPLE.created_at,
      },
    },
  ),
  'member.removed': MemberRemoved,
  'import.finished': ImportFinished,
} as const satisfies Record<Kind, z.ZodObject>

export const ServiceEvent = z
  .discriminatedUnion('event', [
    EVENTS['booking.created'],
    EVENTS['booking.requested'],
    EVENTS['booking.confirmed'],
    EVENTS['booking.cancelled'],
    EVENTS['booking.rescheduled'],
    EVENTS['booking.reassigned'],
    EVENTS['booking.updated'],
    EVENTS['booking.out_of_sync'],
    EVENTS['booking.attendance'],
    EVENTS['series.created'],
    EVENTS['waitlist.promoted'],
    EVENTS['waitlist.expired'],
    EVENTS['calendar.disconnected'],
    EVENTS['calendar.restored'],
    EVENTS['payment.refunded'],
    EVENTS['payment.disputed'],
    EVENTS['member.removed'],
    EVENTS['import.finished'],
  ])
  .meta({
    id: 'Event',
    description: 'An event; the body of a webhook and an entry of the feed.',
    example: RESCHEDULED_EXAMPLE,
  })
export type ServiceEvent = z.output<typeof ServiceEvent>

export const EventFeed = z.object({ data: z.array(ServiceEvent), has_more: z.boolean() }).meta({
  id: 'EventFeed',
  description: 'Events in the order in which they happened. Get the next ones with `after`.',
  example: { data: [RESCHEDULED_EXAMPLE], has_more: false },
})

export const FeedQuery = z.object({
  after: z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text), problem('not_a_sequence'))
    .transform(Number)
    .prefault('0')
    .meta({ type: 'integer', minimum: 0 })
    .describe('The sequence of the last event seen.'),
  limit: WholeNumberText(1, 100).prefault('20').describe('How many events to return.'),
})
