import { newId } from '../../../platform/db/ids.ts'
import type { BookingRow, Guest } from '../../../platform/db/schema/bookings.ts'
import type { Left } from '../../../platform/db/schema/records.ts'
import { withZone } from '../new-booking.ts'
import type { UpdateBookingInput } from './input.ts'
import type { BookingToUpdate } from './queries.ts'

type People = Pick<BookingRow, 'attendees' | 'guests'>

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The attendees and guests after the change. An address that stays keeps its id. */
export function peopleAfter(read: BookingRow, input: UpdateBookingInput): People {
  const { invitee_email, invitee_name, invitee_timezone } = input
  const email = invitee_email ?? read.inviteeEmail
  const timezone = invitee_timezone ?? read.inviteeTimezone
  const [primary, ...others] = read.attendees
  const invitee = { ...primary!, name: invitee_name ?? read.inviteeName, email, timezone }
  const wanted = input.attendees?.filter((one) => !isSame(one.email, email))
  const seats = wanted?.map((one) => {
    const known = others.find((other) => isSame(other.email, one.email))
    const zone = one.timezone ?? known?.timezone ?? timezone
    return {
      ...(known ?? { id: newId(read.eventTypeId), is_primary: false }),
      name: one.name,
      email: one.email,
      timezone: zone,
    }
  })
  const guests = input.guests?.map((guest): Guest => {
    const known = read.guests?.find((other) => isSame(other.email, guest.email))
    return { id: known?.id ?? newId(read.eventTypeId), ...withZone(guest, known?.timezone ?? timezone) }
  })
  return {
    attendees: [invitee, ...(seats ?? others)],
    guests: guests === undefined ? read.guests : guests.length === 0 ? null : guests,
  }
}

/** The people whose addresses the booking had before and has no more. */
export function peopleWhoLeft(read: BookingRow, after: People): Left[] {
  const stay = new Set([...after.attendees, ...(after.guests ?? [])].map(({ email }) => email.toLowerCase()))
  return [...read.attendees, ...(read.guests ?? [])]
    .filter(({ email }) => email !== '' && !stay.has(email.toLowerCase()))
    .map(({ id, name, email, timezone }) => ({ id, name: name ?? email, email, timezone }))
}

/** Whether it may bring somebody into the session. */
export function asksSeats({ attendees, invitee_email }: UpdateBookingInput): boolean {
  return attendees !== undefined || invitee_email !== undefined
}

/** The seats of its session at that time: what has expired has none, though nobody ended it yet. */
export function seatsAt({ seatsTaken, seated, held }: BookingToUpdate, now: number) {
  const expired = held.filter(({ expires_at }) => expires_at <= now)
  const waiting = held.filter(({ expires_at }) => expires_at > now).map(({ booking_id }) => booking_id)
  return {
    taken: seatsTaken === null ? null : seatsTaken - expired.reduce((sum, { seats }) => sum + seats, 0),
    emails: seated.filter(([id, , waits]) => !waits || waiting.includes(id)).map(([, email]) => email),
    hasExpired: expired.length > 0,
  }
}
