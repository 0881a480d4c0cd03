import type { Json } from '../world.ts'
import { makeId } from './make-ids.ts'
import { tell } from './send-events.ts'
import { type Caller, keep } from './state.ts'

/** What a period costs, paid or not; nothing during a trial. docs.stripe.com/billing/invoices/subscription */
export function billInvoice(caller: Caller, subscription: Json, reason: string, isPaid: boolean): Json {
  const { stripe, account, now } = caller
  const isTrial = subscription.status === 'trialing'
  const total = isTrial
    ? 0
    : subscription.items.data.reduce(
        (sum: number, { price, quantity }: Json) => sum + price.unit_amount * quantity,
        0,
      )
  const id = makeId('in')
  const invoice: Json = keep(stripe, account, {
    id,
    object: 'invoice',
    amount_due: total,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: total,
    attempt_count: isPaid && total === 0 ? 0 : 1,
    attempted: true,
    auto_advance: !isPaid,
    billing_reason: reason,
    collection_method: subscription.collection_method,
    created: now,
    currency: subscription.currency,
    customer: subscription.customer,
    hosted_invoice_url: `https://invoice.stripe.com/i/${account}/test_${id}`,
    invoice_pdf: `https://pay.stripe.com/invoice/${account}/test_${id}/pdf`,
    lines: { object: 'list', data: [], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: isPaid ? null : now + 3 * 86_400,
    number: `DOUBLE-${id.slice(-4).toUpperCase()}`,
    // No longer `invoice.subscription`. docs.stripe.com/changelog/basil/2025-03-31
    parent: {
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    period_end: now,
    period_start: now,
    status: 'open',
    subtotal: total,
    total,
  })
  subscription.latest_invoice = id
  tell(caller, 'invoice.created', invoice)
  tell(caller, 'invoice.finalized', invoice)
  if (isPaid) payInvoice(caller, invoice)
  else if (reason !== 'subscription_create') tell(caller, 'invoice.payment_failed', invoice)
  return invoice
}

function payInvoice(caller: Caller, invoice: Json): void {
  Object.assign(invoice, {
    status: 'paid',
    amount_paid: invoice.total,
    amount_remaining: 0,
    next_payment_attempt: null,
  })
  tell(caller, 'invoice.paid', invoice)
  tell(caller, 'invoice.payment_succeeded', invoice)
}
