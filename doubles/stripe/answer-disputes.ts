import type { Json } from '../world.ts'
import { find } from './find-objects.ts'
import { book } from './make-balance.ts'
import { makeId } from './make-ids.ts'
import { refuse } from './refuse.ts'
import { tell } from './send-events.ts'
import { type Caller, keep, objectsOf } from './state.ts'

const OPEN = ['needs_response', 'under_review', 'warning_needs_response', 'warning_under_review']

/**
 * A payer disputes: the money and a fee of 15 units go at once, or nothing yet where the bank only asks (an inquiry).
 * docs.stripe.com/disputes/how-disputes-work; elizaOS/eliza#10997 (withdrawn is not lost)
 */
export function openDispute(
  caller: Caller,
  charge: Json,
  { reason = 'fraudulent', isInquiry = false, amount }: Json,
): Json {
  if (!charge.paid) throw refuse('Only a charge that succeeded can be disputed.')
  if (
    [...objectsOf(caller.stripe, caller.account).values()].some(
      (one) => one.object === 'dispute' && one.charge === charge.id && OPEN.includes(one.status),
    )
  )
    throw refuse('The charge is disputed already.')
  const dispute: Json = keep(caller.stripe, caller.account, {
    id: makeId('du'),
    object: 'dispute',
    amount: amount ?? charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: caller.now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: caller.now + 9 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: null,
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: 'visa', case_type: isInquiry ? 'inquiry' : 'chargeback', network_reason_code: '10.4' },
      type: 'card',
    },
    reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
  })
  charge.disputed = true
  tell(caller, 'charge.updated', charge, { disputed: false })
  if (!isInquiry) withdraw(caller, dispute)
  tell(caller, 'charge.dispute.created', dispute)
  if (!isInquiry) tell(caller, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

function withdraw(caller: Caller, dispute: Json): void {
  dispute.balance_transactions.push(
    book(caller, 'adjustment', dispute, -dispute.amount, [{ amount: 1500, type: 'stripe_fee' }], 'dispute'),
  )
}

/** An inquiry becomes a real dispute; the money goes now. */
export function escalateDispute(caller: Caller, dispute: Json): void {
  if (!dispute.status.startsWith('warning_')) throw refuse('Only an inquiry becomes a chargeback.')
  dispute.status = 'needs_response'
  dispute.is_charge_refundable = false
  withdraw(caller, dispute)
  tell(caller, 'charge.dispute.updated', dispute, { status: 'warning_needs_response' })
  tell(caller, 'charge.dispute.funds_withdrawn', dispute)
}

/** Won: the money comes back, the fee does not; a withdrawal by the payer is won too. docs.stripe.com/disputes/withdrawing */
export function endDispute(caller: Caller, dispute: Json, how: 'won' | 'lost'): void {
  if (!OPEN.includes(dispute.status)) throw refuse(`The dispute is ${dispute.status}.`)
  const isInquiry = dispute.status.startsWith('warning_')
  dispute.status = isInquiry ? 'warning_closed' : how
  dispute.evidence_details.past_due = false
  if (!isInquiry && how === 'won')
    dispute.balance_transactions.push(
      book(caller, 'adjustment', dispute, dispute.amount, [], 'dispute_reversal'),
    )
  tell(caller, 'charge.dispute.closed', dispute)
  if (!isInquiry && how === 'won') tell(caller, 'charge.dispute.funds_reinstated', dispute)
}

/** Accepting is losing. docs.stripe.com/api/disputes/close; mozilla/donate.mozilla.org#1105 */
export function closeDispute(caller: Caller, id: string): Json {
  const dispute = find(caller, 'dispute', id, 'dispute')
  if (!OPEN.includes(dispute.status)) throw refuse('This dispute is already closed', { param: 'dispute' })
  endDispute(caller, dispute, 'lost')
  return dispute
}
