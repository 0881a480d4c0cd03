import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** The account of an organization at the payment provider. Live data only: a sandbox is never paid. */
export const paymentAccounts = sqliteTable('payment_accounts', {
  organizationId: text('organization_id').primaryKey(),
  accountId: text('account_id').notNull().unique('payment_accounts_account'),
  /** Two-character country code; null until the provider returned it. It never changes at the provider. */
  country: text(),
  chargesEnabled: integer('charges_enabled', { mode: 'boolean' }).notNull().default(false),
  payoutsEnabled: integer('payouts_enabled', { mode: 'boolean' }).notNull().default(false),
  connectedAt: integer('connected_at'),
  /** The account stays known, so that connecting again finds it. */
  disconnectedAt: integer('disconnected_at'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

/** The organization's plan, as the payment provider last returned it. */
export const subscriptions = sqliteTable(
  'subscriptions',
  {
    organizationId: text('organization_id').primaryKey(),
    customerId: text('customer_id').notNull().unique('subscriptions_customer'),
    subscriptionId: text('subscription_id'),
    status: text({
      enum: [
        'active',
        'trialing',
        'past_due',
        'unpaid',
        'paused',
        'incomplete',
        'incomplete_expired',
        'canceled',
      ],
    }),
    tier: text({ enum: ['starter', 'grow', 'scale'] }),
    billingInterval: text('billing_interval', { enum: ['month', 'year'] }),
    currentPeriodStart: integer('current_period_start'),
    currentPeriodEnd: integer('current_period_end'),
    cancelAtPeriodEnd: integer('cancel_at_period_end', { mode: 'boolean' }).notNull().default(false),
    /** The lower plan that the next period begins with. */
    pendingTier: text('pending_tier', { enum: ['starter', 'grow', 'scale'] }),
    /** When the provider was last asked. */
    toldAt: integer('told_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('subscriptions_subscription').on(t.subscriptionId),
    index('subscriptions_period').on(t.currentPeriodEnd).where(sql`current_period_end IS NOT NULL`),
  ],
)

/** Until this many minutes before the start, cancelling refunds this percentage. */
export type RefundRule = { readonly until_minutes_before: number; readonly percent: number }

/**
 * The price of a booking, and the state of its payment. Every change of the status is copied to the booking in the same batch.
 */
export const payments = sqliteTable(
  'payments',
  {
    id: text().primaryKey(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    eventTypeId: text('event_type_id').notNull(),
    bookingId: text('booking_id').notNull().unique('payments_booking'),
    /** The account that is paid, which has the intent; null in the sandbox and in an untrusted import. */
    providerAccountId: text('provider_account_id'),
    /** Whether it can be paid by methods that confirm only days later. */
    delayedMethods: integer('delayed_methods', { mode: 'boolean' }).notNull().default(false),
    /** Null until the provider is known to have made it. */
    intentId: text('intent_id').unique('payments_intent'),
    amount: integer().notNull(),
    currency: text().notNull(),
    platformFee: integer('platform_fee').notNull(),
    status: text({
      enum: [
        'pending',
        'processing',
        'succeeded',
        'failed',
        'cancelled',
        'refunded',
        'partially_refunded',
        'disputed',
        'dispute_lost',
      ],
    }).notNull(),
    /** What went back, and what was asked to go back and may still fail. Together never more than the amount. */
    refundedAmount: integer('refunded_amount').notNull().default(0),
    reservedAmount: integer('reserved_amount').notNull().default(0),
    /** What of the platform's fee went back with it. */
    refundedFee: integer('refunded_fee').notNull().default(0),
    /** What banks took back for the time being, and for good. */
    disputedAmount: integer('disputed_amount').notNull().default(0),
    lostAmount: integer('lost_amount').notNull().default(0),
    /** The refund policy as it was agreed on at the booking. */
    refundPolicy: text('refund_policy', { mode: 'json' }).$type<RefundRule[]>().notNull().default([]),
    /** The provider's id of the last refund. */
    refundId: text('refund_id'),
    /** If it is unpaid by then, its booking is cancelled. */
    expiresAt: integer('expires_at').notNull(),
    /** When the provider is to be asked; null while it agrees with what is written here. */
    nextAttemptAt: integer('next_attempt_at'),
    attempts: integer().notNull().default(0),
    /** The Idempotency-Key whose stored response still lacks the client secret. */
    keptScope: text('kept_scope'),
    keptKey: text('kept_key'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('payments_organization').on(t.organizationId, t.isTest, t.id),
    index('payments_status').on(t.organizationId, t.isTest, t.status, t.id),
    index('payments_event_type').on(t.eventTypeId),
    index('payments_unpaid').on(t.isTest, t.expiresAt, t.id).where(sql`status IN ('pending', 'failed')`),
    index('payments_unpaid_sandbox')
      .on(t.organizationId, t.isTest, t.expiresAt, t.id)
      .where(sql`is_test = 1 AND status IN ('pending', 'failed')`),
    index('payments_due').on(t.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
  ],
)

/** A refund. The row is there before the provider is asked, and its id makes asking twice harmless. */
export const refunds = sqliteTable(
  'refunds',
  {
    id: text().primaryKey(),
    paymentId: text('payment_id').notNull(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    amount: integer().notNull(),
    reason: text(),
    /** The requester: a key, the policy, the service for late money, or somebody at the provider. */
    cause: text({ enum: ['request', 'policy', 'late', 'provider'] })
      .notNull()
      .default('request'),
    status: text({ enum: ['requested', 'succeeded', 'failed'] }).notNull(),
    providerRefundId: text('provider_refund_id').unique('refunds_provider_refund'),
    /** The Idempotency-Key under which it was asked for: the same request again goes on with this one. */
    claim: text().unique('refunds_claim'),
    /** The hash of that request; another request under the same key is refused. */
    claimedFor: text('claimed_for'),
    nextAttemptAt: integer('next_attempt_at'),
    attempts: integer().notNull().default(0),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    index('refunds_payment').on(t.paymentId, t.id),
    index('refunds_due').on(t.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
  ],
)

/** A dispute, as the provider last returned it. Its id is the provider's. */
export const disputes = sqliteTable(
  'disputes',
  {
    id: text().primaryKey(),
    paymentId: text('payment_id').notNull(),
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    amount: integer().notNull(),
    reason: text().notNull(),
    /** An inquiry only asks: no money went, and it may be closed or become open. */
    phase: text({ enum: ['inquiry', 'open', 'won', 'lost', 'closed'] }).notNull(),
    /** Until when the organization can answer the bank. */
    evidenceDueAt: integer('evidence_due_at'),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [index('disputes_payment').on(t.paymentId)],
)

/** All payments of one currency together, kept by triggers on payments. */
export const paymentSums = sqliteTable(
  'payment_sums',
  {
    organizationId: text('organization_id').notNull(),
    isTest: integer('is_test', { mode: 'boolean' }).notNull(),
    currency: text().notNull(),
    payments: integer().notNull(),
    revenue: integer().notNull(),
    fees: integer().notNull(),
    refunded: integer().notNull(),
    /** What disputes that were lost took. */
    lost: integer().notNull().default(0),
    pending: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.isTest, t.currency] })],
)
