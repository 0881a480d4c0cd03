import * as z from 'zod'
import { CURRENCIES } from '../../core/currencies.ts'
import { MOST_IN_SERIES } from '../../core/weekly-starts.ts'
import { RefundRule } from '../../money/payments/schema.ts'
import { REMINDER_CHANNELS } from '../../platform/db/schema/event-types.ts'
import { CalendarDate, Color, Id, Lines, OneLine, Slug, TimeZone } from '../../platform/http/fields.ts'
import { ExpectedUpdatedAt } from '../../platform/http/if-match.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { Notify } from '../bookings/input-schema.ts'
import { PlacesInput } from '../places/schema.ts'
import { QuestionsInput } from '../questions/schema.ts'
import {
  AssignmentStrategy,
  BookingCapPeriod,
  CalendarOutage,
  CurrencyCode,
  HostChoice,
  HoursFrom,
  MeetingProvider,
} from './choices.ts'

const Minutes = (min: number, max: number) => z.int().min(min).max(max)

const Url = z
  .url({ protocol: /^https?$/, error: problem('not_http') })
  .max(2000)
  .refine((url) => !/[\s\p{Cc}]/u.test(url), problem('has_white_space'))
  .meta({ example: 'https://meet.example.com/ada' })

/** Limit of the entries of `requires`. */
export const MOST_REQUIRED = 5

const RequiredInput = z.object({
  resource_ids: z
    .array(Id)
    .min(1)
    .max(50)
    .refine((ids) => new Set(ids).size === ids.length, problem('listed_twice'))
    .describe('Any of these, in this order.'),
  count: z.int().min(1).max(10).default(1).describe('How many units of them.'),
})

