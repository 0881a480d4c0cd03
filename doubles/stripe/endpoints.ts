import type { Json } from '../world.ts'
import { createAccount, createAccountLink, findAccount } from './answer-accounts.ts'
import { createAccountV2 } from './answer-accounts-v2.ts'
import { closeDispute } from './answer-disputes.ts'
import { cancelIntent, createIntent, updateIntent } from './answer-intents.ts'
import { createRefund } from './answer-refunds.ts'
import { find, turnPage } from './find-objects.ts'
import type { Caller } from './state.ts'

/** One endpoint: the SDK's file and parameters, and what is done. `{id}` in the path is handed in. */
export type Endpoint = {
  readonly line: string
  readonly file: string
  readonly parameters: string
  does(caller: Caller, parameters: Json, id: string): Json
}

export function endpoint(line: string, file: string, parameters: string, does: Endpoint['does']): Endpoint {
  return { line, file: `resources/${file}`, parameters, does }
}

/** `GET /v1/x/{id}` and `GET /v1/x`, which is filtered by the parameters that are named. */
export function readable(
  path: string,
  kind: string,
  file: string,
  name: string,
  filters: readonly string[] = [],
) {
  return [
    endpoint(`GET /v1/${path}/{id}`, file, `${name}RetrieveParams`, (caller, _, id) =>
      find(caller, kind, id, kind === 'payment_intent' ? 'intent' : kind === 'price' ? 'price' : 'id'),
    ),
    endpoint(`GET /v1/${path}`, file, `${name}ListParams`, (caller, parameters) =>
      turnPage(caller, kind, `/v1/${path}`, parameters, (one) =>
        filters.every((filter) => parameters[filter] === undefined || one[filter] === parameters[filter]),
      ),
    ),
  ]
}

export const PAYMENT_ENDPOINTS: readonly Endpoint[] = [
  endpoint('POST /v1/accounts', 'Accounts', 'AccountCreateParams', createAccount),
  endpoint('POST /v2/core/accounts', 'V2/Core/Accounts', 'AccountCreateParams', createAccountV2),
  endpoint('GET /v1/accounts/{id}', 'Accounts', 'AccountRetrieveParams', (caller, _, id) =>
    findAccount(caller, id),
  ),
  endpoint('POST /v1/account_links', 'AccountLinks', 'AccountLinkCreateParams', createAccountLink),
  endpoint('POST /v1/payment_intents', 'PaymentIntents', 'PaymentIntentCreateParams', createIntent),
  endpoint(
    'POST /v1/payment_intents/{id}',
    'PaymentIntents',
    'PaymentIntentUpdateParams',
    (caller, parameters, id) => updateIntent(caller, id, parameters),
  ),
  endpoint(
    'POST /v1/payment_intents/{id}/cancel',
    'PaymentIntents',
    'PaymentIntentCancelParams',
    (caller, parameters, id) => cancelIntent(caller, id, parameters),
  ),
  ...readable('payment_intents', 'payment_intent', 'PaymentIntents', 'PaymentIntent', ['customer']),
  ...readable('charges', 'charge', 'Charges', 'Charge', ['payment_intent', 'customer']),
  endpoint('POST /v1/refunds', 'Refunds', 'RefundCreateParams', createRefund),
  ...readable('refunds', 'refund', 'Refunds', 'Refund', ['charge', 'payment_intent']),
  ...readable('disputes', 'dispute', 'Disputes', 'Dispute', ['charge', 'payment_intent']),
  endpoint('POST /v1/disputes/{id}/close', 'Disputes', 'DisputeCloseParams', (caller, _, id) =>
    closeDispute(caller, id),
  ),
  ...readable('balance_transactions', 'balance_transaction', 'BalanceTransactions', 'BalanceTransaction', [
    'currency',
    'source',
    'type',
  ]),
  ...readable('application_fees', 'application_fee', 'ApplicationFees', 'ApplicationFee', ['charge']),
  endpoint('GET /v1/events', 'Events', 'EventListParams', (caller, parameters) =>
    turnPage(caller, 'event', '/v1/events', parameters, (one) => isAsked(one, parameters)),
  ),
]

function isAsked({ type, pending_webhooks: pending }: Json, parameters: Json): boolean {
  const { type: only, types, delivery_success: isDelivered } = parameters
  const isNamed =
    only === undefined || (only.endsWith('*') ? type.startsWith(only.slice(0, -1)) : type === only)
  return (
    isNamed &&
    (!types || types.includes(type)) &&
    (isDelivered === undefined || isDelivered === (pending === 0))
  )
}
