import type { Placement } from '../../engine/schedule/placement.ts'
import { priceShown } from '../../engine/schedule/price.ts'
import { unitsOrNull } from '../../engine/schedule/resources/rooms.ts'
import type { EventTypeRow } from '../../engine/schedule/schedule.ts'
import { coHostsOrNull } from '../../engine/schedule/team.ts'
import { newPayment } from '../../money/payments/new-payment.ts'
import { newId } from '../../platform/db/ids.ts'
import type { BookingRow, Guest, ShownPrice } from '../../platform/db/schema/bookings.ts'
import type { Place } from '../../platform/db/schema/event-types.ts'
import { spokenTag } from '../../platform/i18n/tags.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { locationOf } from '../places/choose-place.ts'
import type { CreateBookingInput } from './input-schema.ts'
import { givenLink } from './meeting-link.ts'
import { NO_REMINDERS, planReminders } from './reminders/plan-reminders.ts'

type Person = { readonly name: string; readonly email: string; readonly timezone: string }

/** The invitee, the other attendees, and what they wrote. */
type Invitee = Person & {
  /** Their zone was not given. */
  readonly zoneUnknown: boolean
  /** A BCP 47 tag of one of our languages. */
  readonly locale: string
  readonly notes: string | null
  /** Their answers, sealed. */
  readonly answers: string | null
  readonly metadata: Record<string, unknown>
  readonly others: readonly Person[]
  /** People without a seat. */
  readonly guests: readonly Omit<Guest, 'id'>[]
  /** Sealed. */
  readonly phone: string | null
  readonly smsConsent: boolean | undefined
  /** Where they chose to meet; null without places. */
  readonly place: Place | null
}

/** Attendees without a time zone get the invitee's. */
export function inviteeOf(
  input: Omit<CreateBookingInput, 'start_time' | 'event_type_id'>,
  organizationLocale: string,
  { answers, phone, place }: Pick<Invitee, 'answers' | 'phone' | 'place'>,
): Invitee {
  const timezone = input.invitee_timezone ?? 'UTC'
  return {
    name: input.invitee_name,
    email: input.invitee_email,
    timezone,
    zoneUnknown: input.invitee_timezone === undefined,
    locale: spokenTag(input.locale, organizationLocale),
    notes: input.notes ?? null,
    answers,
    phone,
    smsConsent: input.sms_consent,
    place,
    metadata: input.metadata,
    others: input.attendees
      .filter(({ email }) => email.toLowerCase() !== input.invitee_email.toLowerCase())
      .map((other) => ({ name: other.name, email: other.email, timezone: other.timezone ?? timezone })),
    guests: (input.guests ?? []).map((guest) => withZone(guest, timezone)),
  }
}

/** Guests without a time zone get the invitee's. */
export function withZone(
  { email, name, timezone }: NonNullable<CreateBookingInput['guests']>[number],
  inviteeTimezone: string,
): Omit<Guest, 'id'> {
  return { email, name: name ?? null, timezone: timezone ?? inviteeTimezone }
}

export function newBooking(
  eventType: EventTypeRow,
  {
    others,
    guests,
    locale,
    notes,
    answers,
    phone,
    smsConsent,
    place,
    metadata,
    zoneUnknown,
    ...invitee
  }: Invitee,
  placement: Placement,
  isKeyless: boolean,
  now: PresentMs,
  price: ShownPrice = priceShown(eventType),
): BookingRow {
  const isRequest = eventType.requiresApproval
  // A request costs nothing before it is approved.
  const payment = isRequest ? null : newPayment(eventType.id, price, 1 + others.length)
  const isSure = !isRequest && payment === null
  return {
    id: newId(eventType.id),
    organizationId: eventType.organizationId,
    eventTypeId: eventType.id,
    isTest: eventType.isTest,
    status: isRequest ? 'pending_approval' : payment ? 'pending_payment' : 'confirmed',
    startTime: placement.start,
    endTime: placement.end,
    inviteeName: invitee.name,
    inviteeEmail: invitee.email,
    inviteeTimezone: invitee.timezone,
    zoneUnknown,
    inviteeLocale: locale,
    notes,
    answers,
    isKeyless,
    metadata,
    attendees: [invitee, ...others].map((person, at) => ({
      id: newId(eventType.id),
      ...person,
      is_primary: at === 0,
    })),
    guests: guests.length === 0 ? null : guests.map((guest) => ({ id: newId(eventType.id), ...guest })),
    inviteePhone: phone,
    // With a key, the organization says that its invitees agreed.
    smsConsent: smsConsent ?? !isKeyless,
    addressVersion: 0,
    assignedHostId: placement.host?.member_id ?? null,
    assignedHost: placement.host,
    coHosts: coHostsOrNull(placement.coHosts),
    hostChosen: false,
    countsForAll: false,
    needsHost: false,
    overridden: null,
    // A request that was free stays free.
    price: price.amount === 0 && !isRequest ? null : price,
    acts: null,
    seriesId: null,
    place,
    resources: unitsOrNull(placement.units),
    outOfSync: null,
    sessionId: sessionIdOf(placement, eventType.id),
    calendarConnectionId: placement.calendarConnectionId,
    calendarEventId: null,
    busyAsOf: placement.busyAsOf,
    syncError: null,
    conferencingUrl: givenLink(eventType, place),
    ownMeetingUrl: null,
    location: place === null ? eventType.location : locationOf(place),
    payment,
    cancelledAt: null,
    cancelReason: null,
    rescheduledAt: null,
    previousStartTime: null,
    // A waiting booking gets its reminders once it is confirmed.
    ...(isSure
      ? planReminders(eventType, { startTime: placement.start, endTime: placement.end }, now)
      : NO_REMINDERS),
    networkMark: null,
    addressMark: null,
    inviteeMoves: null,
    attendanceAt: null,
    noShows: 0,
    hostAbsent: false,
    logEntry: null,
    revision: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** The session of a placed booking: an existing one, a new one, or none. */
export function sessionIdOf({ session }: Placement, eventTypeId: string): string | null {
  if (session === null) return null
  return session === 'new' ? newId(eventTypeId) : session.id
}
