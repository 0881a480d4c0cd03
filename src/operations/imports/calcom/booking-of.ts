import type { ForeignBooking, GivenAnswer } from '../../../booking/bookings/imported/commands.ts'
import { MINUTE_MS } from '../../../core/time-units.ts'
import { sha256 } from '../../../platform/auth/secret.ts'
import type { FoundBooking, Party } from '../source.ts'
import { emailOf, lineOf, linesOf, phoneOf, zoneOf } from '../text-of.ts'
import { leftOut } from '../whys.ts'
import { type EventType, setOf } from './event-type.ts'
import { meetingOf } from './place-of.ts'
import { labelOf } from './questions-of.ts'
import type { User } from './user.ts'

type Responses = Readonly<Record<string, unknown>>

type Attendee = {
  readonly name?: string | null
  readonly email?: string
  readonly timeZone?: string
  readonly language?: string
  readonly phoneNumber?: string
  readonly seatUid?: string
  readonly bookingFieldsResponses?: Responses
}

export type Booking = {
  readonly uid: string
  readonly title: string
  readonly status: string
  readonly start: string
  readonly end: string
  readonly eventTypeId?: number | null
  readonly location?: string | null
  readonly hosts?: readonly {
    readonly id: number | string
    readonly name?: string
    readonly email?: string
  }[]
  readonly attendees?: readonly Attendee[]
  readonly guests?: readonly string[]
  readonly bookingFieldsResponses?: Responses
}

/** Fields of every event type. */
const OWN_FIELDS = new Set([
  ...['name', 'email', 'guests', 'location', 'notes', 'title', 'rescheduleReason'],
  ...['attendeePhoneNumber', 'smsReminderNumber'],
])
const MOST_GUESTS = 10

/** A booking that is neither over nor cancelled. */
export function bookingOf(
  booking: Booking,
  eventType: EventType | undefined,
  people: ReadonlyMap<number, User>,
  now: number,
): FoundBooking | null {
  const [startTime, endTime] = [Date.parse(booking.start), Date.parse(booking.end)]
  const isPending = booking.status === 'pending'
  if (!isPending && booking.status !== 'accepted') return null
  if (Number.isNaN(startTime) || Number.isNaN(endTime) || startTime < now) return null
  const what = `${lineOf(eventType?.title ?? booking.title, 100) ?? 'Booking'}, ${new Date(startTime).toISOString()}`
  const isShared = eventType !== undefined && setOf(eventType.seats) !== null
  const { place, meetingUrl, phone: called } = meetingOf(booking.location)
  const team = new Set([...people.values()].flatMap(({ email }) => email?.toLowerCase() ?? []))

  const partyOf = (attendee: Attendee, responses: Responses, guests: ForeignBooking['guests']) => {
    const email = emailOf(attendee.email)
    if (email === null) return null
    return {
      startTime,
      durationMinutes: Math.round((endTime - startTime) / MINUTE_MS),
      isPending,
      name: lineOf(attendee.name, 255) ?? email,
      email,
      timezone: zoneOf(attendee.timeZone),
      locale: attendee.language && /^[a-z]{2}$/.test(attendee.language) ? attendee.language : null,
      phone: phoneOf(attendee.phoneNumber) ?? called,
      notes: linesOf(responses.notes, 2000),
      attendees: [],
      guests,
      answers: answersOf(responses, eventType),
      ...{ place, meetingUrl },
    }
  }

  async function parties() {
    const all = booking.attendees ?? []
    const found: Party[] = []
    if (isShared) {
      for (const attendee of all) {
        const one = partyOf(attendee, attendee.bookingFieldsResponses ?? {}, [])
        // An address would have to be erased.
        if (one) found.push({ id: attendee.seatUid ?? (await sha256(one.email.toLowerCase())), booking: one })
      }
    } else {
      const responses = booking.bookingFieldsResponses ?? {}
      const asked = emailOf(responses.email)?.toLowerCase()
      // Further hosts and guests are among the attendees.
      const others = all.filter(({ email = '' }) => !team.has(email.toLowerCase()))
      const attendee = all.find(({ email = '' }) => email.toLowerCase() === asked) ?? others[0]
      const one = attendee && partyOf(attendee, responses, guestsOf(booking, others, attendee))
      if (one) found.push({ id: null, booking: one })
    }
    return { parties: found, leftOut: found.length === 0 ? [leftOut(what, 'no_invitee')] : [] }
  }

  return {
    type: 'booking',
    id: booking.uid,
    what,
    eventTypeId: String(booking.eventTypeId ?? ''),
    hosts: [
      ...(booking.hosts ?? []).map(({ id, name = '', email }) => {
        return people.get(Number(id)) ?? { name, email: emailOf(email) }
      }),
      // If a required host is the first, the other hosts are among the attendees.
      ...(booking.attendees ?? []).flatMap(({ name, email = '' }) =>
        team.has(email.toLowerCase()) ? { name: name ?? '', email } : [],
      ),
    ],
    isShared,
    parties,
  }
}

function guestsOf(booking: Booking, others: readonly Attendee[], invitee: Attendee) {
  const emails = [...(booking.guests ?? []), ...others.map(({ email }) => email)].flatMap(
    (email) => emailOf(email) ?? [],
  )
  const guests = new Map(emails.map((email) => [email.toLowerCase(), email]))
  guests.delete(invitee.email?.toLowerCase() ?? '')
  return [...guests.values()].slice(0, MOST_GUESTS).map((email) => ({ email }))
}

function answersOf(responses: Responses, eventType: EventType | undefined): GivenAnswer[] {
  const fields = eventType?.bookingFields ?? []
  return Object.entries(responses).flatMap(([slug, value]) => {
    if (OWN_FIELDS.has(slug)) return []
    const question = labelOf(fields.find((field) => field.slug === slug) ?? { slug })
    const answer = linesOf(Array.isArray(value) ? value.join('\n') : textOf(value), 5000)
    return answer === null ? [] : [{ question, answer }]
  })
}

function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : ''
}
