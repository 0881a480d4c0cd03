import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { RefundRule } from './payments.ts'

export const QUESTION_TYPES = [
  'short_text',
  'long_text',
  'choice',
  'choices',
  'checkbox',
  'phone',
  'url',
  'number',
  'date',
] as const

/** A question for invitees, as the API returns it. */
export type Question = {
  readonly key: string
  readonly label: string
  readonly type: (typeof QUESTION_TYPES)[number]
  readonly required: boolean
  /** Of a choice; null for other types. */
  readonly options: readonly string[] | null
  readonly help: string | null
}

/** So many units of any of these rooms and pieces of equipment, in the order given. */
export type RequiredResources = { readonly resource_ids: readonly string[]; readonly count: number }

export const PLACE_KINDS = [
  'video_a',
  'calendar_a_meet',
  'calendar_b_meet',
  'custom',
  'in_person',
  'phone_out',
  'phone_in',
] as const

/** A place to choose, as the API returns it. */
export type Place = {
  readonly id: string
  readonly kind: (typeof PLACE_KINDS)[number]
  readonly label: string | null
  /** The link, address or number; null where it is made with the booking or asked for. */
  readonly value: string | null
}

/** Never selected whole beside whole bookings: see there. */
export const REMINDER_CHANNELS = ['email', 'sms'] as const

