import { priceKept, refusePayment } from '../../engine/schedule/price.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Decided, State, Turn, Verb } from '../../engine/turn/verb.ts'
import { isOver } from '../../engine/waits/wait-of.ts'
import type { Env } from '../../env.ts'
import { approvedUntil, newPayment, paymentStatements } from '../../money/payments/new-payment.ts'
import { keepAsked } from '../../money/payments/payment-notices.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import { because, missing } from '../../platform/http/errors.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { realNow } from '../../platform/limits/clock.ts'
import type { Message } from '../../platform/queue/messages.ts'
import { withActs } from './acts.ts'
import { selectRequest } from './approval/queries.ts'
import { approveRequest } from './approval/statements.ts'
import type { ApproveBooking } from './commands.ts'
import { guardStays, selectStayingOfBooking } from './departed-hosts/statements.ts'
import { changesOfHost, placeBookingAfresh, restsOn, takeOverStatements } from './departed-hosts/take-over.ts'
import { postPayable } from './post-payable.ts'
import { presentBooking } from './present.ts'
import { selectBooking } from './queries.ts'
import { NO_REMINDERS, planReminders } from './reminders/plan-reminders.ts'
import type { Booking } from './schema.ts'
import { updateBookingAsRead } from './statements.ts'

type Asked = ReturnType<typeof askedOf>

function askedOf(db: Db, bookingId: string) {
  return [
    selectBooking(db, bookingId),
    selectRequest(db, bookingId),
    selectStayingOfBooking(db, bookingId),
  ] as const
}

/** The request becomes a booking, or awaits payment. Approving again succeeds and changes nothing. */
export function approveBooking(command: ApproveBooking): Verb<Asked, Booking> {
  const { eventTypeId, bookingId, claim, now, start, isDry } = command
  return {
    eventTypeId,
    claim,
    now,
    isDry,
    around: start,
    isDeletedToo: true,
    asks: ({ db }) => askedOf(db, bookingId),
    decide: (turn, state) => decide(turn, state, command),
    asItIs: ([[read]]) => read && presentBooking(read),
  }
}

async function decide(
  turn: Turn,
  { rows, schedule: known, now, lost }: State<Asked>,
  { origin }: ApproveBooking,
): Promise<Decided<Booking>> {
  const { env, db } = turn
  const [[read], [request], staying] = rows!
  if (!read) return { refusal: missing('booking') }
  if (read.status !== 'cancelled' && request?.status === 'confirmed')
    return { unchanged: presentBooking(read) }
  if (read.status !== 'pending_approval' || !request) {
    return { refusal: because('cannot_approve', { status: read.status }) }
  }
  if (isOver(request, now)) return { refusal: because('not_decided') }
  if (!known) return { refusal: missing('event type') }
  const unpayable = refusePayment(known, read.attendees.length, priceKept(read, known.eventType))
  if (unpayable) return { refusal: unpayable }
  const hosts = staying.map(({ host }) => host)
  const decision = await placeBookingAfresh(turn, known, read, hosts, lost)
  if ('refusal' in decision) return decision

  const { schedule, placement } = decision
  const { eventType } = schedule
  const handedOver = changesOfHost(read, placement)
  const payment = newPayment(eventType.id, priceKept(read, eventType), read.attendees.length)
  const changes = {
    status: payment ? ('pending_payment' as const) : ('confirmed' as const),
    payment,
    ...(payment ? NO_REMINDERS : planReminders(eventType, read, now)),
    ...handedOver,
    ...withActs(read, origin, 'approved'),
    updatedAt: now,
  }
  const after: BookingRow = { ...read, ...changes }
  const booking = presentBooking(after)
  const told = payment
    ? await askToPay(env, db, schedule, after, origin, now)
    : tellConfirmed(db, after, booking)
  return {
    status: 200,
    body: booking,
    ...restsOn(schedule, read, placement),
    statements: [
      ...approveRequest(db, read.id, now),
      ...guardStays(db, after.assignedHost),
      ...updateBookingAsRead(db, read, changes),
      ...(handedOver ? takeOverStatements(db, schedule, placement, after, now) : []),
      recordActivity(db, after, origin, {
        action: 'booking.approved',
        resourceType: 'booking',
        resourceId: read.id,
        changes: {
          status: [read.status, after.status],
          ...(handedOver && { assigned_host_id: [read.assignedHostId, after.assignedHostId] }),
        },
      }),
      ...told.statements,
    ],
    messages: told.messages,
  }
}

type Told = { readonly statements: readonly Statement[]; readonly messages: readonly Message[] }

function tellConfirmed(db: Db, after: BookingRow, data: Booking): Told {
  const event = recordEvent(db, after, { kind: 'booking.confirmed', data, revision: after.revision + 1 })
  return { statements: event.statements, messages: [{ type: 'event', eventId: event.id }] }
}

async function askToPay(
  env: Env,
  db: Db,
  schedule: Schedule,
  after: BookingRow,
  origin: ApproveBooking['origin'],
  now: PresentMs,
): Promise<Told> {
  const until = approvedUntil(now, after.startTime)
  const posting = await postPayable(env, db, after, until, realNow())
  const { id: bookingId, organizationId, isTest } = after
  const payment = after.payment!
  const messages: Message[] = isTest ? [] : [{ type: 'payment', paymentId: payment.id }]
  const asked = { organizationId, onceKey: `${payment.id}/create`, subject: 'payment_intent.create' }
  const kept = isTest
    ? [(await keepAsked(env, db, { ...asked, payment, bookingId }, realNow())).statement]
    : []
  return {
    statements: [
      ...paymentStatements(db, schedule, after, origin, now, until, false),
      ...posting.statements,
      ...kept,
    ],
    messages: [...messages, ...posting.messages],
  }
}
