import { presentPrice } from '../../engine/schedule/price.ts'
import { hostsOf } from '../../engine/schedule/team.ts'
import type { Env } from '../../env.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import { seal, unseal } from '../../platform/auth/secret.ts'
import type { AssignedHost } from '../../platform/db/schema/assigned-host.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { formatInstant, formatNullable } from '../../platform/http/instants.ts'
import { presentActs } from './acts.ts'
import type { Booking, BookingDetail, ListedBooking } from './schema.ts'

/** The reader of an answer. Events and emails have none: they go to the organization, and emails choose what they show. */
type Reader = Pick<Origin, 'actorType'>

function isPublic(reader: Reader | null): boolean {
  return reader?.actorType === 'invitee'
}

type Invited = Pick<BookingRow, 'attendees' | 'inviteeEmail' | 'inviteePhone'>

/** Null if the invitee was booked by phone; an erased address is empty. */
function presentEmail({ inviteeEmail, inviteePhone }: Omit<Invited, 'attendees'>): string | null {
  return inviteeEmail === '' && inviteePhone !== null ? null : inviteeEmail
}

export function presentAttendees(row: Invited): Booking['attendees'] {
  return row.attendees.map((one) => ({
    ...one,
    email: one.is_primary ? presentEmail(row) : one.email,
    no_show: one.no_show ?? false,
  }))
}

export function presentHost(host: AssignedHost): Required<AssignedHost> {
  return { ...host, name: host.name ?? null }
}

/** Everybody who hosts it. The address and the user id of a host are not public. */
export function presentHosts(
  row: Pick<BookingRow, 'assignedHost' | 'coHosts'>,
  reader: Reader | null = null,
): Pick<Booking, 'assigned_host' | 'hosts'> {
  const hidden = isPublic(reader) ? { user_id: null, email: null } : null
  const hosts = hostsOf(row).map((host) => ({ ...presentHost(host), ...hidden }))
  return { assigned_host: row.assignedHost && hosts[0]!, hosts }
}

/** What emails need to know about the other hosts that a booking had; nothing if it had none. */
export function coHostIdsOf({ coHosts }: Pick<BookingRow, 'coHosts'>) {
  return coHosts === null ? {} : { co_host_ids: coHosts.map(({ member_id }) => member_id) }
}

export function presentBooking(row: BookingRow): Booking {
  return {
    id: row.id,
    organization_id: row.organizationId,
    event_type_id: row.eventTypeId,
    status: row.status,
    is_test: row.isTest,
    start_time: formatInstant(row.startTime),
    end_time: formatInstant(row.endTime),
    invitee_name: row.inviteeName,
    invitee_email: presentEmail(row),
    invitee_timezone: row.inviteeTimezone,
    invitee_locale: row.inviteeLocale,
    notes: row.notes,
    metadata: row.metadata,
    attendee_count: row.attendees.length,
    attendees: presentAttendees(row),
    guests: [...(row.guests ?? [])],
    host_absent: row.hostAbsent,
    overridden: [...(row.overridden ?? [])],
    ...presentHosts(row),
    needs_host: row.needsHost,
    resources: [...(row.resources ?? [])],
    session_id: row.sessionId,
    series_id: row.seriesId,
    calendar_connection_id: row.calendarConnectionId,
    calendar_event_id: row.calendarEventId,
    busy_as_of: formatNullable(row.busyAsOf),
    sync_error: row.syncError,
    out_of_sync: row.outOfSync && {
      start_time: formatInstant(row.outOfSync.startTime),
      end_time: formatInstant(row.outOfSync.endTime),
    },
    conferencing_url: row.conferencingUrl,
    location: row.location,
    place: row.place && { ...row.place },
    ...presentPrice(row.price),
    payment: row.payment,
    cancelled_at: formatNullable(row.cancelledAt),
    cancel_reason: row.cancelReason,
    rescheduled_at: formatNullable(row.rescheduledAt),
    previous_start_time: formatNullable(row.previousStartTime),
    ...presentActs(row),
    created_at: formatInstant(row.createdAt),
    updated_at: formatInstant(row.updatedAt),
  }
}

/**
 * A booking for its caller. Invitees see what kind of actor changed it, and not which one. What a calendar says of its event is for
 * its owner: it may name their account.
 */
export function presentTo(reader: Reader, row: BookingRow): Booking {
  return {
    ...presentBooking(row),
    ...presentHosts(row, reader),
    ...presentActs(row, isPublic(reader)),
    ...(isPublic(reader) && { sync_error: null }),
  }
}

/** The sealed number of a booking's invitee; null without one. */
export async function presentPhone(
  { ENCRYPTION_KEY }: Env,
  { inviteePhone }: Pick<BookingRow, 'inviteePhone'>,
) {
  return inviteePhone === null ? null : unseal(ENCRYPTION_KEY, inviteePhone)
}

export async function sealPhone({ ENCRYPTION_KEY }: Env, phone: string | null | undefined) {
  return phone == null ? null : seal(ENCRYPTION_KEY, phone)
}

type BookedEventType = { readonly title: string; readonly durationMinutes: number }

export function presentListed(row: BookingRow, eventType: BookedEventType | undefined): ListedBooking {
  return { ...presentBooking(row), ...(eventType && { event_type: presentBooked(row, eventType) }) }
}

export function presentBookingDetail(
  row: BookingRow,
  eventType: BookedEventType,
  { answers, invitee_phone }: Pick<BookingDetail, 'answers' | 'invitee_phone'>,
  actions: BookingDetail['allowed_actions'],
  reader: Reader,
): BookingDetail {
  return {
    ...presentTo(reader, row),
    invitee_phone,
    sms_consent: row.smsConsent,
    event_type: presentBooked(row, eventType),
    answers,
    allowed_actions: actions,
  }
}

function presentBooked({ eventTypeId }: BookingRow, { title, durationMinutes }: BookedEventType) {
  return { id: eventTypeId, title, duration: durationMinutes }
}
