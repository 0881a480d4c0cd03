import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import {
  aboutColumn,
  CONFIRMATION_OR_REQUEST,
  ownerColumn,
  peopleColumn,
  peopleOfEventColumn,
} from '../../outbox/mail/about/statements.ts'
import { dayOf } from '../../outbox/mail/daily-limit.ts'
import { causedColumn } from '../../outbox/mail/statements.ts'
import type { Db } from '../../platform/db/client.ts'
import { calendarsOfCoHosts } from '../../platform/db/co-hosts.ts'
import { newestDueOf, staysHere } from '../../platform/db/due-page.ts'
import { HOLDER } from '../../platform/db/held-bookings.ts'
import { CLOCKS_DIFFER_MS } from '../../platform/db/leases.ts'
import { IS_ITS_MEETING, IS_ITS_WRITE, LINK_COLUMNS } from '../../platform/db/meeting-links.ts'
import { EVENT_NOTED_AT } from '../../platform/db/noted-emails.ts'
import { type At, named, queryOnce } from '../../platform/db/prepared.ts'
import { bookings } from '../../platform/db/schema/bookings.ts'
import { calendarWrites } from '../../platform/db/schema/calendars.ts'
import { meetings } from '../../platform/db/schema/conferencing.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { emails } from '../../platform/db/schema/mail.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { payments } from '../../platform/db/schema/payments.ts'
import { events } from '../../platform/db/schema/records.ts'
import { waitlistEntries } from '../../platform/db/schema/waitlist.ts'
import type { webhookEndpoints } from '../../platform/db/schema/webhooks.ts'
import type { RealMs } from '../../platform/limits/clock.ts'

function emailAbout(id: string, kinds: readonly (typeof emails.$inferSelect)['kind'][]): SQL {
  return sql`(SELECT subject_id FROM emails WHERE ${and(eq(emails.id, id), inArray(emails.kind, [...kinds]))})`
}

/** The payment of a booking that has a price; no lookup for others. */
const isOfPaidBooking = sql`${payments.bookingId} = CASE WHEN ${bookings.payment} IS NOT NULL THEN ${bookings.id} END`

/** The kind of text of the emails of an event; null if they have only the default. */
const KIND_OF_EVENT = sql`CASE
  WHEN ${events.data} ->> '$.status' = 'pending_approval' AND ${events.kind} IN ('booking.created', 'booking.requested',
    'booking.confirmed', 'booking.rescheduled') THEN 'request'
  WHEN ${events.kind} IN ('booking.created', 'booking.confirmed', 'waitlist.promoted') THEN 'confirmation'
  WHEN ${events.kind} = 'booking.requested' THEN 'request'
  WHEN ${events.kind} = 'booking.rescheduled' THEN 'moved'
  WHEN ${events.kind} = 'booking.cancelled' THEN 'cancelled' END`

/** Events of the waitlist are about an entry. */
const ZONE_OF_EVENT = sql`coalesce(${bookings.zoneUnknown},
  (SELECT w.zone_unknown FROM waitlist_entries w WHERE w.id = ${events.data} ->> '$.id'))`

/** What emails contain besides the event itself; the booking's columns are null if it is gone. */
function eventFacts(day: Parameters<typeof causedColumn>[0]) {
  const isPromotion = sql`CASE WHEN ${events.kind} = 'booking.created' THEN EXISTS (
    SELECT 1 FROM waitlist_entries WHERE promoted_booking_id = ${bookings.id}) ELSE 0 END`
  const wasRequest = sql`CASE WHEN ${events.kind} = 'booking.cancelled' THEN EXISTS (
    SELECT 1 FROM slot_holds w WHERE w.id = ${bookings.id} AND w.purpose = 'approval' AND w.status <> 'confirmed') ELSE 0 END`
  const isPaying = sql`${bookings.payment} ->> '$.status' IS 'processing'`
  return {
    about: aboutColumn(KIND_OF_EVENT, ZONE_OF_EVENT),
    /** The recipients besides the invitee. */
    people: peopleOfEventColumn(),
    isKeyless: bookings.isKeyless,
    /** How many emails its booking has caused that day; null if they are not counted. */
    causedToday: causedColumn(day),
    /** Sealed. */
    answers: bookings.answers,
    inviteePhone: bookings.inviteePhone,
    conferencingUrl: bookings.conferencingUrl,
    startTime: bookings.startTime,
    endTime: bookings.endTime,
    location: bookings.location,
    status: bookings.status,
    inviteeEmail: bookings.inviteeEmail,
    addressVersion: bookings.addressVersion,
    payBy: sql<number | null>`${payments.expiresAt}`.as('pay_by'),
    intentId: sql<string | null>`${payments.intentId}`.as('intent'),
    /** Whether its payment is being processed. */
    isPaying: named(isPaying, Boolean, 'is_paying'),
    /** What was or is being refunded. */
    givenBack: sql<number | null>`${payments.refundedAmount} + ${payments.reservedAmount}`.as('given_back'),
    /** Whether it was booked from the waitlist. */
    isPromotion: named(isPromotion, Boolean, 'is_promotion'),
    /** Whether it expired before it was approved. */
    wasRequest: named(wasRequest, Boolean, 'was_request'),
  }
}

