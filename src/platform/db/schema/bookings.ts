import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { RuleToSetAside } from '../../../core/rules-to-set-aside.ts'
import type { AssignedHost } from './assigned-host.ts'
import type { Place } from './event-types.ts'
import type { payments } from './payments.ts'
import type { activity } from './records.ts'

type Attendee = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly timezone: string
  readonly is_primary: boolean
  /** Whether they did not come; left out while nobody said so. */
  readonly no_show?: boolean
}

/** Somebody who comes along without a seat. */
export type Guest = {
  readonly id: string
  readonly email: string
  readonly name: string | null
  readonly timezone: string
}

/** A price as it was shown, in the currency's smallest unit. */
export type ShownPrice = { readonly amount: number; readonly currency: string }

/** The person or program that acted; `id` and `name` are null if it cannot be named. */
export type Actor = {
  readonly type: 'invitee' | 'member' | 'api_key' | 'service' | 'system'
  readonly id: string | null
  readonly name: string | null
}

/** The actor of the last act of each kind; kinds that never happened are left out. */
export type Acts = {
  readonly [act in 'cancelled' | 'rescheduled' | 'reassigned' | 'approved' | 'declined']?: Actor
}

export type BookedPayment = {
  readonly id: string
  readonly status: typeof payments.$inferSelect.status
  readonly amount: number
  readonly currency: string
}

/** How a booking was created, and by which actor. */
export type LogEntry = {
  readonly actor_type: (typeof activity.$inferSelect)['actorType']
  readonly actor_id: string | null
  readonly ip_address: string | null
  readonly request_id: string | null
  readonly changes: Readonly<Record<string, unknown>>
}

/** One unit of a room or of equipment, numbered from 1. */
export type HeldUnit = { readonly id: string; readonly name: string; readonly unit: number }

