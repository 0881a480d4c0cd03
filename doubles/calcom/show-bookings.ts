import type { Json } from '../world.ts'
import { type Cal, type Stored, shown } from './state.ts'

/**
 * cal.com/docs/api-reference/v2/bookings/get-all-bookings. There is one host, also where several meet: the others are among the
 * attendees, as guests are. Seats have attendees with answers of their own, without their address in those.
 */
export function showBooking(cal: Cal, booking: Stored): Json {
  const eventType = cal.records.event_types.get(booking.eventTypeId)
  const others = (booking._otherHosts as number[]).map((id) => cal.records.users.get(id)!)
  const isOneHost = cal.settings.collectiveHosts === 'one is a host'
  const seats = eventType?.seats
  const isHidden = seats?.showAttendeeInfo === false && cal.settings.hiddenAttendees === 'are left out'
  return {
    ...shown(booking),
    hosts: [...(booking.hosts as Json[]), ...(isOneHost ? [] : others.map((user) => hostOf(user)))],
    attendees: isHidden
      ? []
      : [...(booking.attendees as Json[]), ...(isOneHost ? others.map((user) => attendeeOf(user)) : [])],
  }
}

export function hostOf(user: Stored): Json {
  const { id, name, email, username, timeZone } = user
  return { id, name, email, displayEmail: email, username, timeZone }
}

function attendeeOf({ name, email, timeZone, locale }: Stored): Json {
  return { name, email, displayEmail: email, timeZone, language: locale, absent: false }
}

/** The form of 2024-04-15: calcom/cal.diy#16913. */
export function showOldBooking(booking: Stored): Json {
  const [host] = booking.hosts as [Json]
  return {
    id: booking.id,
    userId: host.id,
    description: booking.description,
    eventTypeId: booking.eventTypeId,
    uid: booking.uid,
    title: booking.title,
    startTime: booking.start,
    endTime: booking.end,
    attendees: (booking.attendees as Json[]).map(({ email, name, timeZone, language }) => ({
      email,
      name,
      timeZone,
      locale: language,
    })),
    user: { email: host.email, name: host.name, timeZone: host.timeZone, locale: null },
    payment: [],
    metadata: booking.metadata,
    status: String(booking.status).toUpperCase(),
    responses: booking.bookingFieldsResponses,
    fromReschedule: booking.rescheduledFromUid ?? null,
  }
}