const writable = {
  title: OneLine(255),
  slug: Slug.describe('Unique among the event types of the organization.'),
  description: Lines(1000).nullable(),
  duration_minutes: Minutes(5, 480),
  buffer_before_minutes: Minutes(0, 120),
  buffer_after_minutes: Minutes(0, 120),
  minimum_notice_minutes: Minutes(0, 43_200),
  color: Color,
  timezone: TimeZone.describe("The zone of the hours. Default: the organization's."),
  active: z.boolean().describe('An inactive event type offers no slots and takes no bookings.'),
  price_amount: z
    .int()
    .min(100)
    .max(99_999_999)
    .nullable()
    .describe(
      "The price of a seat in the smallest unit of the currency, such as cents. Null is free. At least the payment provider's minimum in that currency; with three decimals, a multiple of 10.",
    ),
  price_currency: CurrencyCode.transform((currency) => currency.toLowerCase()).refine(
    (currency) => CURRENCIES.has(currency),
    problem('not_chargeable'),
  ),
  reminder_intervals: z
    .array(Minutes(1, 10_080))
    .max(5)
    .describe('Minutes before the start. It applies to later bookings and moves.'),
  reminder_channels: z
    .array(z.enum(REMINDER_CHANNELS))
    .max(REMINDER_CHANNELS.length)
    .refine((channels) => channels.includes('email'), problem('no_email_channel'))
    .refine((channels) => new Set(channels).size === channels.length, problem('listed_twice'))
    .describe(
      'How invitees are reminded. With `sms`, reminders and cancellations are also sent as text messages to invitees with a number who agreed.',
    ),
  follow_up_minutes: Minutes(0, 10_080)
    .nullable()
    .describe('How long after the end attendees get an email; null is never. It applies to later bookings.'),
  duration_options: z
    .array(Minutes(5, 480))
    .min(1)
    .max(5)
    .refine((options) => new Set(options).size === options.length, problem('listed_twice'))
    .nullable()
    .describe('The durations that an invitee can choose; contains duration_minutes.'),
  max_attendees: z
    .int()
    .min(1)
    .max(100)
    .describe('With more than one, bookings of one start share a session and its seats.'),
  max_guests: z
    .int()
    .min(0)
    .max(10)
    .describe('How many people a booking may bring along without a seat, also one-to-one.'),
  series_max: z
    .int()
    .min(0)
    .max(MOST_IN_SERIES)
    .describe(
      'How many starts callers without a key can book together as a series; the booking page then offers to repeat weekly. 0 and 1: no series. Callers with a key always can.',
    ),
  assignment_strategy: AssignmentStrategy.describe(
    'How a free host is chosen; with `none`, every host takes part in each booking.',
  ),
  pool_size: z
    .int()
    .min(1)
    .max(10)
    .describe(
      'With a strategy: how many hosts of the pool take part in each booking, beside all whose `part` is `required`. If the pool is smaller, nothing is open.',
    ),
  booking_cap: z.int().min(1).max(10_000).nullable(),
  booking_cap_period: BookingCapPeriod.nullable().describe(
    "Judged in the event type's zone by the booking's start; weeks start on Monday. A cap set alone is `total`.",
  ),
  waitlist_enabled: z.boolean().describe('If turned off, nobody can join; existing entries keep waiting.'),
  waitlist_max: z.int().min(1).max(500),
  waitlist_ttl_days: z.int().min(1).max(30),
  booking_page_enabled: z.boolean(),
  conferencing_provider: MeetingProvider.nullable().describe(
    'Where bookings meet. `video_a` creates meetings once its account is connected.',
  ),
  custom_meeting_url: Url.nullable().describe(
    'The address of a `custom` meeting. Upcoming bookings get another one, too.',
  ),
  location: Lines(500).nullable().describe('The address. Upcoming bookings get another one, too.'),
  places: PlacesInput.describe(
    'Where invitees can choose to meet. If there are any, `conferencing_provider`, `custom_meeting_url` and `location` do not count.',
  ),
  hours_from: HoursFrom.describe(
    'With `own`, the hours put on the event type, or those of `schedule_id`; if a host has a schedule, both must be open. With `hosts`, the schedules of the hosts alone: a host without one is never free.',
  ),
  schedule_id: Id.nullable().describe(
    "A schedule that replaces the event type's own hours, which are kept. Its times are in its own zone.",
  ),
  requires: z
    .array(RequiredInput)
    .max(MOST_REQUIRED)
    .describe(
      'Units of rooms and equipment that each booking holds besides its hosts. A session holds them once. Taken are the lowest free units of the first free resource, in the order given.',
    ),
  slot_interval_minutes: Minutes(5, 480)
    .nullable()
    .describe('From one start to the next. Null is the duration.'),
  booking_window_days: z
    .int()
    .min(1)
    .max(730)
    .nullable()
    .describe("The number of days after today on which starts are offered, in the event type's zone."),
  bookable_from: CalendarDate.nullable().describe("The first date with starts, in the event type's zone."),
  bookable_until: CalendarDate.nullable().describe("The last date with starts, in the event type's zone."),
  invitee_limit: z
    .int()
    .min(1)
    .max(100)
    .nullable()
    .describe('How many active upcoming bookings one address may have, with or without a key.'),
  host_choice: HostChoice.describe(
    'Whether invitees can choose the host, or must. Public answers then list the hosts.',
  ),
  calendar_outage: CalendarOutage.describe(
    'With `last_known`, the last known state of an unreadable calendar decides; with `closed`, nothing is open that depends on it.',
  ),
  delayed_payment_methods: z
    .boolean()
    .describe(
      'Allows payment methods that take days, such as bank debits: the booking keeps its time, as `pending_payment`, until the payment succeeds or fails. Otherwise cards and wallets only.',
    ),
  refund_policy: z
    .array(RefundRule)
    .max(5)
    .refine(
      (rules) => new Set(rules.map((rule) => rule.until_minutes_before)).size === rules.length,
      problem('listed_twice'),
    )
    .describe(
      'What is refunded when the invitee cancels: the highest percent whose minutes are still left. A booking keeps the policy from when it was made. Without rules, cancelling refunds nothing.',
    ),
  cancel_notice_minutes: Minutes(0, 43_200).describe(
    'How long before the start an invitee can still cancel; 0 means until the start.',
  ),
  reschedule_notice_minutes: Minutes(0, 43_200).describe(
    'How long before the start an invitee can still reschedule; 0 means until the start.',
  ),
  verify_email: z
    .boolean()
    .describe(
      'Bookings and waitlist joins without a key need a code that was emailed to the address; confirming a hold in time does not.',
    ),
  requires_approval: z
    .boolean()
    .describe(
      'Bookings are requests: `pending_approval` until a member approves or declines them. They hold their time.',
    ),
  approval_ttl_minutes: Minutes(60, 10_080).describe(
    'How long a request waits, at most until its start; then it is cancelled.',
  ),
  questions: QuestionsInput.describe('The questions for invitees. Stored answers do not change with them.'),
  position: z.int().min(0).max(10_000).describe('Its order in the listing; ties are sorted by title.'),
  group: OneLine(100).nullable().describe('Its heading in the listing.'),
  listed: z
    .boolean()
    .describe(
      'Whether the listing, the embedded list and `find_event_types` show it. Its own page works in any case; if not listed, search engines are asked to leave it out.',
    ),
  redirect_url: Url.nullable().describe(
    "Where the booking page redirects invitees after booking; on one of the organization's allowed_redirect_hosts. `booking_id`, `event_type_id`, `status` and `start_time` are added to it.",
  ),
}

