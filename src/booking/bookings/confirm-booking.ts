import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { State, Turn, Verb } from '../../engine/turn/verb.ts'
import { selectWait } from '../../engine/waits/statements.ts'
import type { ConfirmBooking, Confirmed } from '../../money/payments/commands.ts'
import { isOpenPayment, paidStatements } from '../../money/payments/paid-payment.ts'
import { refundWhole } from '../../money/payments/refunds/refund-whole.ts'
import { selectPayment } from '../../money/payments/statements.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { BookingRow } from '../../platform/db/schema/bookings.ts'
import type { Message } from '../../platform/queue/messages.ts'
import { hasHostLeft } from './departed-hosts/place-waiting.ts'
import { guardStays, selectStayingOfBooking } from './departed-hosts/statements.ts'
import { changesOfHost, placeBookingAfresh, restsOn, takeOverStatements } from './departed-hosts/take-over.ts'
import { presentBooking } from './present.ts'
import { selectBooking, selectReminderPlan } from './queries.ts'
import { planReminders, type ReminderPlan } from './reminders/plan-reminders.ts'
import { updateBookingAsRead } from './statements.ts'

type Asked = readonly [
  ReturnType<typeof selectBooking>,
  ReturnType<typeof selectPayment>,
  ReturnType<typeof selectReminderPlan>,
  ReturnType<typeof selectWait>,
  ReturnType<typeof selectStayingOfBooking>,
]

/**
 * The payment succeeded: confirms the booking that waits for it, once. The payment of a cancelled booking is refunded. An
 * expired booking, or one whose host left and nobody can take over, must be cancelled before.
 */
export function confirmBooking(command: ConfirmBooking): Verb<Asked, Confirmed> {
  const { eventTypeId, bookingId, paymentId, now, around } = command
  return {
    eventTypeId,
    claim: null,
    now,
    ...(around !== undefined && { around, isDeletedToo: true }),
    asks: ({ db }) =>
      [
        selectBooking(db, bookingId),
        selectPayment(db, paymentId),
        selectReminderPlan(db, eventTypeId),
        selectWait(db, bookingId),
        selectStayingOfBooking(db, bookingId),
      ] as const,
    decide: async (turn, state) => {
      const { env, db } = turn
      const [[read], [payment], [eventType], [wait], staying] = state.rows!
      if (!read || !payment || !isOpenPayment(payment)) return { unchanged: null }
      if (read.status === 'pending_payment' && wait?.status === 'expired') return { unchanged: 'too-late' }
      const paid = paidStatements(db, payment, command)
      if (read.status !== 'pending_payment') {
        const { statements, messages } = await refundWhole(env, db, payment, now)
        return { status: 200, body: null, statements: [...paid, ...statements], messages, apply: asItWas }
      }
      const isLeft = hasHostLeft(
        read,
        staying.map(({ host }) => host),
      )
      if (isLeft && around === undefined) return { unchanged: read.startTime }
      const handedOver = isLeft && (await handOver(turn, state, read))
      if (handedOver === 'unhosted') return { unchanged: handedOver }
      const plan = eventType ?? { reminderIntervals: [], followUpMinutes: null }
      const { statements, messages } = confirmation(db, read, plan, handedOver || null, command)
      return {
        status: 200,
        body: null,
        ...(handedOver ? handedOver.rest : { apply: asItWas }),
        statements: [...paid, ...statements],
        messages,
      }
    },
  }
}

function asItWas(known: Schedule): Schedule {
  return known
}

/** The host who takes over from one who left, if there is one. */
async function handOver(turn: Turn, { schedule, rows, lost, now }: State<Asked>, read: BookingRow) {
  if (!schedule) return 'unhosted'
  const staying = rows![4].map(({ host }) => host)
  const decision = await placeBookingAfresh(turn, schedule, read, staying, lost)
  if ('refusal' in decision) return 'unhosted'
  const { placement } = decision
  return {
    changes: changesOfHost(read, placement),
    rest: restsOn(decision.schedule, read, placement),
    statements: (after: BookingRow) => takeOverStatements(turn.db, decision.schedule, placement, after, now),
  }
}

type HandedOver = Exclude<Awaited<ReturnType<typeof handOver>>, 'unhosted'>

function confirmation(
  db: Db,
  read: BookingRow,
  plan: ReminderPlan,
  handedOver: HandedOver | null,
  { origin, now }: ConfirmBooking,
): { statements: Statement[]; messages: Message[] } {
  const reminders = planReminders(plan, read, now)
  const changes = { status: 'confirmed' as const, ...reminders, ...handedOver?.changes, updatedAt: now }
  const payment = read.payment && { ...read.payment, status: 'succeeded' as const }
  const after: BookingRow = { ...read, ...changes, payment }
  const data = presentBooking(after)
  const event = recordEvent(db, after, { kind: 'booking.confirmed', data, revision: read.revision + 1 })
  const statements = [
    ...guardStays(db, after.assignedHost),
    ...updateBookingAsRead(db, read, changes),
    ...(handedOver?.statements(after) ?? []),
    recordActivity(db, after, origin, {
      action: 'booking.confirmed',
      resourceType: 'booking',
      resourceId: after.id,
      changes: { status: [read.status, after.status] },
    }),
    ...event.statements,
  ]
  return { statements, messages: [{ type: 'event', eventId: event.id }] }
}
