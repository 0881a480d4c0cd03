import { feeShareOf } from '../../../engine/schedule/price.ts'
import type { Env } from '../../../env.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import { enqueueEmail } from '../../../outbox/mail/enqueue-email.ts'
import { onceEach } from '../../../outbox/mail/once-each.ts'
import type { Origin } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import type { refunds } from '../../../platform/db/schema/payments.ts'
import { type Change, NO_CHANGE } from '../../../platform/http/run-change.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import { type Message, wakeQueue } from '../../../platform/queue/messages.ts'
import { takeInRefund, updateRefundAsRead } from '../refunds/queries.ts'
import type { PaymentWithDispute } from '../statements.ts'
import { type DisputeRow, latestOf, type Money, moneyOf } from './money-of.ts'
import { paymentEvent } from './payment-event.ts'
import { findFactsOfPayment, type Ledger, storeDispute, storeMoney } from './queries.ts'

type RefundRow = typeof refunds.$inferSelect
/** A row before and after; before is null where it is new. */
export type Moved<Row> = { readonly before: Row | null; readonly after: Row }

type MoneyNews = {
  readonly refunds?: readonly Moved<RefundRow>[]
  readonly disputes?: readonly Moved<DisputeRow>[]
  /**
   * How much of the platform's fee the provider says was returned. Left out when it was not requested, null when the provider
   * does not say.
   */
  readonly refundedFee?: number | null
}

/**
 * What is new about the money of a payment: its refunds and disputes, its sums and status, and the events and emails about
 * them. The batch is refused as `STALE` if any of it changed after the ledger was read.
 */
export async function changeMoney(
  env: Env,
  db: Db,
  ledger: Ledger,
  news: MoneyNews,
  { origin, now }: { readonly origin: Origin; readonly now: AskedMs },
): Promise<Change<void>> {
  const { refunds = [], disputes = [] } = news
  const { payment } = ledger
  const allDisputes = replaced(ledger.disputes, disputes)
  const lastDone = refunds.findLast(({ after }) => after.status === 'succeeded')
  const money = moneyOf(payment, replaced(ledger.refunds, refunds), allDisputes)
  const after: PaymentWithDispute = {
    ...payment,
    ...money,
    refundedFee: news.refundedFee ?? expectedFee(payment, money),
    dispute: latestOf(allDisputes),
    refundId: lastDone?.after.providerRefundId ?? payment.refundId,
    updatedAt: now,
  }
  if (refunds.length + disputes.length === 0 && isSameMoney(payment, after)) return NO_CHANGE
  const events = eventsOf(db, payment, after, disputes)
  const letters = await emailsAbout(env, db, after, news)
  const statements = [
    ...storeMoney(db, payment, after),
    ...refunds.flatMap(({ before, after }) => storeRefund(db, before, after)),
    ...disputes.flatMap(({ before, after }) => storeDispute(db, before, after)),
    ...refunds.flatMap((moved) => refundEntry(db, payment, moved, origin)),
    ...disputes.flatMap((moved) => disputeEntry(db, payment, moved, origin)),
    ...events.flatMap(({ statements }) => statements),
    ...letters.flatMap(({ statements }) => statements),
  ]
  const told: Message[] = events.map(({ id }) => ({ type: 'event', eventId: id }))
  const messages = [...told, ...letters.flatMap(({ messages }) => messages)]
  return { body: undefined, statements, announce: () => wakeQueue(env, ...messages) }
}

const SUMS = [
  'status',
  'refundedAmount',
  'reservedAmount',
  'disputedAmount',
  'lostAmount',
  'refundedFee',
] as const

function isSameMoney(before: PaymentWithDispute, after: PaymentWithDispute): boolean {
  return SUMS.every((sum) => before[sum] === after[sum])
}

/** A refund gives the fee's share back; where a bank sends a refund back, that stays. */
function expectedFee(payment: PaymentWithDispute, { refundedAmount }: Money): number {
  if (refundedAmount <= payment.refundedAmount) return payment.refundedFee
  return Math.max(payment.refundedFee, feeShareOf(payment.platformFee, refundedAmount, payment))
}

function replaced<Row extends { readonly id: string }>(
  known: readonly Row[],
  moved: readonly Moved<Row>[],
): Row[] {
  const changed = new Map(moved.map(({ after }) => [after.id, after]))
  const kept = known.map((row) => changed.get(row.id) ?? row)
  return [...kept, ...moved.filter(({ before }) => before === null).map(({ after }) => after)]
}

function storeRefund(db: Db, before: RefundRow | null, after: RefundRow): Statement[] {
  return before === null ? takeInRefund(db, after) : updateRefundAsRead(db, before, after)
}

function eventsOf(
  db: Db,
  before: PaymentWithDispute,
  after: PaymentWithDispute,
  disputes: readonly Moved<DisputeRow>[],
) {
  return [
    ...(before.refundedAmount === after.refundedAmount ? [] : [paymentEvent(db, 'payment.refunded', after)]),
    ...(disputes.some(isNews) ? [paymentEvent(db, 'payment.disputed', after)] : []),
  ]
}

/** A changed deadline alone sends no event. */
function isNews({ before, after }: Moved<DisputeRow>): boolean {
  return before?.phase !== after.phase || before.amount !== after.amount
}

/** To the owner: how disputes begin and end, and refunds that did not arrive. */
async function emailsAbout(
  env: Env,
  db: Db,
  payment: PaymentWithDispute,
  { refunds = [], disputes = [] }: MoneyNews,
) {
  const changed = disputes.filter(({ before, after }) => before?.phase !== after.phase)
  const failed = refunds.filter(({ after }) => after.status === 'failed')
  if (changed.length + failed.length === 0) return []
  const { wordsAbout } = await import('./money-words.ts')
  const told = wordsAbout(payment, changed, failed)
  const facts = told.length > 0 ? await findFactsOfPayment(db, payment.id) : null
  if (!facts) return []
  const { emailAboutPayment } = await import('./about-payment.ts')
  const letters = onceEach(facts.people).flatMap((person) =>
    told.map(({ once, words }) => ({
      onceKey: `${payment.id}/${once}`,
      ...emailAboutPayment(env, payment, words, facts, person),
    })),
  )
  return Promise.all(letters.map((letter) => enqueueEmail(env, db, payment, letter, { isCounted: false })))
}

function refundEntry(
  db: Db,
  payment: PaymentWithDispute,
  { after }: Moved<RefundRow>,
  origin: Origin,
): Statement[] {
  const { status, amount, providerRefundId, reason } = after
  if (status === 'requested') return []
  return [
    recordActivity(db, payment, origin, {
      action: status === 'succeeded' ? 'payment.refunded' : 'payment.refund_failed',
      resourceType: 'payment',
      resourceId: payment.id,
      changes: { amount, refund_id: providerRefundId, reason },
    }),
  ]
}

const ACTIONS = {
  inquiry: 'payment.inquired',
  open: 'payment.disputed',
  won: 'payment.dispute_won',
  lost: 'payment.dispute_lost',
  closed: 'payment.dispute_closed',
} as const satisfies Record<DisputeRow['phase'], string>

function disputeEntry(
  db: Db,
  payment: PaymentWithDispute,
  moved: Moved<DisputeRow>,
  origin: Origin,
): Statement[] {
  if (!isNews(moved)) return []
  const { id, amount, reason, phase } = moved.after
  return [
    recordActivity(db, payment, origin, {
      action: ACTIONS[phase],
      resourceType: 'payment',
      resourceId: payment.id,
      changes: { dispute_id: id, amount, reason },
    }),
  ]
}
