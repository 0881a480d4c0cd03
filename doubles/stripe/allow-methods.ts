import type { Json } from '../world.ts'
import { Refusal, refuse, refuseParameter } from './refuse.ts'
import type { Caller } from './state.ts'
import { objectsOf } from './state.ts'

/** The payment methods that every account has switched on in its dashboard. */
const PAYMENT_METHODS = ['card', 'link', 'klarna', 'sepa_debit', 'us_bank_account']

/** Where a method is for some currencies only. docs.stripe.com/payments/payment-methods/payment-method-support */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  sepa_debit: ['eur'],
  us_bank_account: ['usd'],
  bacs_debit: ['gbp'],
  ideal: ['eur'],
  klarna: ['aud', 'cad', 'chf', 'czk', 'dkk', 'eur', 'gbp', 'nok', 'nzd', 'pln', 'ron', 'sek', 'usd'],
  boleto: ['brl'],
  oxxo: ['mxn'],
  konbini: ['jpy'],
  multibanco: ['eur'],
}

/** Methods whose outcome is known only days later. */
export const DELAYED = [
  'sepa_debit',
  'us_bank_account',
  'bacs_debit',
  'boleto',
  'oxxo',
  'konbini',
  'multibanco',
]

const EXCLUSIVE = [
  'allowed_payment_method_types',
  'excluded_payment_method_types',
  'automatic_payment_methods',
  'payment_method_configuration',
]

/**
 * The methods that can pay: what is switched on, for this currency, less what the caller leaves out; those that do not
 * suit are left out without a word. docs.stripe.com/changelog/dahlia/2026-07-29/allowed-payment-method-types-parameter
 */
export function allowedMethods(caller: Caller, parameters: Json, currency: string): string[] {
  const { stripe, account } = caller
  if (parameters.allowed_payment_method_types) {
    const other = EXCLUSIVE.slice(1).find(
      (name) => parameters[name] !== undefined && parameters[name] !== null,
    )
    if (other)
      throw refuseParameter(
        `You may only specify one of these parameters: allowed_payment_method_types, ${other}.`,
        other,
        'parameters_exclusive',
      )
  }
  if (parameters.automatic_payment_methods?.enabled === false)
    throw refuse('`automatic_payment_methods[enabled]` cannot be false in this API version.', {
      param: 'automatic_payment_methods[enabled]',
    })
  const isRedirecting = parameters.automatic_payment_methods?.allow_redirects !== 'never'
  const connected = objectsOf(stripe, stripe.platform).get(account)
  // docs.stripe.com/connect/direct-charges: only with the card_payments capability
  const active = connected && connected.capabilities.card_payments !== 'active' ? [] : PAYMENT_METHODS
  const types = active.filter(
    (name) =>
      (!ONLY[name] || ONLY[name].includes(currency)) &&
      (isRedirecting || !['klarna', 'ideal'].includes(name)) &&
      !(parameters.excluded_payment_method_types ?? []).includes(name) &&
      (parameters.allowed_payment_method_types ?? active).includes(name),
  )
  // With an allow list, what is left may be nothing.
  if (types.length === 0 && !parameters.allowed_payment_method_types)
    throw refuse(
      'No valid payment method types for this Payment Intent. Please ensure that you have activated payment methods compatible with your chosen currency in your dashboard (https://dashboard.stripe.com/settings/payment_methods) or that your connected account has the capabilities they need.',
    )
  return types
}

/** docs.stripe.com/changelog/endive/2026-09-30/removes-the-payment-method-types-parameter-from-payment-intents-and-setup-intents */
export function refuseTypes(): Refusal {
  return new Refusal(
    400,
    {
      code: 'payment_method_types_no_longer_supported',
      message:
        'The `payment_method_types` parameter is no longer supported. Use dynamic payment methods, `allowed_payment_method_types` or `excluded_payment_method_types` instead.',
      param: 'payment_method_types',
    },
    false,
  )
}
