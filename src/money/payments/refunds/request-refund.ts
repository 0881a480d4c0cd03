import { amountStep } from '../../../core/currencies.ts'
import { DAY_MS } from '../../../core/time-units.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import { type Db, openDb } from '../../../platform/db/client.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { because, notFound, type Refused, refuse } from '../../../platform/http/errors.ts'
import { keepStatements } from '../../../platform/http/idempotency.ts'
import { isSameRequest } from '../../../platform/http/idempotency-claim.ts'
import { type Change, runChange } from '../../../platform/http/run-change.ts'
import { realNow } from '../../../platform/limits/clock.ts'
import { wakeQueue } from '../../../platform/queue/messages.ts'
import { isProviderError, patienceOfCaller } from '../../stripe/client.ts'
import { syncMoney } from '../money/sync-money.ts'
import { findPaymentInTenant, type PaymentRow } from '../queries.ts'
import type { PaymentWithDispute } from '../statements.ts'
import { failRefund } from './move-refund.ts'
import { type NewRefund, refundStatements, simulatedRefund } from './new-refund.ts'
import {
  claimRefund,
  findRefundOfClaim,
  forgetClaim,
  listRefundsOf,
  putOff,
  type RefundRow,
  selectDueRefundsOf,
} from './queries.ts'
import { type Sent, sendRefund } from './send-refund.ts'
import { settleRefund } from './settle-refund.ts'

const CLAIM_MS = DAY_MS

type RefundInput = {
  readonly amount?: number | undefined
  readonly reason?: string | null | undefined
}

/**
 * Refunds a payment, or a part of it. The amount is reserved in a guarded commit before the provider is asked,
 * so that parallel refunds never come to more than was paid. In a sandbox the answer is kept in the same commit, and
 * returned.
 */
export async function requestRefund<T>(
  ctx: Context<TenantCaller>,
  id: string,
  input: RefundInput,
  present: (row: PaymentWithDispute) => T,
): Promise<T | null> {
  const { env, caller, claim: sent } = ctx
  const db = openDb(env, 'decide')
  const patience = patienceOfCaller()
  const claim = sent && `${sent.scope}\n${sent.key}`
  const begun = claim === null ? null : await findRefundOfClaim(db, claim, Date.now() - CLAIM_MS)
  if (begun && !isSameRequest(sent!, begun.claimedFor)) throw refuse('other_request')
  if (begun?.status === 'succeeded') return null
  if (begun) return await askProvider(ctx, db, begun.id, await getPayment(db, caller, id), patience)

  const decide = async (): Promise<Change<Requested<T>>> => {
    const payment = await getPayment(db, caller, id)
    await settleOthers(ctx, db, payment, patience)
    const fresh = await getPayment(db, caller, id)
    const amount = decideAmount(fresh, input)
    const common = { amount, reason: input.reason ?? null, cause: 'request', now: ctx.now } as const
    return caller.isTest
      ? simulate(ctx, db, fresh, common, present)
      : reserve(ctx, db, fresh, { ...common, claim })
  }
  const done = await runChange({ env }, decide, { refusesOn: { REFUND_KNOWN: because('still_running') } })
  return 'simulated' in done ? done.simulated : askProvider(ctx, db, done.refundId, done.payment, patience)
}

type Requested<T> = { readonly simulated: T } | { readonly refundId: string; readonly payment: PaymentRow }

async function getPayment(db: Db, caller: TenantCaller, id: string): Promise<PaymentWithDispute> {
  const payment = await findPaymentInTenant(db, caller, id)
  if (!payment) throw notFound('payment')
  return payment
}

/** Refunds with an unknown end block others, so they are asked about first. */
async function settleOthers(
  { env }: Context,
  db: Db,
  payment: PaymentRow,
  patience: AbortSignal,
): Promise<void> {
  if (payment.reservedAmount === 0) return
  const now = realNow()
  for (const { id } of await selectDueRefundsOf(db, payment.id, now)) {
    if (!patience.aborted) await settleRefund(env, id, now, patience)
  }
}

function decideAmount(payment: PaymentRow, input: RefundInput): number {
  const { status, amount, refundedAmount, reservedAmount, currency } = payment
  // The payer has the money: a refund would pay them twice.
  if (status === 'disputed' || status === 'dispute_lost') throw refuse(`payment_${status}`)
  if (status === 'refunded') throw tooMuch(0)
  if (status !== 'succeeded' && status !== 'partially_refunded') {
    throw refuse('not_refundable', { status })
  }
  const left = amount - refundedAmount - reservedAmount
  const wanted = input.amount ?? left
  if (wanted > left || left <= 0) throw tooMuch(left)
  const step = amountStep(currency)
  if (wanted % step !== 0) throw refuse('refund_uneven', { step, currency })
  return wanted
}

