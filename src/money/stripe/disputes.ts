import type Stripe from 'stripe'
import { isProviderError, type StripeClient } from './client.ts'
import { inAccount, type Scope } from './payment-intents.ts'

/** How far a dispute is: an inquiry only asks, and no money went; an open one has taken it for the time being. */
type DisputePhase = 'inquiry' | 'open' | 'won' | 'lost' | 'closed'

export type ToldDispute = {
  readonly id: string
  /** In the smallest unit of the currency. */
  readonly amount: number
  readonly reason: string
  readonly phase: DisputePhase
  /** Until when it can be answered, in epoch milliseconds; null where it cannot. */
  readonly evidenceDueAt: number | null
  readonly createdAt: number
}

/** The newest hundred disputes of an intent; none of one that does not exist. Throws `StripeError`. */
export async function listDisputes(
  stripe: StripeClient,
  place: Scope,
  intentId: string,
): Promise<ToldDispute[]> {
  try {
    const params: Stripe.DisputeListParams = { payment_intent: intentId, limit: 100 }
    const { data } = await stripe.get<Stripe.ApiList<Stripe.Dispute>>(['disputes'], params, inAccount(place))
    return data.map(toldOf)
  } catch (error) {
    if (isProviderError(error) && error.statusCode === 404) return []
    throw error
  }
}

function toldOf({ id, amount, reason, status, evidence_details, created }: Stripe.Dispute): ToldDispute {
  const due = evidence_details?.due_by
  const evidenceDueAt = due ? due * 1000 : null
  return { id, amount, reason, phase: phaseOf(status), evidenceDueAt, createdAt: created * 1000 }
}

/**
 * An appeal against a lost dispute opens it again. What was prevented, or closed as an inquiry, took no money.
 * Source: https://docs.stripe.com/disputes/how-disputes-work
 */
function phaseOf(status: Stripe.Dispute.Status): DisputePhase {
  switch (status) {
    case 'warning_needs_response':
    case 'warning_under_review':
      return 'inquiry'
    case 'warning_closed':
    case 'prevented':
      return 'closed'
    case 'won':
      return 'won'
    case 'lost':
      return 'lost'
    default:
      return 'open'
  }
}
