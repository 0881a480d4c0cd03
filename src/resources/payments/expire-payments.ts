import { bareError } from '../../db/bare-error.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import type { PresentMs } from '../../limits/clock.ts'
import { stripeClient } from '../../providers/stripe/client.ts'
import { type ExpiredPayment, selectExpiredInSandbox } from './queries.ts'
import { NOT_PAID_IN_TIME } from './reasons.ts'
import { askToConfirm, askToGiveUp } from './settle-booking.ts'

/** Six connections may be open at a time. */
const TOGETHER = 5

/** Gives up the bookings that nobody paid in time, each in its event type's object, which passes their time on. */
export async function expirePayments(
  env: Env,
  due: readonly ExpiredPayment[],
  now: PresentMs,
): Promise<void> {
  for (let at = 0; at < due.length; at += TOGETHER) {
    const ended = await Promise.allSettled(due.slice(at, at + TOGETHER).map((one) => expire(env, one, now)))
    for (const end of ended) {
      if (end.status === 'fulfilled') continue
      console.error(JSON.stringify({ sweep: 'payment', cause: bareError(end.reason).stack }))
    }
  }
}

async function expire(env: Env, payment: ExpiredPayment, now: PresentMs): Promise<void> {
  if (await wasPaid(env, payment)) await askToConfirm(env, payment, payment.intentId, now)
  else await askToGiveUp(env, payment, NOT_PAID_IN_TIME, now)
}

/** Asks the provider first: its event may be late or lost. If it does not answer at once, nobody waits any longer. */
async function wasPaid(env: Env, { isTest, intentId }: ExpiredPayment): Promise<boolean> {
  const stripe = isTest || intentId === null ? null : await stripeClient(env, fetch)
  if (!stripe || intentId === null) return false
  try {
    const intent = await stripe.paymentIntents.retrieve(
      intentId,
      {},
      { timeout: 3_000, maxNetworkRetries: 0 },
    )
    return intent.status === 'succeeded'
  } catch {
    return false
  }
}

/** The same for one sandbox, by its own clock, until nothing more is due. */
export async function expireSandboxPayments(
  env: Env,
  db: Db,
  organizationId: string,
  now: PresentMs,
): Promise<void> {
  for (let afterId = ''; ; ) {
    const due = await selectExpiredInSandbox(db, organizationId, now, afterId)
    const last = due.at(-1)
    if (!last) return
    await expirePayments(env, due, now)
    afterId = last.id
  }
}
