import { and, eq, getTableColumns, inArray, ne, sql } from 'drizzle-orm'
import { PAYMENT_WITH_DISPUTE } from '../../money/payments/statements.ts'
import { aboutColumn, CONFIRMATION_OR_REQUEST, peopleColumn } from '../../outbox/mail/about/statements.ts'
import { dayOf } from '../../outbox/mail/daily-limit.ts'
import { causedColumn, isQuietColumn } from '../../outbox/mail/statements.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { BRANDING_COLUMNS } from '../../platform/db/branding-columns.ts'
import type { Db } from '../../platform/db/client.ts'
import { isAddress } from '../../platform/db/email-spellings.ts'
import { takesPlaceUnder } from '../../platform/db/held-bookings.ts'
import { IS_ITS_WRITE } from '../../platform/db/meeting-links.ts'
import { MEETS_AT } from '../../platform/db/meets-at.ts'
import { EVENT_NOTED_AT } from '../../platform/db/noted-emails.ts'
import { type At, queryOnce } from '../../platform/db/prepared.ts'
import { type BookingRow, bookings, holds } from '../../platform/db/schema/bookings.ts'
import { calendarWrites } from '../../platform/db/schema/calendars.ts'
import type { EmailTextKind } from '../../platform/db/schema/email-texts.ts'
import { eventTypes } from '../../platform/db/schema/event-types.ts'
import { organizations } from '../../platform/db/schema/organizations.ts'
import { payments } from '../../platform/db/schema/payments.ts'
import { events } from '../../platform/db/schema/records.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { HOSTS_TO_CHOOSE, SHOWN_HOSTS_OF_BOOKING } from '../shown-hosts/statements.ts'
import type { LinkMeeting } from './commands.ts'
import { LINKING_KINDS } from './email-recipients.ts'

/** The input of `allowedActions`. No column has a name that a booking has. */
const TERMS = {
  eventType: {
    active: eventTypes.active,
    deletedAt: eventTypes.deletedAt,
    cancelNoticeMinutes: eventTypes.cancelNoticeMinutes,
    rescheduleNoticeMinutes: eventTypes.rescheduleNoticeMinutes,
  },
  payment: {
    refundPolicy: payments.refundPolicy,
    refundedAmount: payments.refundedAmount,
    reservedAmount: payments.reservedAmount,
  },
}

const bookingById = queryOnce((db, at: At<{ id: string }>) => ({
  fields: getTableColumns(bookings),
  query: db.select().from(bookings).where(eq(bookings.id, at.id)),
}))

export function selectBooking(db: Db, id: string) {
  return bookingById(db, { id })
}

const bookingAndLinkById = queryOnce((db, at: At<{ id: string }>) => {
  const fields = { booking: bookings, calendarLink: calendarWrites.meetingUrl }
  const query = db
    .select(fields)
    .from(bookings)
    .leftJoin(calendarWrites, IS_ITS_WRITE)
    .where(eq(bookings.id, at.id))
  return { fields, query }
})

/** A booking with the link that its calendar made with its event. */
export function selectBookingAndCalendarLink(db: Db, id: string) {
  return bookingAndLinkById(db, { id })
}

/** No address has more bookings at one start than hosts, and a few are enough to find its own. */
const MOST_AT_START = 20

/** The active bookings at a start in which an address has a seat, the oldest first. */
export function selectAtStart(
  db: Db,
  { eventTypeId, startTime }: Pick<BookingRow, 'eventTypeId' | 'startTime'>,
  email: string,
) {
  return db
    .select({ id: bookings.id, addressVersion: bookings.addressVersion })
    .from(bookings)
    .where(
      and(
        eq(bookings.eventTypeId, eventTypeId),
        eq(bookings.startTime, startTime),
        ne(bookings.status, 'cancelled'),
        sql`EXISTS (SELECT 1 FROM json_each(${bookings.attendees}) one
          WHERE ${isAddress(sql`lower(one.value ->> 'email')`, email)})`,
      ),
    )
    .orderBy(bookings.id)
    .limit(MOST_AT_START)
}

export function selectBookingAndClock(db: Db, id: string) {
  return db
    .select({ booking: bookings, sandboxNow: organizations.sandboxNow })
    .from(bookings)
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(eq(bookings.id, id))
}