/** With all columns of an event type these are near the 100 that an answer of D1 may have, so no statement selects both whole. */
export const bookings = sqliteTable(
  'bookings',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    eventTypeId: text('event_type_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    status: text({
      enum: ['pending_approval', 'pending_payment', 'confirmed', 'rescheduled', 'cancelled'],
    }).notNull(),
    startTime: integer('start_time').notNull(),
    endTime: integer('end_time').notNull(),
    inviteeName: text('invitee_name').notNull(),
    inviteeEmail: text('invitee_email').notNull(),
    inviteeTimezone: text('invitee_timezone').notNull(),
    /** Nobody said which zone is the invitee's: the record says UTC, and emails use the event type's. */
    zoneUnknown: integer('zone_unknown', { mode: 'boolean' }).notNull().default(false),
    /** The language of the invitee's emails and date formats: a BCP 47 tag. */
    inviteeLocale: text('invitee_locale').notNull().default('en'),
    notes: text(),
    /** What the invitee answered, with the questions as they were then; sealed, and null where nothing was asked. */
    answers: text(),
    /** Made without a key of its organization: its texts were typed by an anonymous caller. */
    isKeyless: integer('is_keyless', { mode: 'boolean' }).notNull().default(true),
    metadata: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    attendees: text({ mode: 'json' }).$type<Attendee[]>().notNull(),
    /** Null where nobody comes along. */
    guests: text({ mode: 'json' }).$type<Guest[]>(),
    /** E.164, sealed as answers are. */
    inviteePhone: text('invitee_phone'),
    /** Whether the invitee agreed to text messages. */
    smsConsent: integer('sms_consent', { mode: 'boolean' }).notNull().default(false),
    /** How often the invitee's address changed: each time the earlier tokens end. */
    addressVersion: integer('address_version').notNull().default(0),
    assignedHostId: text('assigned_host_id'),
    assignedHost: text('assigned_host', { mode: 'json' }).$type<AssignedHost>(),
    /** The hosts who take part beside the assigned one: others of the pool first; null without any. */
    coHosts: text('co_hosts', { mode: 'json' }).$type<readonly AssignedHost[]>(),
    /** Chosen by name, so that a move does not give it to another host. */
    hostChosen: integer('host_chosen', { mode: 'boolean' }).notNull().default(false),
    /** As it was made it counted for all hosts of its event type, which the trigger that counts the booking did. */
    countsForAll: integer('counts_for_all', { mode: 'boolean' }).notNull().default(false),
    /** Its host left, and it was given to nobody else. */
    needsHost: integer('needs_host', { mode: 'boolean' }).notNull().default(false),
    /** The rules that its present time breaks on purpose; null where it breaks none. */
    overridden: text({ mode: 'json' }).$type<readonly RuleToSetAside[]>(),
    /** What was shown when it was made: per seat, an amount of 0 is free. Null before prices were kept, and for a free booking. */
    price: text({ mode: 'json' }).$type<ShownPrice>(),
    acts: text({ mode: 'json' }).$type<Acts>(),
    /** The series that it was made with. */
    seriesId: text('series_id'),
    /** The place that was chosen, as it was then; null without places. */
    place: text({ mode: 'json' }).$type<Place>(),
    /** The units that it holds; null without any. */
    resources: text({ mode: 'json' }).$type<readonly HeldUnit[]>(),
    /** The time of its event in the owner's calendar, if that is another one: milliseconds. */
    outOfSync: text('out_of_sync', { mode: 'json' }).$type<{
      readonly startTime: number
      readonly endTime: number
    }>(),
    /** The session whose hold and seats it shares; null when it holds its time alone. */
    sessionId: text('session_id'),
    /** The calendar that the booking is written to, and its event there. */
    calendarConnectionId: text('calendar_connection_id'),
    calendarEventId: text('calendar_event_id'),
    /** When the external busy times that it was decided on were asked for; null without calendars. */
    busyAsOf: integer('busy_as_of'),
    /** What its owner did to its event in the calendar that it does not follow. */
    syncError: text('sync_error'),
    conferencingUrl: text('conferencing_url'),
    /** A link of its own, in place of the event type's or of a meeting that is made; null without one. */
    ownMeetingUrl: text('own_meeting_url'),
    location: text(),
    /** Set with the booking; whatever changes the payment's status changes it here in the same batch. */
    payment: text({ mode: 'json' }).$type<BookedPayment>(),
    cancelledAt: integer('cancelled_at'),
    cancelReason: text('cancel_reason'),
    rescheduledAt: integer('rescheduled_at'),
    previousStartTime: integer('previous_start_time'),
    /** How many minutes before its start a reminder is still due, and when to look: for the next one, or whether one was sent. */
    reminderMinutes: text('reminder_minutes', { mode: 'json' }).$type<readonly number[]>(),
    nextReminderAt: integer('next_reminder_at'),
    /** How many minutes after its end attendees get the follow-up; null if they get none, or got it. */
    followUpMinutes: integer('follow_up_minutes'),
    /** When the sweep enqueues due reminders again; null until the queue is behind. */
    tellRemindersAgainAt: integer('tell_reminders_again_at'),
    /** The anonymous caller, as limits count them: keyed hashes of the network and the address. */
    networkMark: text('network_mark'),
    addressMark: text('address_mark'),
    /** When the invitee moved it with the token; the latest only. */
    inviteeMoves: text('invitee_moves', { mode: 'json' }).$type<number[]>(),
    /** When attendance was last recorded; null until then. The number of attendees who did not come. */
    attendanceAt: integer('attendance_at'),
    noShows: integer('no_shows').notNull().default(0),
    hostAbsent: integer('host_absent', { mode: 'boolean' }).notNull().default(false),
    /** The booking's own entry in the activity log; null if that is a row of `activity`. */
    logEntry: text('log_entry', { mode: 'json' }).$type<LogEntry>(),
    /** Grows with every change: a commit that decided on an older state is refused. */
    revision: integer().notNull().default(1),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    // A page of a list is read from one end of one of these: they end with the status and the id.
    index('bookings_status').on(t.organizationId, t.isTest, t.status, t.id),
    index('bookings_event_type').on(t.eventTypeId, t.status, t.id),
    index('bookings_host')
      .on(t.assignedHostId, t.isTest, t.status, t.id)
      .where(sql`assigned_host_id IS NOT NULL`),
    index('bookings_host_event_type')
      .on(t.assignedHostId, t.eventTypeId, t.status, t.id)
      .where(sql`assigned_host_id IS NOT NULL`),
    index('bookings_invitee').on(t.organizationId, t.isTest, sql`lower(invitee_email)`, t.id),
    // By start: only a query that names the expression uses it, so that no list by creation sorts all of a status.
    index('bookings_start').on(sql`organization_id || '/' || is_test`, t.status, t.startTime, t.id),
    // A host's other bookings are found among their holds, which are in that order.
    index('bookings_cancelled_host')
      .on(t.assignedHostId, t.isTest, t.startTime, t.id)
      .where(sql`status = 'cancelled' AND assigned_host_id IS NOT NULL`),
    index('bookings_event_type_start').on(t.eventTypeId, t.startTime, t.status, t.assignedHostId),
    index('bookings_calendar')
      .on(t.calendarConnectionId, t.startTime, t.status)
      .where(sql`calendar_connection_id IS NOT NULL`),
    index('bookings_session').on(t.sessionId).where(sql`session_id IS NOT NULL`),
    index('bookings_series').on(t.seriesId).where(sql`series_id IS NOT NULL`),
    // What somebody has to do something about: few at any time.
    index('bookings_concerned')
      .on(t.organizationId, t.isTest, t.startTime)
      .where(sql`needs_host = 1 OR out_of_sync IS NOT NULL`),
    // Live rows come first in the index, so that the sweep reads nothing of sandboxes, whose clocks may be stopped.
    index('bookings_reminders').on(t.isTest, t.nextReminderAt, t.id).where(sql`next_reminder_at IS NOT NULL`),
    // It names the mode although the condition implies it: otherwise the index above would be used for a sandbox too, and read
    // all others in it.
    index('bookings_reminders_sandbox')
      .on(t.organizationId, t.isTest, t.nextReminderAt)
      .where(sql`is_test = 1 AND next_reminder_at IS NOT NULL`),
    index('bookings_pending_network')
      .on(t.organizationId, t.isTest, t.networkMark)
      .where(sql`status = 'pending_payment' AND network_mark IS NOT NULL`),
    index('bookings_active_address')
      .on(t.eventTypeId, t.addressMark, t.startTime)
      .where(sql`status <> 'cancelled' AND address_mark IS NOT NULL`),
  ],
)

