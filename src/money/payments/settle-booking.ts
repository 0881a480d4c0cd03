import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import type { Env } from '../../env.ts'
import { type Origin, SYSTEM } from '../../platform/auth/caller.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { CONFIRM_BOOKING, GIVE_UP_UNPAID } from './commands.ts'
import type { PaymentRow } from './queries.ts'
import { NO_HOST_LEFT, NOT_PAID_IN_TIME } from './reasons.ts'

type Paid = Pick<PaymentRow, 'id' | 'eventTypeId' | 'bookingId'>

/**
 * The payment was made: has the object of its event type confirm the booking, or refund it where it is too late. After its
 * deadline a booking can be had as long as nobody came in between.
 */
export async function askToConfirm(
  env: Env,
  { id: paymentId, eventTypeId, bookingId }: Paid,
  intentId: string | null,
  now: PresentMs,
  origin: Origin = SYSTEM,
): Promise<void> {
  const command = { eventTypeId, bookingId, paymentId, intentId, origin, now }
  const confirm = async (around?: number) => {
    const asked = around === undefined ? command : { ...command, around }
    return answerOf(await askEventType(env, eventTypeId, CONFIRM_BOOKING, asked))
  }
  const first = await confirm()
  const end = typeof first === 'number' ? await confirm(first) : first
  if (end === null) return
  const reason = end === 'unhosted' ? NO_HOST_LEFT : NOT_PAID_IN_TIME
  await askToGiveUp(env, { eventTypeId, bookingId }, reason, now)
  await confirm()
}

/** The payment will not be made: has the object give the booking up, unless it was paid in between. */
export async function askToGiveUp(
  env: Env,
  { eventTypeId, bookingId }: Omit<Paid, 'id'>,
  reason: string,
  now: PresentMs,
): Promise<void> {
  const command = { eventTypeId, bookingId, reason, origin: SYSTEM, now }
  answerOf(await askEventType(env, eventTypeId, GIVE_UP_UNPAID, command))
}