/**
 * What an email contains besides the event itself. The names exist even if the event type is gone; the booking's columns
 * are null if the booking is gone.
 */
function selectEventFacts(db: Db, eventId: string | SQL) {
  const told = (path: string) => sql`json_extract(${events.data}, ${path})`
  return db
    .select({
      id: events.id,
      organizationId: events.organizationId,
      isTest: events.isTest,
      kind: events.kind,
      data: events.data,
      previous: events.previous,
      revision: events.revision,
      happenedAt: sql<number>`${events.createdAt}`.as('happened_at'),
      heldBack: events.heldBack,
      // The recipients who are left out were chosen when it was enqueued.
      ...eventFacts(0),
    })
    .from(events)
    .innerJoin(eventTypes, eq(eventTypes.id, told('$.event_type_id')))
    .innerJoin(organizations, eq(organizations.id, events.organizationId))
    .leftJoin(bookings, sql`${bookings.id} = coalesce(${told('$.promoted_booking_id')}, ${told('$.id')})`)
    .leftJoin(payments, isOfPaidBooking)
    .where(eq(events.id, eventId))
}

type Listener = Pick<
  typeof webhookEndpoints.$inferSelect,
  'id' | 'url' | 'events' | 'secret' | 'previousSecret' | 'previousSecretExpiresAt'
>
type WriteKey = Pick<typeof calendarWrites.$inferSelect, 'holderId' | 'connectionId'>

/** Among how many due items an event looks for those of its organization, which are handled together with it. */
const DUE_WITH_EVENT = 100

type Handling = {
  readonly eventId: string
  readonly now: RealMs
  readonly dueBy: number
  readonly day: number
}

