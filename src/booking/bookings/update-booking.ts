import { withAttendees } from '../../engine/schedule/apply-booking.ts'
import { hasReservedTime } from '../../engine/schedule/claimed-starts.ts'
import { ALREADY_SEATED } from '../../engine/schedule/decide-start.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import { insertFreedForInvitee } from '../../engine/schedule/statements.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import type { Statement } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { because, invalid, missing, type Refusal } from '../../platform/http/errors.ts'
import type { AskedMs, PresentMs } from '../../platform/limits/clock.ts'
import { problem } from '../../platform/reasons/reason.ts'
import { refusePhone, refusePlace } from '../places/choose-place.ts'
import { isCalled } from '../places/place-kinds.ts'
import { refuseAnswers } from '../questions/take-answers.ts'
import { refuseLate } from './allowed-actions.ts'
import type { UpdateBooking } from './commands.ts'
import { refuseGuests } from './decide-booking.ts'
import { callForOwnLink, callForRewritten } from './follow-ups/statements.ts'
import { presentBooking, presentPhone, presentTo } from './present.ts'
import type { UpdatedBooking } from './schema.ts'
import { updateBookingAsRead } from './statements.ts'
import { type Changes, changesOf, isEmailed } from './update/changes.ts'
import type { UpdateBookingInput } from './update/input.ts'
import { asksSeats, peopleWhoLeft, seatsAt } from './update/people.ts'
import { type BookingToUpdate, selectBookingToUpdate } from './update/queries.ts'
import { guardSeated } from './update/statements.ts'

type Asked = readonly [ReturnType<typeof selectBookingToUpdate>]

/** Corrects a booking: everything but its time, its host and its price. */
export function updateBooking(command: UpdateBooking): Verb<Asked, UpdatedBooking> {
  const { eventTypeId, bookingId, claim, now, isDry, input, read, origin } = command
  // Released seats and bookings go to the waitlist in the same batch, and reserved ones are taken by nobody else.
  // What has expired is ended before others take its seats.
  const isServed = asksSeats(input) && (read.isWaitedFor || seatsAt(read, now).hasExpired)
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    ...(isServed
      ? { around: read.booking.startTime, isDeletedToo: true, servesFirst: true, releases: bookingId }
      : { asRead: [[read]] as const }),
    refusesOn: { SEATS_TAKEN: because('no_seats_left') },
    asks: ({ db }) => [selectBookingToUpdate(db, bookingId, asksSeats(input))],
    decide: (turn, state) => decide(turn, state, command),
    asItIs: ([[found]], { env }) => found && present(env, origin, found.booking),
  }
}

async function decide(
  turn: Turn,
  { rows, schedule }: State<Asked>,
  command: UpdateBooking,
): Promise<Decided<UpdatedBooking>> {
  const { env, db } = turn
  const { input, origin, now } = command
  const [[found]] = rows!
  if (!found) return { refusal: missing('booking') }
  const { booking: read } = found
  const refusal = refuseUpdate(found, command) ?? refuseInput(found, input)
  if (refusal) return { refusal }
  const changes = await changesOf(env, found, input, origin.actorType === 'invitee')
  if (changes.changed.length === 0) return { unchanged: await present(env, origin, read) }
  const columns = { ...changes.columns, updatedAt: now }
  const after: BookingRow = { ...read, ...columns }
  const crowded = refusePeople(found, after, schedule, now)
  if (crowded) return { refusal: crowded }

  const event = recordEvent(db, after, {
    kind: 'booking.updated',
    data: presentBooking(after),
    revision: read.revision + 1,
    beside: { changed: changes.changed },
    emailed: { is_emailed: isEmailed(read, changes), left: peopleWhoLeft(read, after) },
    isQuiet: command.isQuiet,
  })
  const isLess = after.attendees.length < read.attendees.length
  const endsFor = columns.addressVersion !== undefined && found.terms.inviteeLimit !== null
  const follow = (known: Schedule) => withAttendees(known, read, after)
  const hold = { start: read.startTime, end: read.endTime }
  return {
    status: 200,
    body: await present(env, origin, after),
    statements: [
      ...updateBookingAsRead(db, read, columns),
      ...(read.sessionId !== null && changes.columns.attendees ? [guardSeated(db, after, read)] : []),
      ...callsFor(turn, after, changes),
      ...(endsFor ? [insertFreedForInvitee(db, read)] : []),
      recordActivity(db, after, origin, {
        action: 'booking.updated',
        resourceType: 'booking',
        resourceId: read.id,
        changes: { changed: changes.changed },
      }),
      ...event.statements,
    ],
    messages: [{ type: 'event', eventId: event.id }],
    apply: follow,
    ...((isLess || endsFor) && {
      frees: { booking: read, hold, endsFor: endsFor ? read.inviteeEmail : null, after: follow },
    }),
  }
}