/** All that its invitee sees, in one round trip. No two columns have one name: a batch would merge them. */
export function selectBookingWithOwner(db: Db, id: string) {
  const { title, slug, color, bookingPageEnabled, maxAttendees, timezone } = eventTypes
  const { conferencingProvider, redirectUrl, assignmentStrategy } = eventTypes
  return db
    .select({
      booking: bookings,
      eventType: {
        title,
        slug,
        color,
        bookingPageEnabled,
        maxAttendees,
        timezone,
        conferencingProvider,
        redirectUrl,
        assignmentStrategy,
        ...TERMS.eventType,
      },
      payment: { ...TERMS.payment, payBy: payments.expiresAt },
      hosts: SHOWN_HOSTS_OF_BOOKING,
      toChoose: HOSTS_TO_CHOOSE,
      organization: {
        name: organizations.name,
        slug: sql<string>`${organizations.slug}`.as('organization_slug'),
        sandboxNow: organizations.sandboxNow,
        ...BRANDING_COLUMNS,
        redirectHosts: organizations.allowedRedirectHosts,
      },
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .leftJoin(payments, eq(payments.bookingId, bookings.id))
    .where(eq(bookings.id, id))
}

export function selectBookingDetail(db: Db, id: string) {
  const { title, durationMinutes } = eventTypes
  return db
    .select({
      booking: bookings,
      eventType: { title, durationMinutes, ...TERMS.eventType },
      payment: TERMS.payment,
      sandboxNow: organizations.sandboxNow,
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .leftJoin(payments, eq(payments.bookingId, bookings.id))
    .where(eq(bookings.id, id))
}

/** An invitee's answers, sealed. */
export async function findAnswersInTenant(db: Db, tenant: Tenant, id: string): Promise<string | null> {
  const { organizationId, isTest } = tenant
  const [row] = await db
    .select({ answers: bookings.answers })
    .from(bookings)
    .where(and(eq(bookings.id, id), eq(bookings.organizationId, organizationId), eq(bookings.isTest, isTest)))
  return row?.answers ?? null
}

/** What emails about a booking say besides the booking, with the organization's own texts of a kind. */
export function selectAboutBooking(db: Db, id: string, kind: EmailTextKind | null = null) {
  return db
    .select({ about: aboutColumn(kind, bookings.zoneUnknown), people: peopleColumn() })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(eq(bookings.id, id))
}

/** The same with the booking, for an email on demand. */
export function selectToResend(db: Db, id: string, now: RealMs) {
  return db
    .select({
      booking: bookings,
      about: aboutColumn(CONFIRMATION_OR_REQUEST, bookings.zoneUnknown),
      people: peopleColumn(),
      causedToday: causedColumn(dayOf(now)),
      sandboxNow: organizations.sandboxNow,
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(eq(bookings.id, id))
}

type Booked = { readonly eventTypeId: string; readonly bookingId: string }

/** What an invitee's cancellation depends on, besides the booking itself. */
export function selectCancelTerms(db: Db, booked: Booked) {
  return cancelTermsOf(db, booked)
}

const cancelTermsOf = queryOnce((db, at: At<Booked>) => {
  const { cancelNoticeMinutes, inviteeLimit } = eventTypes
  const fields = { cancelNoticeMinutes, inviteeLimit, payment: PAYMENT_WITH_DISPUTE }
  const query = db
    .select(fields)
    .from(eventTypes)
    .leftJoin(payments, eq(payments.bookingId, sql`${at.bookingId}`))
    .where(eq(eventTypes.id, at.eventTypeId))
  return { fields, query }
})

export function selectReminderPlan(db: Db, eventTypeId: string) {
  const { reminderIntervals, followUpMinutes } = eventTypes
  return db
    .select({ reminderIntervals, followUpMinutes })
    .from(eventTypes)
    .where(eq(eventTypes.id, eventTypeId))
}

/** The time that a booking holds, alone or with its session. */
export function selectHold(db: Db, bookingId: string) {
  return holdOfBooking(db, { bookingId })
}

const holdOfBooking = queryOnce((db, at: At<{ bookingId: string }>) => {
  const holder = sql`(SELECT coalesce(session_id, id) FROM bookings WHERE id = ${at.bookingId})`
  const fields = { start: holds.startsAt, end: holds.endsAt }
  return { fields, query: db.select(fields).from(holds).where(eq(holds.holderId, holder)).limit(1) }
})

/**
 * The bookings of one holder that lack this link, with the event whose emails will include it; null if those emails were
 * sent already. Events that send no email, or that happened before the booking was certain, do not count.
 */
export function selectUnlinked(
  db: Db,
  { holderId, url, maker }: Pick<LinkMeeting, 'holderId' | 'url' | 'maker'>,
  now: RealMs,
) {
  const untold = sql<string | null>`(SELECT id FROM ${events}
    WHERE ${events.handledAt} IS NULL AND json_extract(${events.data}, '$.id') = ${bookings.id}
      AND ${events.claimedUntil} IS NULL AND ${EVENT_NOTED_AT} IS NULL
      AND json_extract(${events.data}, '$.status') NOT LIKE 'pending%'
      AND ${inArray(events.kind, [...LINKING_KINDS])} LIMIT 1)`
  return db
    .select({
      booking: bookings,
      about: aboutColumn(null, bookings.zoneUnknown),
      people: peopleColumn(),
      untold: untold.as('untold'),
      causedToday: causedColumn(dayOf(now)),
      isQuiet: isQuietColumn(),
    })
    .from(bookings)
    .innerJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .innerJoin(organizations, eq(organizations.id, bookings.organizationId))
    .where(
      and(
        takesPlaceUnder(holderId),
        MEETS_AT[maker],
        sql`${bookings.ownMeetingUrl} IS NULL AND ${bookings.conferencingUrl} IS NOT ${url}`,
      ),
    )
}

/** What the event type asks its invitees today, and how many guests they can bring. */
export async function findAskedOf(db: Db, eventTypeId: string) {
  const { questions, maxGuests, reminderChannels } = eventTypes
  const [row] = await db
    .select({ questions, maxGuests, reminderChannels })
    .from(eventTypes)
    .where(eq(eventTypes.id, eventTypeId))
  return row ?? { questions: [], maxGuests: 0, reminderChannels: [] }
}
