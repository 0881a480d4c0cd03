import type { Json } from '../world.ts'
import { DELAYED } from './allow-methods.ts'
import { unexpected } from './answer-intents.ts'
import { book } from './make-balance.ts'
import { letters, makeId } from './make-ids.ts'
import { stripeFee } from './money.ts'
import { refuseParameter } from './refuse.ts'
import { tell } from './send-events.ts'
import { type Caller, keep, objectsOf } from './state.ts'

/** What a payer's attempt comes to. */
export type Outcome = {
  readonly how: 'succeed' | 'decline' | 'process' | 'require_action'
  /** Such as `card` or `sepa_debit`. */
  readonly method?: string
  /** docs.stripe.com/declines/codes */
  readonly decline_code?: string
  readonly code?: string
}

const CONFIRMABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** An attempt of the payer; what the intent does not allow is refused. */
export function attempt(caller: Caller, intent: Json, outcome: Outcome): void {
  const isDelayed = outcome.how === 'process'
  const method =
    outcome.method ??
    (isDelayed ? intent.payment_method_types.find((one: string) => DELAYED.includes(one)) : 'card')
  if (!CONFIRMABLE.includes(intent.status))
    throw unexpected(intent, `A payer cannot pay an intent with a status of ${intent.status}.`)
  if (!intent.payment_method_types.includes(method))
    throw refuseParameter(`This PaymentIntent does not allow ${method ?? 'delayed methods'}.`, 'method')
  intent.payment_method = makeId('pm')
  intent.last_payment_error = null
  intent.next_action = null
  switch (outcome.how) {
    case 'succeed':
      succeed(caller, intent, makeCharge(caller, intent, method, 'succeeded'))
      return
    case 'decline':
      fail(caller, intent, makeCharge(caller, intent, method, 'failed'), outcome)
      return
    case 'require_action':
      intent.status = 'requires_action'
      intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
      tell(caller, 'payment_intent.requires_action', intent)
      return
    case 'process': {
      const charge = makeCharge(caller, intent, method, 'pending')
      intent.status = 'processing'
      intent.latest_charge = charge.id
      tell(caller, 'charge.pending', charge)
      tell(caller, 'payment_intent.processing', intent)
    }
  }
}

/** How a payment in processing ends, days later. */
export function settle(caller: Caller, intent: Json, outcome: Outcome): void {
  if (intent.status !== 'processing') throw unexpected(intent, 'This PaymentIntent is not being processed.')
  const charge = objectsOf(caller.stripe, caller.account).get(intent.latest_charge)!
  if (outcome.how === 'succeed') {
    charge.status = 'succeeded'
    succeed(caller, intent, charge)
    return
  }
  charge.status = 'failed'
  fail(caller, intent, charge, { code: 'payment_method_provider_decline', ...outcome })
}

function makeCharge(caller: Caller, intent: Json, method: string, status: string): Json {
  return keep(caller.stripe, caller.account, {
    id: makeId(DELAYED.includes(method) ? 'py' : 'ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: intent.application,
    application_fee: null,
    application_fee_amount: intent.application_fee_amount,
    balance_transaction: null,
    billing_details: { address: null, email: intent.receipt_email, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: 'HOLDFAST DOUBLE',
    captured: false,
    created: caller.now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: null,
    paid: false,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    payment_method_details: { type: method, [method]: {} },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: intent.transfer_data,
    transfer_group: null,
  })
}

/** The platform's fee is a part of the fees of the account's line. docs.stripe.com/connect/direct-charges */
function succeed(caller: Caller, intent: Json, charge: Json): void {
  const { stripe, account, now } = caller
  const fee = intent.application_fee_amount ?? 0
  Object.assign(charge, { status: 'succeeded', paid: true, captured: true, amount_captured: charge.amount })
  charge.outcome = {
    network_status: 'approved_by_network',
    reason: null,
    risk_level: 'normal',
    seller_message: 'Payment complete.',
    type: 'authorized',
  }
  charge.receipt_url = `https://pay.stripe.com/receipts/payment/${letters(48)}`
  const line = book(
    caller,
    charge.id.startsWith('py') ? 'payment' : 'charge',
    charge,
    charge.amount,
    [
      { amount: stripeFee(charge.amount, charge.currency), type: 'stripe_fee' },
      { amount: account === stripe.platform ? 0 : fee, type: 'application_fee' },
    ],
    'charge',
  )
  charge.balance_transaction = line.id
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: charge.amount,
    latest_charge: charge.id,
    processing: null,
    next_action: null,
  })
  if (fee > 0) {
    const asPlatform = { ...caller, account: stripe.platform }
    const collected = keep(stripe, stripe.platform, {
      id: makeId('fee'),
      object: 'application_fee',
      account: intent.transfer_data?.destination ?? account,
      amount: fee,
      amount_refunded: 0,
      application: intent.application,
      balance_transaction: null as string | null,
      charge: charge.id,
      created: now,
      currency: charge.currency,
      fee_source: { charge: charge.id, type: 'charge' },
      livemode: false,
      originating_transaction: null,
      refunded: false,
      refunds: { object: 'list', data: [], has_more: false, url: '' },
    })
    collected.refunds.url = `/v1/application_fees/${collected.id}/refunds`
    collected.balance_transaction = book(
      asPlatform,
      'application_fee',
      collected,
      fee,
      [],
      'platform_earning',
    ).id
    charge.application_fee = collected.id
    tell(asPlatform, 'application_fee.created', collected)
  }
  tell(caller, 'charge.succeeded', charge)
  tell(caller, 'payment_intent.succeeded', intent)
}

/** It can be retried: a failure is not final. tzConnectBerlin/kanvas#197 */
function fail(
  caller: Caller,
  intent: Json,
  charge: Json,
  { code = 'card_declined', decline_code }: Partial<Outcome>,
): void {
  const message =
    code === 'card_declined'
      ? decline_code === 'insufficient_funds'
        ? 'Your card has insufficient funds.'
        : 'Your card was declined.'
      : code === 'expired_card'
        ? 'Your card has expired.'
        : 'The payment failed.'
  const declined = code === 'card_declined' ? (decline_code ?? 'generic_decline') : decline_code
  Object.assign(charge, { failure_code: code, failure_message: message })
  Object.assign(intent, {
    status: 'requires_payment_method',
    latest_charge: charge.id,
    processing: null,
    payment_method: null,
    last_payment_error: {
      charge: charge.id,
      code,
      ...(declined && { decline_code: declined }),
      doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
      message,
      payment_method: {
        id: charge.payment_method,
        object: 'payment_method',
        type: charge.payment_method_details.type,
      },
      type: 'card_error',
    },
  })
  tell(caller, 'charge.failed', charge)
  tell(caller, 'payment_intent.payment_failed', intent)
}