/** Why the booking cannot be changed any more, or not by its invitee. */
function refuseUpdate(
  { booking: { status, startTime, endTime }, deadline }: BookingToUpdate,
  { origin, now }: UpdateBooking,
): Refusal | null {
  // Nobody ended it yet.
  const isExpired = deadline !== null && deadline <= now
  if (status === 'cancelled' || isExpired) return because('cannot_update', { status: 'cancelled' })
  if (origin.actorType === 'invitee') return refuseLate({ status, startTime }, 0, now as AskedMs as PresentMs)
  return now >= endTime ? because('over_already') : null
}

/** What is wrong with the input, whatever the session. */
function refuseInput({ booking: read, terms }: BookingToUpdate, input: UpdateBookingInput): Refusal | null {
  const wrong = input.answers === undefined ? null : refuseAnswers(terms.questions, input.answers ?? {})
  const misplaced = wrong ?? refusePlaceAfter({ booking: read, terms }, input)
  if (misplaced) return misplaced
  const { attendees, guests } = input
  const invitee = (input.invitee_email ?? read.inviteeEmail).toLowerCase()
  const named = attendees?.map(({ email }) => email.toLowerCase())
  if (named && new Set(named).size < named.length) return because('same_email', { field: 'attendees' })
  const others = named ?? read.attendees.slice(1).map(({ email }) => email.toLowerCase())
  // Erased attendees have no address.
  const seats = [...new Set([invitee, ...others])].filter((email) => email !== '')
  if (!named && input.invitee_email !== undefined && others.includes(invitee)) {
    return because('same_email', { field: 'invitee_email' })
  }
  if (guests === undefined && !asksSeats(input)) return null
  const most = guests === undefined ? Number.POSITIVE_INFINITY : terms.maxGuests
  return refuseGuests({ maxGuests: most }, guests ?? read.guests ?? [], seats)
}

/** Why it cannot take place there, or the host could call nobody any more. */
function refusePlaceAfter(
  { booking: read, terms }: Pick<BookingToUpdate, 'booking' | 'terms'>,
  input: UpdateBookingInput,
): Refusal | null {
  const { place_id, invitee_phone } = input
  const phone = invitee_phone === undefined ? read.inviteePhone : invitee_phone
  if (place_id !== undefined && terms.places.length > 0) {
    return refusePlace(terms, { place_id, invitee_phone: phone })
  }
  if (invitee_phone === undefined) return null
  const isReached = phone !== null || (input.invitee_email ?? read.inviteeEmail) !== ''
  if (!isReached) return invalid({ invitee_phone: problem('required_without_email') }).refusal
  return refusePhone(read.place, phone)
}

/** Whether nobody sits there twice, and there are seats for everybody. */
function refusePeople(
  found: BookingToUpdate,
  after: BookingRow,
  schedule: Schedule | null,
  now: number,
): Refusal | null {
  const { booking: read, terms } = found
  const seats = seatsAt(found, now)
  const more = after.attendees.length - read.attendees.length
  const { maxAttendees: most } = terms
  if (more > 0 && after.attendees.length > most) return because('too_many_attendees', { most })
  const before = read.attendees.map(({ email }) => email.toLowerCase())
  const added = after.attendees.map(({ email }) => email.toLowerCase()).filter((one) => !before.includes(one))
  if (added.some((email) => seats.emails.includes(email))) return ALREADY_SEATED
  const isReserved = schedule !== null && hasReservedTime(schedule)
  // The schedule knows what the waitlist would get first.
  const session = schedule?.sessions.find(({ id }) => id === read.sessionId)
  const seatsTaken = session?.seatsTaken ?? seats.taken
  const isFull = seatsTaken !== null && seatsTaken + more > most
  return more > 0 && (isFull || isReserved) ? because('no_seats_left') : null
}

/** What follows outside: calendars show people, numbers to call, notes, place and link, meetings the invitee and the notes. */
function callsFor({ db }: Turn, after: BookingRow, { columns }: Changes): Statement[] {
  if (after.status !== 'confirmed' && after.status !== 'rescheduled') return []
  if ('ownMeetingUrl' in columns || 'place' in columns) return callForOwnLink(db, after)
  const isShown = ['inviteeName', 'inviteeEmail', 'notes', 'location', 'attendees', 'guests'].some(
    (column) => column in columns,
  )
  const isOtherNumber = 'inviteePhone' in columns && isCalled(after)
  return isShown || isOtherNumber ? callForRewritten(db, JSON.stringify([after.id])) : []
}

async function present(
  env: Turn['env'],
  origin: UpdateBooking['origin'],
  row: BookingRow,
): Promise<UpdatedBooking> {
  return {
    ...presentTo(origin, row),
    invitee_phone: await presentPhone(env, row),
    sms_consent: row.smsConsent,
  }
}
