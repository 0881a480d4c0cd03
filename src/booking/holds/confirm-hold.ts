import { priceKept } from '../../engine/schedule/price.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Decided, Plan, State, Turn, Verb } from '../../engine/turn/verb.ts'
import type { Env } from '../../env.ts'
import { createdPayment, linkStoredResponse } from '../../money/payments/new-payment.ts'
import { PROVIDER_FAILED } from '../../money/payments/reasons.ts'
import type { Origin } from '../../platform/auth/caller.ts'
import { tokenFor } from '../../platform/auth/secret.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { SlotHoldRow } from '../../platform/db/schema/slot-holds.ts'
import { because, missing } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { anonymousCallerOf, isSilent } from '../anonymous-callers/anonymous-caller.ts'
import { marksOf } from '../anonymous-callers/book-anonymously.ts'
import { createBooking } from '../bookings/create-booking.ts'
import { guardStays, selectStayingOfHold } from '../bookings/departed-hosts/statements.ts'
import { placeAfresh, restsOn, takeTime } from '../bookings/departed-hosts/take-over.ts'
import type { CreateBookingInput } from '../bookings/input-schema.ts'
import { inviteeOf, newBooking } from '../bookings/new-booking.ts'
import { prepareBooking } from '../bookings/prepare-booking.ts'
import { presentPhone, presentTo, sealPhone } from '../bookings/present.ts'
import { withoutFollowUp } from '../bookings/reminders/plan-reminders.ts'
import type { CreatedBooking } from '../bookings/schema.ts'
import { placeOf } from '../places/choose-place.ts'
import { sealAnswers } from '../questions/take-answers.ts'
import type { ConfirmHold } from './commands.ts'
import { placementOf, refuseConfirm } from './decide-confirm.ts'
import { isHeld } from './present.ts'
import { selectBookingOf, selectSlotHold } from './queries.ts'
import { becomeBooking, guardHold } from './statements.ts'

type Created = ReturnType<typeof createBooking>
type Asked = readonly [
  ReturnType<typeof selectSlotHold>,
  ReturnType<typeof selectBookingOf>,
  ReturnType<typeof selectStayingOfHold>,
  ...Awaited<ReturnType<Created['asks']>>,
]

/**
 * The hold becomes a booking with its time and host, whatever changed since. Confirming again returns the same booking. If
 * it has expired, the start is booked like any open start, if requested.
 */
export function confirmHold(command: ConfirmHold): Verb<Asked, CreatedBooking> {
  const { eventTypeId, holdId, claim, now, isDry, start, input } = command
  const created = createBooking({ ...command, input: bookingInput(command, null) })
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    around: start,
    isDeletedToo: true,
    ...(!isSilent(command) && input.invitee_email !== '' && { invitee: { email: input.invitee_email } }),
    servesFirst: input.if_still_free,
    isRacing: true,
    asks: async (turn) => [
      selectSlotHold(turn.db, holdId),
      selectBookingOf(turn.db, holdId),
      selectStayingOfHold(turn.db, holdId),
      ...(await created.asks(turn)),
    ],
    decide: async (turn, state) => {
      const [[hold], [booked], , ...counts] = state.rows!
      if (!hold) return { refusal: missing('hold') }
      if (booked && !isFailed(booked)) {
        // The token of a hold does not give access to the booking, which belongs to its invitee.
        const isTheirs = booked.inviteeEmail.toLowerCase() === input.invitee_email.toLowerCase()
        return isTheirs
          ? { unchanged: await createdOf(turn.env, command.origin, booked) }
          : { refusal: because('hold_of_another') }
      }
      if (hold.status === 'released') return { refusal: because('hold_released') }
      if (isHeld(hold, state.now)) return confirm(turn, state, command, hold)
      const isRetried = booked !== undefined && state.now < hold.expiresAt
      if (!isRetried && !input.if_still_free) return { refusal: because('hold_expired') }
      if (!state.schedule || state.schedule.eventType.deletedAt !== null)
        return { refusal: missing('event type') }
      const again = createBooking({ ...command, input: bookingInput(command, hold) })
      const decided = await again.decide(turn, { ...state, rows: counts as never })
      return 'statements' in decided ? bookedFor(turn, decided, hold, state.now) : decided
    },
    asItIs: ([, [booked]], { env }) => (booked ? createdOf(env, command.origin, booked) : null),
  }
}