/**
 * Bookings of one event type that share one start, one hold and its seats. Triggers on bookings keep `seats_taken`
 * and refuse a seat too many; with the last seat the session and its hold go.
 */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text().primaryKey(),
    eventTypeId: text('event_type_id').notNull(),
    startTime: integer('start_time').notNull(),
    endTime: integer('end_time').notNull(),
    seatsTaken: integer('seats_taken').notNull().default(0),
    assignedHost: text('assigned_host', { mode: 'json' }).$type<AssignedHost>(),
    /** As those of a booking. */
    coHosts: text('co_hosts', { mode: 'json' }).$type<readonly AssignedHost[]>(),
    /** The calendar that the session is written to, with everybody who joins it. */
    calendarConnectionId: text('calendar_connection_id'),
    /** The units that it holds; null without any. */
    resources: text({ mode: 'json' }).$type<readonly HeldUnit[]>(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [uniqueIndex('sessions_start').on(t.eventTypeId, t.startTime)],
)

/**
 * Time that is taken: `[starts_at, ends_at)` of one resource, buffers included. A resource is whatever cannot be in two places:
 * an event type without hosts, a host, a calendar. Triggers refuse a hold that overlaps another one of its
 * resource. Rows exist only for active bookings and open holds; their time is never changed, only inserted and deleted.
 * One whose deadline has passed blocks nothing and goes before anything is put in its place.
 */
export const holds = sqliteTable(
  'holds',
  {
    resourceId: text('resource_id').notNull(),
    startsAt: integer('starts_at').notNull(),
    endsAt: integer('ends_at').notNull(),
    holderId: text('holder_id').notNull(),
    /** The event type that keeps it of a host who left; empty where the resource itself is held. */
    keptBy: text('kept_by').default('').notNull(),
    /** When the meeting itself begins, by which a member's bookings of a day are counted. */
    meetsAt: integer('meets_at'),
    /** Until when it counts; null where it is held until it is released. */
    expiresAt: integer('expires_at'),
  },
  (t) => [
    primaryKey({ columns: [t.resourceId, t.keptBy, t.startsAt] }),
    index('holds_holder').on(t.holderId),
    index('holds_expiry').on(t.resourceId, t.expiresAt).where(sql`expires_at IS NOT NULL`),
    index('holds_kept').on(t.keptBy, t.startsAt).where(sql`kept_by <> ''`),
  ],
)

/**
 * The holds of a resource without a deadline that start in a fortnight since 1970, packed for questions that read a large
 * team: see `engine/schedule/taken`. A change of one deletes the row, so what has a row is as the holds are.
 */
export const packedHolds = sqliteTable(
  'packed_holds',
  {
    fortnight: integer().notNull(),
    resourceId: text('resource_id').notNull(),
    times: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.fortnight, t.resourceId] })],
)

export type BookingRow = typeof bookings.$inferSelect
