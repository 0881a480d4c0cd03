import * as z from 'zod'
import { RefundRule } from '../../money/payments/schema.ts'
import { Id, ResourceId, Timestamp } from '../../platform/http/fields.ts'
import { PageQuery, pageOf } from '../../platform/http/page-schema.ts'
import { Bookable } from '../bookable/schema.ts'
import { Place } from '../places/schema.ts'
import { Question } from '../questions/schema.ts'
import {
  AssignmentStrategy,
  BookingCapPeriod,
  CalendarOutage,
  HostChoice,
  HoursFrom,
  MeetingProvider,
} from './choices.ts'

const fields = {
  id: ResourceId,
  organization_id: ResourceId,
  title: z.string(),
  slug: z.string(),
  description: z.string().nullable(),
  duration_minutes: z.int(),
  buffer_before_minutes: z.int(),
  buffer_after_minutes: z.int(),
  minimum_notice_minutes: z.int(),
  color: z.string(),
  timezone: z.string(),
  active: z.boolean(),
  is_test: z.boolean(),
  price_amount: z.int().nullable().describe('In the smallest unit of the currency.'),
  price_currency: z.string(),
  reminder_intervals: z.array(z.int()),
  reminder_channels: z.array(z.enum(['email', 'sms'])),
  follow_up_minutes: z
    .int()
    .nullable()
    .describe('How long after the end attendees get an email; null is never.'),
  duration_options: z.array(z.int()).nullable(),
  max_attendees: z.int(),
  max_guests: z.int().describe('How many people a booking may bring along without a seat.'),
  series_max: z.int().describe('How many starts can be booked together without a key.'),
  assignment_strategy: AssignmentStrategy,
  booking_cap: z.int().nullable(),
  booking_cap_period: BookingCapPeriod.nullable(),
  bookings_remaining: z
    .int()
    .nullable()
    .describe('How many bookings the cap still allows in its current period.'),
  booking_count: z.int().describe('Active bookings of the current cap period, or of all time without a cap.'),
  waitlist_enabled: z.boolean(),
  waitlist_max: z.int(),
  waitlist_ttl_days: z.int(),
  booking_page_enabled: z.boolean(),
  conferencing_provider: MeetingProvider.nullable(),
  location: z.string().nullable(),
  places: z
    .array(Place)
    .describe('The places to choose from; empty if `conferencing_provider` and `location` decide.'),
  slot_interval_minutes: z.int().nullable().describe('From one start to the next; null is the duration.'),
  booking_window_days: z.int().nullable(),
  bookable_from: z.string().nullable().meta({ format: 'date' }),
  bookable_until: z.string().nullable().meta({ format: 'date' }),
  invitee_limit: z.int().nullable(),
  host_choice: HostChoice,
  calendar_outage: CalendarOutage,
  delayed_payment_methods: z.boolean(),
  refund_policy: z.array(RefundRule),
  cancel_notice_minutes: z.int(),
  reschedule_notice_minutes: z.int(),
  verify_email: z.boolean(),
  requires_approval: z.boolean(),
  approval_ttl_minutes: z.int(),
  questions: z.array(Question),
  position: z.int().describe('Its order in the listing.'),
  group: z.string().nullable().describe('Its heading in the listing.'),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const EXAMPLE = {
  id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c42',
  organization_id: '0192f1e0-7c11-7000-8000-3b1f0a5d9c41',
  title: 'Intro call',
  slug: 'intro-call',
  description: null,
  duration_minutes: 30,
  buffer_before_minutes: 0,
  buffer_after_minutes: 10,
  minimum_notice_minutes: 60,
  color: '#3b82f6',
  timezone: 'Europe/Berlin',
  active: true,
  is_test: false,
  price_amount: null,
  price_currency: 'usd',
  reminder_intervals: [1440, 60],
  reminder_channels: ['email' as const],
  follow_up_minutes: null,
  duration_options: null,
  max_attendees: 1,
  max_guests: 3,
  series_max: 0,
  assignment_strategy: 'none' as const,
  booking_cap: null,
  booking_cap_period: null,
  bookings_remaining: null,
  booking_count: 0,
  waitlist_enabled: false,
  waitlist_max: 50,
  waitlist_ttl_days: 7,
  booking_page_enabled: true,
  conferencing_provider: null,
  location: null,
  places: [],
  slot_interval_minutes: null,
  booking_window_days: 60,
  bookable_from: null,
  bookable_until: null,
  invitee_limit: null,
  host_choice: 'none' as const,
  calendar_outage: 'last_known' as const,
  delayed_payment_methods: false,
  refund_policy: [{ until_minutes_before: 1440, percent: 100 }],
  cancel_notice_minutes: 0,
  reschedule_notice_minutes: 120,
  verify_email: false,
  requires_approval: false,
  approval_ttl_minutes: 1440,
  questions: [],
  position: 0,
  group: null,
  created_at: '2026-03-01T09:00:00.000Z',
  updated_at: '2026-03-01T09:00:00.000Z',
}

/** A host whom an invitee can choose. */
export const HostToChoose = z
  .object({ member_id: ResourceId, name: z.string().nullable(), avatar_url: z.string().nullable() })
  .meta({ id: 'HostToChoose', description: 'A host who can be chosen.' })

export const HostsToChoose = z
  .array(HostToChoose)
  .optional()
  .describe('The hosts to choose from, by priority; present unless `host_choice` is `none`.')

export const PublicEventType = z.object({ ...fields, hosts: HostsToChoose }).meta({
  id: 'PublicEventType',
  description: 'The public fields of an event type.',
  example: EXAMPLE,
})
export type PublicEventType = z.output<typeof PublicEventType>

export const EventType = z
  .object({
    ...fields,
    hours_from: HoursFrom,
    schedule_id: ResourceId.nullable().describe("The schedule that replaces the event type's own hours."),
    requires: z
      .array(z.object({ resource_ids: z.array(ResourceId), count: z.int() }))
      .describe('Units of rooms and equipment that each booking holds: so many of any of these.'),
    pool_size: z
      .int()
      .describe('How many hosts of the pool take part, beside all who are required; with a strategy.'),
    custom_meeting_url: z.string().nullable(),
    listed: z.boolean().describe('Whether lists for invitees show it; its own page works in any case.'),
    redirect_url: z.string().nullable().describe('Where the booking page redirects invitees after booking.'),
    preview_url: z
      .string()
      .nullable()
      .describe(
        'The booking page of a test event type, which opens only at this address; null for live ones.',
      ),
    bookable: Bookable,
  })
  .meta({
    id: 'EventType',
    description: 'A bookable meeting template.',
    example: {
      ...EXAMPLE,
      hours_from: 'own',
      schedule_id: null,
      requires: [],
      pool_size: 1,
      custom_meeting_url: null,
      listed: true,
      redirect_url: null,
      preview_url: null,
      bookable: { ok: true, reasons: [] },
    },
  })
export type EventType = z.output<typeof EventType>
/** The fields of its row, without those derived from secrets and from other rows. */
export type OwnEventType = Omit<EventType, 'preview_url' | 'bookable'>

export const EventTypePage = pageOf(EventType, 'EventTypePage')
export const EventTypeParams = z.object({ id: Id })
export const EventTypeQuery = PageQuery.extend({
  active: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  listed: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .describe('Whether lists for invitees show them.'),
})