export const eventTypes = sqliteTable(
  'event_types',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    title: text().notNull(),
    slug: text().notNull(),
    description: text(),
    durationMinutes: integer('duration_minutes').notNull(),
    bufferBeforeMinutes: integer('buffer_before_minutes').notNull(),
    bufferAfterMinutes: integer('buffer_after_minutes').notNull(),
    minimumNoticeMinutes: integer('minimum_notice_minutes').notNull(),
    color: text().notNull(),
    timezone: text().notNull(),
    active: integer({ mode: 'boolean' }).notNull(),
    priceAmount: integer('price_amount'),
    priceCurrency: text('price_currency').notNull(),
    reminderIntervals: text('reminder_intervals', { mode: 'json' }).$type<number[]>().notNull(),
    durationOptions: text('duration_options', { mode: 'json' }).$type<number[]>(),
    maxAttendees: integer('max_attendees').notNull(),
    assignmentStrategy: text('assignment_strategy', {
      enum: ['none', 'round_robin', 'least_recent', 'least_bookings', 'availability_weighted'],
    }).notNull(),
    bookingCap: integer('booking_cap'),
    bookingCapPeriod: text('booking_cap_period', { enum: ['daily', 'weekly', 'monthly', 'total'] }),
    waitlistEnabled: integer('waitlist_enabled', { mode: 'boolean' }).notNull(),
    waitlistMax: integer('waitlist_max').notNull(),
    waitlistTtlDays: integer('waitlist_ttl_days').notNull(),
    bookingPageEnabled: integer('booking_page_enabled', { mode: 'boolean' }).notNull(),
    conferencingProvider: text('conferencing_provider', {
      enum: ['video_a', 'calendar_a_meet', 'calendar_b_meet', 'custom', 'in_person'],
    }),
    customMeetingUrl: text('custom_meeting_url'),
    location: text(),
    /** What a calendar means that could not be read for an hour: what was last known of it, or nothing is open. */
    calendarOutage: text('calendar_outage', { enum: ['last_known', 'closed'] })
      .notNull()
      .default('last_known'),
    /** The refund policy for cancellations by the invitee; empty refunds nothing automatically. */
    refundPolicy: text('refund_policy', { mode: 'json' }).$type<RefundRule[]>().notNull().default([]),
    /** How long before the start an invitee can still cancel, and move, a booking. */
    cancelNoticeMinutes: integer('cancel_notice_minutes').notNull().default(0),
    rescheduleNoticeMinutes: integer('reschedule_notice_minutes').notNull().default(0),
    /** Callers without a key must prove their address. */
    verifyEmail: integer('verify_email', { mode: 'boolean' }).notNull().default(false),
    /** Bookings wait until somebody of the organization approves them, for so long at most. */
    requiresApproval: integer('requires_approval', { mode: 'boolean' }).notNull().default(false),
    approvalTtlMinutes: integer('approval_ttl_minutes').notNull().default(1440),
    /** What an invitee is asked. */
    questions: text({ mode: 'json' }).$type<readonly Question[]>().notNull().default([]),
    /** Its position in the listing, and its group. */
    position: integer().notNull().default(0),
    groupName: text('group_name'),
    /** Where invitees are sent after booking on a page. */
    redirectUrl: text('redirect_url'),
    /** Whether payments may take days, during which the time is held. */
    delayedPaymentMethods: integer('delayed_payment_methods', { mode: 'boolean' }).notNull().default(false),
    /** Which hours apply: its own (or its schedule's) and its hosts', if they have any, or its hosts' alone. */
    hoursFrom: text('hours_from', { enum: ['own', 'hosts'] })
      .notNull()
      .default('own'),
    /** While it is set it wins over the rules that are put on the event type itself. */
    scheduleId: text('schedule_id'),
    /**
     * The organization's default schedule, whose hours count until some are put on the event type itself: then it is empty. Null
     * without a default. Kept by triggers.
     */
    defaultScheduleId: text('default_schedule_id'),
    /** From one start to the next; null is the duration. */
    slotIntervalMinutes: integer('slot_interval_minutes'),
    /** How many days ahead it can be booked, and from which date until which: `YYYY-MM-DD`, both included. */
    bookingWindowDays: integer('booking_window_days'),
    bookableFrom: text('bookable_from'),
    bookableUntil: text('bookable_until'),
    /** How many people may come along without a seat. */
    maxGuests: integer('max_guests').notNull().default(3),
    /** Whether a caller without a key chooses the host. */
    hostChoice: text('host_choice', { enum: ['none', 'optional', 'required'] })
      .notNull()
      .default('none'),
    /** Units of rooms and equipment that each booking holds: so many of any of these. */
    requires: text({ mode: 'json' }).$type<readonly RequiredResources[]>().notNull().default([]),
    /** How many hosts of the pool take part, beside all who are required. */
    poolSize: integer('pool_size').notNull().default(1),
    /** The most bookings in a series of a caller without a key; 0 where they create no series. */
    seriesMax: integer('series_max').notNull().default(0),
    /** Where it takes place, to choose from; empty where its provider and location decide. */
    places: text({ mode: 'json' }).$type<readonly Place[]>().notNull().default([]),
    /** Whether pages and lists for everybody show it; its own link works in any case. */
    listed: integer({ mode: 'boolean' }).notNull().default(true),
    /** How long after its end attendees are written to; null is never. */
    followUpMinutes: integer('follow_up_minutes'),
    /** The channels that reminders are sent through. */
    reminderChannels: text('reminder_channels', { mode: 'json' })
      .$type<readonly (typeof REMINDER_CHANNELS)[number][]>()
      .notNull()
      .default(['email']),
    /** Limit of upcoming bookings per address. */
    inviteeLimit: integer('invitee_limit'),
    /** Bookings that are not cancelled, all time; kept by triggers on bookings. */
    activeBookings: integer('active_bookings').notNull().default(0),
    /** Bookings that count for all hosts alike but are not in their rows yet, and when the last one was made. */
    collectiveBookings: integer('collective_bookings').notNull().default(0),
    collectiveBookedAt: integer('collective_booked_at'),
    /** Whether bookings may hold more hosts than the assigned one: it had no strategy before, or hosts with parts; kept by triggers. */
    manyHosts: integer('many_hosts', { mode: 'boolean' }).notNull().default(false),
    /** Moves on with all that decides what is open; kept by triggers, as the two of the organization are. */
    version: integer().notNull().default(0),
    /** Increases with changes of its hosts, but not of what they count. */
    hostsVersion: integer('hosts_version').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    deletedAt: integer('deleted_at'),
  },
  (t) => [
    uniqueIndex('event_types_slug').on(t.organizationId, t.isTest, t.slug).where(sql`deleted_at IS NULL`),
    index('event_types_organization').on(t.organizationId, t.isTest, t.id),
    index('event_types_deleted').on(t.deletedAt).where(sql`deleted_at IS NOT NULL`),
    index('event_types_schedule').on(t.scheduleId).where(sql`schedule_id IS NOT NULL`),
    index('event_types_default_schedule').on(t.defaultScheduleId).where(sql`default_schedule_id <> ''`),
    index('event_types_active').on(t.organizationId, t.isTest, t.active, t.id).where(sql`deleted_at IS NULL`),
  ],
)

export const availabilityRules = sqliteTable(
  'availability_rules',
  {
    id: text().primaryKey(),
    eventTypeId: text('event_type_id').notNull(),
    dayOfWeek: integer('day_of_week').notNull(),
    startTime: text('start_time').notNull(),
    endTime: text('end_time').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('availability_rules_event_type').on(t.eventTypeId, t.id)],
)

export type DayInterval = { readonly start_time: string; readonly end_time: string }

export const availabilityOverrides = sqliteTable(
  'availability_overrides',
  {
    id: text().primaryKey(),
    eventTypeId: text('event_type_id').notNull(),
    date: text().notNull(),
    intervals: text({ mode: 'json' }).$type<DayInterval[]>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [uniqueIndex('availability_overrides_date').on(t.eventTypeId, t.date)],
)

export type RuleRow = typeof availabilityRules.$inferSelect
export type OverrideRow = typeof availabilityOverrides.$inferSelect