const unhandledEvent = queryOnce((db, at: At<Handling>) => {
  const told = (path: string) => sql`json_extract(${events.data}, ${sql.raw(`'${path}'`)})`
  const listeners = sql`(SELECT json_group_array(json_object('id', e.id, 'url', e.url, 'events', json(e.events),
      'secret', e.secret, 'previousSecret', e.previous_secret, 'previousSecretExpiresAt', e.previous_secret_expires_at))
    FROM webhook_endpoints e WHERE e.organization_id = ${events.organizationId} AND e.is_test = ${events.isTest}
      AND e.active AND e.verification_status = 'verified' AND e.suspended_at IS NULL)`
  const newest = { organizationId: events.organizationId, by: sql`${at.dueBy}`, many: DUE_WITH_EVENT }
  const isFree = sql`(due.claimed_until IS NULL OR due.claimed_until <= ${at.now})`
  const dueMeetings = sql`(${newestDueOf('meetings', 'json_group_array(due.holder_id)', newest)} AND ${isFree})`
  const writeKeys =
    "json_group_array(json_object('holderId', due.holder_id, 'connectionId', due.connection_id))"
  const dueWrites = sql`(${newestDueOf('calendar_writes', writeKeys, newest)} AND ${isFree})`
  const dueNotice = sql<string | null>`(SELECT month FROM booking_quotas INDEXED BY booking_quotas_notices
    WHERE organization_id = ${events.organizationId} AND notice_at IS NOT NULL LIMIT 1)`
  // Whether the calendars of a collective meeting's other hosts have no event of it yet, or one without its new attendee.
  const others = sql.raw(`(${calendarsOfCoHosts('bookings')})`)
  const isJoined = sql`${bookings.sessionId} IS NOT NULL AND ${events.kind} IN ('booking.created', 'waitlist.promoted')`
  const isMissing = sql`NOT EXISTS (SELECT 1 FROM calendar_writes w WHERE w.holder_id = ${HOLDER} AND w.connection_id = c.id)`
  const spreads = sql`CASE WHEN ${bookings.coHosts} IS NOT NULL AND ${eventTypes.assignmentStrategy} = 'none'
      AND ${bookings.status} IN ('confirmed', 'rescheduled') THEN (SELECT CASE WHEN ${isJoined} THEN 'again' ELSE 'new' END
      FROM calendar_connections c WHERE c.id IN (${others}) AND (${isJoined} OR ${isMissing}) LIMIT 1) END`
  const fields = {
    event: events,
    spreads: named(spreads, (text: string | null) => text as 'new' | 'again' | null, 'spreads'),
    listeners: named(listeners, (text: string) => JSON.parse(text) as Listener[], 'listeners'),
    dueMeetings: named(dueMeetings, (text: string) => JSON.parse(text) as string[], 'due_meetings'),
    dueWrites: named(dueWrites, (text: string) => JSON.parse(text) as WriteKey[], 'due_writes'),
    dueNotice: dueNotice.as('due_notice'),
    /** For text messages. */
    smsConsent: bookings.smsConsent,
    reminderChannels: eventTypes.reminderChannels,
    reminderIntervals: eventTypes.reminderIntervals,
    ...eventFacts(at.day),
    notedAt: sql<number | null>`${EVENT_NOTED_AT}`.as('noted_at'),
    bookingId: sql<string | null>`${bookings.id}`.as('booking'),
    holderId: sql<string | null>`${HOLDER}`.as('holder'),
    ...LINK_COLUMNS,
  }
  const query = db
    .select(fields)
    .from(events)
    .leftJoin(eventTypes, eq(eventTypes.id, told('$.event_type_id')))
    .leftJoin(organizations, eq(organizations.id, events.organizationId))
    .leftJoin(bookings, sql`${bookings.id} = coalesce(${told('$.promoted_booking_id')}, ${told('$.id')})`)
    .leftJoin(payments, isOfPaidBooking)
    .leftJoin(meetings, IS_ITS_MEETING)
    .leftJoin(calendarWrites, IS_ITS_WRITE)
    .where(and(eq(events.id, at.eventId), isNull(events.handledAt), staysHere(events.organizationId)))
  return { fields, query }
})

/**
 * An event to be handled, with its webhook endpoints, the content of its emails, the account that creates its meeting link,
 * and the calendar writes, meetings and plan notice that are due in its organization.
 */
export function selectUnhandledEvent(db: Db, eventId: string, now: RealMs) {
  return unhandledEvent(db, { eventId, now, dueBy: now + CLOCKS_DIFFER_MS, day: dayOf(now) })
}

export function selectFactsOfEmail(db: Db, emailId: string) {
  return selectEventFacts(db, emailAbout(emailId, ['event']))
}

/** Bookings of a series that changed together, by start, each with the members who get an email about it. */
export function selectTogether(db: Db, ids: readonly string[]) {
  return db
    .select({ booking: bookings, people: peopleColumn() })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(sql`${bookings.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .orderBy(asc(bookings.startTime), asc(bookings.id))
}

/** The current booking of an email of another kind. */
export function selectBookingOfEmail(db: Db, emailId: string) {
  const kind = sql`(SELECT CASE kind WHEN 'reminder' THEN 'reminder' WHEN 'follow_up' THEN 'follow_up' WHEN 'payable' THEN 'confirmation' WHEN 'resent'
    THEN ${CONFIRMATION_OR_REQUEST} END FROM emails WHERE ${eq(emails.id, emailId)})`
  return db
    .select({
      booking: bookings,
      about: aboutColumn(kind, bookings.zoneUnknown),
      people: peopleColumn(),
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(eq(bookings.id, emailAbout(emailId, ['link', 'reminder', 'follow_up', 'payable', 'resent'])))
}

/** The current waitlist entry of an email. */
export function selectEntryOfEmail(db: Db, emailId: string) {
  return db
    .select({
      entry: waitlistEntries,
      location: eventTypes.location,
      about: aboutColumn('waitlist', waitlistEntries.zoneUnknown),
      people: ownerColumn(),
    })
    .from(waitlistEntries)
    .innerJoin(eventTypes, eq(eventTypes.id, waitlistEntries.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, waitlistEntries.organizationId))
    .where(eq(waitlistEntries.id, emailAbout(emailId, ['waiting'])))
}