type Common = Pick<NewRefund, 'amount' | 'reason' | 'cause' | 'now'>

async function simulate<T>(
  ctx: Context<TenantCaller>,
  db: Db,
  payment: PaymentWithDispute,
  common: Common,
  present: (row: PaymentWithDispute) => T,
): Promise<Change<Requested<T>>> {
  const { amount, reason } = common
  const { after, statements, messages } = await simulatedRefund(ctx.env, db, payment, common)
  const body = present(after)
  const entry = recordActivity(db, ctx.caller, originOf(ctx), {
    action: 'payment.refunded',
    resourceType: 'payment',
    resourceId: payment.id,
    changes: { amount, reason },
  })
  return {
    body: { simulated: body },
    statements: [
      ...(await keepStatements(ctx.env, db, ctx.claim, { status: 200, body })),
      ...statements,
      entry,
    ],
    announce: () => wakeQueue(ctx.env, ...messages),
  }
}

async function reserve<T>(
  ctx: Context<TenantCaller>,
  db: Db,
  payment: PaymentRow,
  common: Common & { readonly claim: string | null },
): Promise<Change<Requested<T>>> {
  // It is due at once, for this caller; others wait for its end.
  const claimedFor = ctx.claim?.requestHash ?? null
  const refund = refundStatements(db, payment, { ...common, claimedFor, nextAttemptAt: Date.now() })
  const statements = [
    ...(common.claim === null ? [] : [forgetClaim(db, common.claim, Date.now() - CLAIM_MS)]),
    ...refund.statements,
    recordActivity(db, ctx.caller, originOf(ctx), {
      action: 'payment.refund_requested',
      resourceType: 'payment',
      resourceId: payment.id,
      changes: { amount: common.amount, reason: common.reason },
    }),
  ]
  return { body: { refundId: refund.id, payment }, statements }
}

async function askProvider(
  ctx: Context<TenantCaller>,
  db: Db,
  refundId: string,
  payment: PaymentRow,
  patience: AbortSignal,
): Promise<null> {
  const now = realNow()
  const refund = await claimRefund(db, refundId, now)
  if (!refund) throw refuse('still_running')
  const sent = await send(ctx, db, refund, payment, patience)
  if (sent === 'succeeded') return null
  if (sent === 'unknown') {
    await putOff(db, refundId, Date.now())
    throw refuse('refund_unanswered')
  }
  if (refund.cause !== 'request' || !(await failRefund(ctx.env, db, refund, originOf(ctx), now))) {
    // The invitee has cancelled since the request, so the refund is due and is retried.
    await putOff(db, refundId, Date.now())
    throw refuse('refund_retried')
  }
  const { status } = await getPayment(db, ctx.caller, payment.id)
  // The payer has the money: a refund would pay them twice.
  if (status === 'disputed' || status === 'dispute_lost') throw refuse(`payment_${status}`)
  throw refuse('refund_failed')
}

async function send(
  ctx: Context<TenantCaller>,
  db: Db,
  refund: RefundRow,
  payment: PaymentRow,
  patience: AbortSignal,
): Promise<Sent> {
  // What was asked for before may have been made since, under whatever key.
  const before = refund.attempts > 1 ? await look(ctx, db, refund, patience) : 'open'
  if (before !== 'open') return before
  const told = await sendRefund(ctx.env, db, refund, payment, originOf(ctx), patience)
  if (told === 'succeeded' || told === 'unknown') return told
  // A failure does not say whether the refund was made, nor a refusal why not; the provider's lists do.
  const after = await look(ctx, db, refund, patience)
  return after === 'open' || (after === 'unknown' && told === 'refused') ? told : after
}

/** How a refund ended by the provider's lists; `open` where they do not have it. */
async function look(
  { env }: Context,
  db: Db,
  { id, paymentId }: RefundRow,
  patience: AbortSignal,
): Promise<'succeeded' | 'failed' | 'open' | 'unknown'> {
  try {
    await syncMoney(env, db, paymentId, realNow(), patience)
  } catch (error) {
    if (!isProviderError(error)) throw error
    return 'unknown'
  }
  const refund = (await listRefundsOf(db, paymentId)).find((one) => one.id === id)
  return refund?.status === 'requested' ? 'open' : (refund?.status ?? 'failed')
}

function tooMuch(left: number): Refused {
  return refuse('refund_too_large', { left }, { refundable_amount: left })
}
