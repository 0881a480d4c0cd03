import type Stripe from 'stripe'
import { type SandboxSweep, sweepInPages } from '../../engine/sandbox-sweep.ts'
import type { Env } from '../../env.ts'
import { SYSTEM } from '../../platform/auth/caller.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { openDb } from '../../platform/db/client.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { failureOf, stripeClient } from '../stripe/client.ts'
import { getIntent } from '../stripe/payment-intents.ts'
import { processPayment } from './process-payment.ts'
import { type ExpiredPayment, findPayment, selectExpiredInSandbox } from './queries.ts'
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
  const { intentId } = payment
  const known = await statusOf(env, payment)
  if (known === 'succeeded') await askToConfirm(env, payment, intentId, now)
  else if (known === 'processing') {
    const db = openDb(env, 'decide')
    const row = await findPayment(db, payment.id)
    if (row) await processPayment(env, db, row, { intentId, origin: SYSTEM, now })
  }
  // The payment may be under way, and the next sweep asks again.
  else if (known === 'unknown' && payment.delayedMethods) return
  else await askToGiveUp(env, payment, NOT_PAID_IN_TIME, now)
}

/**
 * Asks the provider first: its event may be late or lost. Where payments are made at once, nobody waits any longer if it
 * does not answer at once.
 */
async function statusOf(env: Env, payment: ExpiredPayment): Promise<Stripe.PaymentIntent.Status | 'unknown'> {
  const { isTest, intentId } = payment
  const stripe = isTest || intentId === null ? null : stripeClient(env, fetch)
  if (!stripe || intentId === null) return 'requires_payment_method'
  try {
    return (await getIntent(stripe, payment, intentId, { timeoutMs: 3_000, repetitions: 0 })).status
  } catch (error) {
    return failureOf(error).kind === 'refused' ? 'requires_payment_method' : 'unknown'
  }
}

/** The same for one sandbox, by its present, until nothing more is due or it is too late for another page. */
export function expireSandboxPayments(sweep: SandboxSweep): Promise<void> {
  const { env, db, organizationId, present } = sweep
  return sweepInPages<ExpiredPayment>(
    sweep,
    (last) => selectExpiredInSandbox(db, organizationId, present, last),
    (due) => expirePayments(env, due, present),
  )
}