export const UpdateEventTypeInput = z
  .object(writable)
  .partial()
  .extend({
    updated_at: ExpectedUpdatedAt,
    notify: Notify.describe(
      'False: if the change gives upcoming bookings another `location` or link, nobody in them gets an email about it. Later reminders are sent.',
    ),
  })
  .meta({
    id: 'UpdateEventTypeInput',
    description: 'The fields to change.',
    example: { buffer_after_minutes: 10 },
  })

export type UpdateEventTypeInput = z.output<typeof UpdateEventTypeInput>

export const CreateEventTypeInput = z
  .object({
    ...writable,
    description: writable.description.default(null),
    buffer_before_minutes: writable.buffer_before_minutes.default(0),
    buffer_after_minutes: writable.buffer_after_minutes.default(0),
    minimum_notice_minutes: writable.minimum_notice_minutes.default(0),
    color: writable.color.default('#3b82f6'),
    timezone: writable.timezone.optional(),
    active: writable.active.default(true),
    price_amount: writable.price_amount.default(null),
    price_currency: writable.price_currency.prefault('usd'),
    reminder_intervals: writable.reminder_intervals.default([1440, 60]),
    reminder_channels: writable.reminder_channels.default(['email']),
    follow_up_minutes: writable.follow_up_minutes.default(null),
    duration_options: writable.duration_options.default(null),
    max_attendees: writable.max_attendees.default(1),
    max_guests: writable.max_guests.default(3),
    series_max: writable.series_max.default(0),
    assignment_strategy: writable.assignment_strategy.default('none'),
    pool_size: writable.pool_size.default(1),
    booking_cap: writable.booking_cap.default(null),
    booking_cap_period: writable.booking_cap_period.optional(),
    waitlist_enabled: writable.waitlist_enabled.default(false),
    waitlist_max: writable.waitlist_max.default(50),
    waitlist_ttl_days: writable.waitlist_ttl_days.default(7),
    booking_page_enabled: writable.booking_page_enabled.default(false),
    conferencing_provider: writable.conferencing_provider.default(null),
    custom_meeting_url: writable.custom_meeting_url.default(null),
    location: writable.location.default(null),
    places: writable.places.default([]),
    hours_from: writable.hours_from.default('own'),
    schedule_id: writable.schedule_id
      .default(null)
      .describe(
        "A schedule that replaces the event type's own hours, which are kept. Its times are in its own zone. Default: null.",
      ),
    requires: writable.requires
      .default([])
      .describe(
        'Units of rooms and equipment that each booking holds besides its hosts. A session holds them once. Taken are the lowest free units of the first free resource, in the order given. Default: none.',
      ),
    slot_interval_minutes: writable.slot_interval_minutes.default(null),
    booking_window_days: writable.booking_window_days.default(null),
    bookable_from: writable.bookable_from.default(null),
    bookable_until: writable.bookable_until.default(null),
    invitee_limit: writable.invitee_limit.default(null),
    host_choice: writable.host_choice.default('none'),
    calendar_outage: writable.calendar_outage.default('last_known'),
    delayed_payment_methods: writable.delayed_payment_methods.default(false),
    refund_policy: writable.refund_policy.default([]),
    cancel_notice_minutes: writable.cancel_notice_minutes.default(0),
    reschedule_notice_minutes: writable.reschedule_notice_minutes.default(0),
    verify_email: writable.verify_email.default(false),
    requires_approval: writable.requires_approval.default(false),
    approval_ttl_minutes: writable.approval_ttl_minutes.default(1440),
    questions: writable.questions.default([]),
    position: writable.position.default(0),
    group: writable.group.default(null),
    listed: writable.listed.default(true),
    redirect_url: writable.redirect_url.default(null),
  })
  .meta({
    id: 'CreateEventTypeInput',
    description: 'A new event type.',
    example: { title: 'Intro call', slug: 'intro-call', duration_minutes: 30, booking_page_enabled: true },
  })

export type CreateEventTypeInput = z.output<typeof CreateEventTypeInput>
