import type { Json } from '../world.ts'
import { makeId } from './make-ids.ts'
import { type Caller, keep } from './state.ts'

type Detail = { readonly amount: number; readonly type: 'stripe_fee' | 'application_fee' }

/** One line of the balance: what came or went, what it cost. docs.stripe.com/api/balance_transactions/object */
export function book(
  caller: Caller,
  type: string,
  source: Json,
  amount: number,
  fees: readonly Detail[] = [],
  category = type,
): Json {
  const details = fees.filter((fee) => fee.amount !== 0)
  const fee = details.reduce((sum, one) => sum + one.amount, 0)
  return keep(caller.stripe, caller.account, {
    id: makeId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: caller.now + 2 * 86_400,
    balance_type: 'payments',
    created: caller.now,
    currency: source.currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details: details.map((one) => ({
      amount: one.amount,
      application: null,
      currency: source.currency,
      description: one.type === 'stripe_fee' ? 'Stripe processing fees' : 'Application fee',
      type: one.type,
    })),
    net: amount - fee,
    reporting_category: category,
    source: source.id,
    status: 'pending',
    type,
  })
}

/** What the account has, by all its lines in that currency. */
