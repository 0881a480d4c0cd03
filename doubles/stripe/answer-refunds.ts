import type { Json } from '../world.ts'
import { find } from './find-objects.ts'
import { book } from './make-balance.ts'
import { makeId } from './make-ids.ts'
import { checkStep, partOf, tellAmount } from './money.ts'
import { refuse, refuseParameter } from './refuse.ts'
import { tell } from './send-events.ts'
import { type Caller, keep, objectsOf } from './state.ts'

export function createRefund(caller: Caller, parameters: Json): Json {
  const { stripe, account, now } = caller
  const charge = chargeOf(caller, parameters)
  const left = charge.amount - charge.amount_refunded
  if (charge.refunded || left === 0)
    throw refuse(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  // Sylius/StripePlugin#120
  if (charge.disputed && isChargedBack(caller, charge))
    throw refuse(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  const amount = parameters.amount ?? left
  checkAmount(amount, left, charge)
  if (parameters.reverse_transfer && !charge.transfer_data)
    throw refuse(`Charge ${charge.id} does not have a transfer to reverse.`, { param: 'reverse_transfer' })
  if (parameters.refund_application_fee && !charge.application_fee)
    throw refuse(`Charge ${charge.id} does not have an application fee to refund.`, {
      param: 'refund_application_fee',
    })
  const isWaiting = stripe.settings.refunds === 'waiting'
  const isPending = isWaiting || stripe.settings.refunds === 'pending'
  const refund = keep(stripe, account, {
    id: makeId('re'),
    object: 'refund',
    amount,
    balance_transaction: null as string | null,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: { type: charge.payment_method_details.type },
    metadata: parameters.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    // docs.stripe.com/changelog/basil/2025-04-30/refund-pending-reason
    ...(isPending && { pending_reason: isWaiting ? 'insufficient_funds' : 'processing' }),
    reason: parameters.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: isPending ? 'pending' : 'succeeded',
    transfer_reversal: null,
  })
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  const back = parameters.refund_application_fee ? refundFee(caller, charge, refund) : 0
  refund.balance_transaction = book(caller, 'refund', refund, -amount, [
    { amount: account === stripe.platform ? 0 : -back, type: 'application_fee' },
  ]).id
  tell(caller, 'refund.created', refund)
  tell(caller, 'charge.refunded', charge)
  if (stripe.settings.refunds === 'failed') settleRefund(caller, refund, 'failed')
  return refund
}

function chargeOf(caller: Caller, { charge, payment_intent: intentId }: Json): Json {
  if (charge && intentId)
    throw refuseParameter(
      'You may only specify one of these parameters: charge, payment_intent.',
      'charge',
      'parameters_exclusive',
    )
  if (!charge && !intentId)
    throw refuseParameter(
      'One of the following params should be provided for this request: payment_intent or charge.',
      undefined,
      'parameter_missing',
    )
  const id = charge ?? find(caller, 'payment_intent', intentId, 'payment_intent').latest_charge
  const found = id && find(caller, 'charge', id, 'charge')
  if (!found?.paid)
    throw refuse(
      intentId
        ? `This PaymentIntent (${intentId}) does not have a successful charge to refund.`
        : `Charge ${charge} is not refundable, for it did not succeed.`,
      { code: intentId ? 'payment_intent_unexpected_state' : 'charge_not_refundable' },
    )
  return found
}

/** openfoodfoundation/openfoodnetwork#5449 */
function checkAmount(amount: number, left: number, { id, amount: whole, currency }: Json): void {
  const param = 'amount'
  if (amount < 1)
    throw refuseParameter(
      'This value must be greater than or equal to 1.',
      param,
      'parameter_invalid_integer',
    )
  checkStep(amount, currency, param)
  if (amount > whole)
    throw refuse(
      `Refund amount (${tellAmount(amount, currency)}) is greater than charge amount (${tellAmount(whole, currency)})`,
      { param },
    )
  if (amount > left)
    throw refuse(
      `Refund amount (${tellAmount(amount, currency)}) is greater than unrefunded amount on charge (${tellAmount(left, currency)}) ${id}`,
      { param },
    )
}

/** While only asked, or once it is won, a refund can still be had. docs.stripe.com/disputes/how-disputes-work */
function isChargedBack(caller: Caller, charge: Json): boolean {
  return [...objectsOf(caller.stripe, caller.account).values()].some(
    (one) =>
      one.object === 'dispute' &&
      one.charge === charge.id &&
      !one.is_charge_refundable &&
      one.status !== 'won',
  )
}

/** In proportion to what of the charge went back, all together. docs.stripe.com/api/refunds/create */
function refundFee(caller: Caller, charge: Json, refund: Json): number {
  const { stripe } = caller
  const asPlatform = { ...caller, account: stripe.platform }
  const fee = objectsOf(stripe, stripe.platform).get(charge.application_fee)!
  const back =
    partOf(fee.amount, charge.amount_refunded, charge.amount, charge.currency) - fee.amount_refunded
  if (back <= 0) return 0
  const id = makeId('fr')
  const part: Json = keep(stripe, stripe.platform, {
    id,
    object: 'fee_refund',
    amount: back,
    balance_transaction: null,
    created: caller.now,
    currency: charge.currency,
    fee: fee.id,
    metadata: {},
  })
  part.balance_transaction = book(
    asPlatform,
    'application_fee_refund',
    part,
    -back,
    [],
    'platform_earning_refund',
  ).id
  fee.amount_refunded += back
  fee.refunded = fee.amount_refunded === fee.amount
  fee.refunds.data.unshift(part)
  stripe.secrets.set(refund.id, { feeRefund: part.id })
  tell(asPlatform, 'application_fee.refunded', fee)
  return back
}

/**
 * How a refund ends that waited, or one that seemed to have succeeded: a bank may send it back much later, and the
 * money is the account's again (the fee stays refunded). docs.stripe.com/refunds#failed-refunds, dj-stripe/dj-stripe#1039
 */
export function settleRefund(
  caller: Caller,
  refund: Json,
  how: 'succeeded' | 'failed',
  reason = 'expired_or_canceled_card',
): void {
  if (refund.status === 'failed' || refund.status === 'canceled')
    throw refuse(`The refund has a status of ${refund.status}.`)
  const before = refund.status
  refund.status = how
  delete refund.pending_reason
  if (how === 'failed') {
    const charge = objectsOf(caller.stripe, caller.account).get(refund.charge)!
    charge.amount_refunded -= refund.amount
    charge.refunded = false
    refund.failure_reason = reason
    refund.failure_balance_transaction = book(caller, 'refund_failure', refund, refund.amount).id
  }
  tell(caller, 'refund.updated', refund, { status: before })
  tell(caller, 'charge.refund.updated', refund, { status: before })
  if (how === 'failed') tell(caller, 'refund.failed', refund)
}
