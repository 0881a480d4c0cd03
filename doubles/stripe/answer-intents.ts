import type { Json } from '../world.ts'
import { allowedMethods } from './allow-methods.ts'
import { find } from './find-objects.ts'
import { letters, makeId } from './make-ids.ts'
import { checkCharge, checkCurrency, checkStep } from './money.ts'
import { type Refusal, refuse, refuseMissing, refuseParameter } from './refuse.ts'
import { tell } from './send-events.ts'
import { type Caller, keep } from './state.ts'

export function createIntent(caller: Caller, parameters: Json): Json {
  const { stripe, account, now } = caller
  const currency = checkCurrency(parameters.currency)
  checkCharge(parameters.amount, currency)
  checkFee(caller, parameters, parameters.amount, currency)
  if (parameters.transfer_data && account !== stripe.platform)
    throw refuse('Cannot create transfers on behalf of a connected account.', {
      param: 'transfer_data[destination]',
    })
  const destination = parameters.transfer_data?.destination
  if (destination && !stripe.objects.has(destination))
    throw refuseMissing('destination', destination, 'transfer_data[destination]', 400)
  if (parameters.capture_method === 'manual')
    throw refuse('The double has no capturing later.', { param: 'capture_method' })
  if (parameters.customer) find(caller, 'customer', parameters.customer, 'customer', 400)
  const types = allowedMethods(caller, parameters, currency)
  const id = makeId('pi')
  const isAllowing = parameters.allowed_payment_method_types !== undefined
  const intent = keep(stripe, account, {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: parameters.allowed_payment_method_types ?? null,
    amount: parameters.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: account === stripe.platform ? null : 'ca_Double0Platform',
    application_fee_amount: parameters.application_fee_amount ?? null,
    automatic_payment_methods: isAllowing
      ? null
      : { allow_redirects: 'always', enabled: true, ...parameters.automatic_payment_methods },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: parameters.capture_method ?? 'automatic_async',
    client_secret: `${id}_secret_${letters(25)}`,
    confirmation_method: parameters.confirmation_method ?? 'automatic',
    created: now,
    currency,
    customer: parameters.customer ?? null,
    customer_account: null,
    description: parameters.description ?? null,
    excluded_payment_method_types: parameters.excluded_payment_method_types ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: parameters.metadata ?? {},
    next_action: null,
    on_behalf_of: parameters.on_behalf_of ?? null,
    payment_method: parameters.payment_method ?? null,
    payment_method_configuration_details: null,
    payment_method_options: parameters.payment_method_options ?? {},
    payment_method_types: types,
    payment_record: null,
    processing: null,
    receipt_email: parameters.receipt_email ?? null,
    review: null,
    setup_future_usage: parameters.setup_future_usage ?? null,
    shipping: parameters.shipping ?? null,
    source: null,
    statement_descriptor: parameters.statement_descriptor ?? null,
    statement_descriptor_suffix: parameters.statement_descriptor_suffix ?? null,
    status: parameters.payment_method ? 'requires_confirmation' : 'requires_payment_method',
    transfer_data: parameters.transfer_data ?? null,
    transfer_group: parameters.transfer_group ?? null,
  })
  tell(caller, 'payment_intent.created', intent)
  for (const only of ['confirm', 'off_session', 'return_url', 'mandate', 'error_on_requires_action'])
    if (parameters[only] !== undefined) throw refuse('The double confirms by control only.', { param: only })
  return intent
}

/** stripe/stripe-dotnet#1795 */
function checkFee(caller: Caller, parameters: Json, amount: number, currency: string): void {
  const { application_fee_amount: fee, transfer_data: transfer } = parameters
  if (fee === undefined || fee === null) return
  const param = 'application_fee_amount'
  if (caller.account === caller.stripe.platform && !transfer?.destination)
    throw refuse(
      'Can only apply an application_fee_amount when the PaymentIntent is made on behalf of another account (using an OAuth key or the Stripe-Account header), or when using the transfer_data[destination] parameter.',
      { param },
    )
  if (fee < 0)
    throw refuseParameter(
      'This value must be greater than or equal to 0.',
      param,
      'parameter_invalid_integer',
    )
  checkStep(fee, currency, param)
  if (fee > amount)
    throw refuse(`Your application fee (${fee}) cannot be greater than the amount (${amount}).`, { param })
}

export function findIntent(caller: Caller, id: string): Json {
  return find(caller, 'payment_intent', id, 'intent')
}

const CHANGEABLE = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** Set by the API itself, so that they exclude nothing. */
const UNSET = { automatic_payment_methods: undefined, payment_method_configuration: undefined }

export function updateIntent(caller: Caller, id: string, parameters: Json): Json {
  const intent = findIntent(caller, id)
  const { metadata, ...rest } = parameters
  const hard = [
    'amount',
    'currency',
    'application_fee_amount',
    'payment_method',
    'allowed_payment_method_types',
  ]
  for (const name of hard)
    if (rest[name] !== undefined && !CHANGEABLE.includes(intent.status))
      throw unexpected(
        intent,
        `This PaymentIntent's ${name} could not be updated because it has a status of ${intent.status}. You may only update the ${name} of a PaymentIntent with one of the following statuses: ${CHANGEABLE.join(', ')}.`,
      )
  const currency = rest.currency ? checkCurrency(rest.currency) : intent.currency
  if (rest.amount !== undefined || rest.currency) checkCharge(rest.amount ?? intent.amount, currency)
  checkFee(
    caller,
    { transfer_data: intent.transfer_data, application_fee_amount: rest.application_fee_amount },
    rest.amount ?? intent.amount,
    currency,
  )
  if (metadata === null) intent.metadata = {}
  for (const [key, value] of Object.entries(metadata ?? {}))
    if (value === null) delete intent.metadata[key]
    else intent.metadata[key] = value
  const { expand: _, ...told } = rest
  Object.assign(intent, told, { currency })
  const isOther = rest.currency || rest.allowed_payment_method_types || rest.excluded_payment_method_types
  if (isOther)
    intent.payment_method_types = allowedMethods(caller, { ...intent, ...told, ...UNSET }, currency)
  if (rest.payment_method) intent.status = 'requires_confirmation'
  return intent
}

/** The error contains the intent. docs.stripe.com/error-codes#payment-intent-unexpected-state */
export function unexpected(intent: Json, message: string): Refusal {
  return refuse(message, {
    code: 'payment_intent_unexpected_state',
    payment_intent: structuredClone(intent),
  })
}

const CANCELABLE = [
  'requires_payment_method',
  'requires_capture',
  'requires_confirmation',
  'requires_action',
  'processing',
]

/** medusajs/medusa#2825, exercism/website#3239; of those in processing only a few can be, so docs.stripe.com/api. */
export function cancelIntent(caller: Caller, id: string, parameters: Json): Json {
  const intent = findIntent(caller, id)
  const isStuck = intent.status === 'processing'
  if (!CANCELABLE.includes(intent.status) || isStuck)
    throw unexpected(
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: ${CANCELABLE.filter((one) => !isStuck || one !== 'processing').join(', ')}.`,
    )
  Object.assign(intent, {
    status: 'canceled',
    canceled_at: caller.now,
    cancellation_reason: parameters.cancellation_reason ?? null,
    next_action: null,
    processing: null,
  })
  tell(caller, 'payment_intent.canceled', intent)
  return intent
}