/** The provider failed and nothing was booked, so it can be retried. */
function isFailed({ status, cancelReason }: BookingRow): boolean {
  return status === 'cancelled' && cancelReason === PROVIDER_FAILED
}

/** The same request without the hold. */
function bookingInput(
  { eventTypeId, start, durationMinutes, input }: ConfirmHold,
  hold: SlotHoldRow | null,
): CreateBookingInput {
  const { if_still_free: _, ...rest } = input
  return {
    ...rest,
    event_type_id: eventTypeId,
    start_time: start,
    duration: durationMinutes,
    metadata: input.metadata ?? hold?.metadata ?? {},
    member_id: hold?.hostChosen ? hold.assignedHostId : null,
  }
}

/** The new booking is what the hold became, so that confirming again finds it. */
function bookedFor(
  { db }: Turn,
  { moves: _, ...plan }: Plan<CreatedBooking>,
  hold: SlotHoldRow,
  now: PresentMs,
): Plan<CreatedBooking> {
  // After the booking: the hold released its time before.
  const became = becomeBooking(db, hold.id, plan.body.id, now)
  return { ...plan, statements: [guardHold(db, hold), ...plan.statements, became] }
}

async function confirm(
  turn: Turn,
  { schedule: known, rows, now, lost }: State<Asked>,
  command: ConfirmHold,
  hold: SlotHoldRow,
): Promise<Decided<CreatedBooking>> {
  const { env, db, isDry } = turn
  if (!known) return { refusal: missing('event type') }
  const input = bookingInput(command, hold)
  const refusal = refuseConfirm(known, hold, input, command.tenant, isSilent(command))
  if (refusal) return { refusal }
  const staying = rows![2].map(({ host }) => host)
  const placedIn = (schedule: Schedule) => placementOf(schedule, hold)
  const decision = await placeAfresh(turn, known, hold, placedIn, staying, lost)
  if ('refusal' in decision) return decision
  const { schedule, placement } = decision
  const anonymous = await anonymousCallerOf(env, { ...command, input })
  const answers = await sealAnswers(env, schedule.eventType.questions, input.answers ?? {})
  const phone = await sealPhone(env, input.invitee_phone)
  const invitee = inviteeOf(input, schedule.organization.locale, {
    answers,
    phone,
    place: placeOf(schedule.eventType, input),
  })
  const price = priceKept(hold, schedule.eventType)
  const booked = newBooking(schedule.eventType, invitee, placement, anonymous !== null, now, price)
  // The booking now holds the time, so a session that it opens gets the booking's id.
  const sessionId = placement.session === 'new' ? booked.id : booked.sessionId
  const hostChosen = hold.hostChosen && placement.host?.member_id === hold.assignedHostId
  const quiet = withoutFollowUp(booked, command.isQuiet)
  const row: BookingRow = { ...booked, ...marksOf(anonymous), ...quiet, sessionId, hostChosen }
  const prepared = prepareBooking(db, schedule, placement, row, command, now, { isHeld: true })
  return {
    status: 201,
    body: {
      ...presentTo(command.origin, row),
      ...(await createdPayment(env, row, isDry ? schedule.organization : null)),
      invitee_phone: input.invitee_phone ?? null,
      sms_consent: row.smsConsent,
      cancel_token: await tokenOf(env, row),
    },
    ...restsOn(schedule, hold, placement),
    statements: [
      guardHold(db, hold),
      ...guardStays(db, placement.host),
      becomeBooking(db, hold.id, row.id, now),
      ...takeTime(db, schedule, placement, row, now),
      ...prepared.statements,
      ...linkStoredResponse(db, row, command.claim),
    ],
    messages: [{ type: 'event', eventId: prepared.eventId }],
    opens: placement.session === 'new' || row.attendees.length < hold.seats,
  }
}

async function createdOf(env: Env, origin: Origin, row: BookingRow): Promise<CreatedBooking> {
  const payment =
    row.status === 'pending_payment' ? await createdPayment(env, row, null) : { payment: row.payment }
  return {
    ...presentTo(origin, row),
    ...payment,
    invitee_phone: await presentPhone(env, row),
    sms_consent: row.smsConsent,
    cancel_token: await tokenOf(env, row),
  }
}

/** The token of its creation: if the address changed, it has ended, and nobody gets the newer one here. */
function tokenOf(env: Env, { id }: BookingRow): Promise<string> {
  return tokenFor(env.ENCRYPTION_KEY, id)
}
