import type { Env } from '../../../env.ts'
import { type Origin, SYSTEM } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { NO_CHANGE, runChange } from '../../../platform/http/run-change.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'
import { changeMoney } from '../money/change-money.ts'
import { findLedger } from '../money/queries.ts'
import type { RefundRow } from './queries.ts'

type RefundEnd = {
  readonly status: Exclude<RefundRow['status'], 'requested'>
  readonly providerRefundId: string | null
}

/** A refund once its end is known. One that failed may be asked for again under the same key. */
export function endedRefund(
  read: RefundRow,
  { status, providerRefundId }: RefundEnd,
  now: RealMs,
): RefundRow {
  return {
    ...read,
    status,
    providerRefundId: providerRefundId ?? read.providerRefundId,
    claim: status === 'succeeded' ? read.claim : null,
    nextAttemptAt: null,
    updatedAt: now,
  }
}

/** Stores how a refund ended, unless somebody else has stored it. */
export async function moveRefund(
  env: Env,
  db: Db,
  refund: RefundRow,
  to: RefundEnd,
  origin: Origin,
  now: RealMs,
): Promise<void> {
  await changeRequested(env, db, refund, (before) => endedRefund(before, to, now), { origin, now })
}

/** Stores that the refund failed, and sends the event. A refund that became due since it was read continues. */
export async function failRefund(
  env: Env,
  db: Db,
  refund: RefundRow,
  origin: Origin,
  now: RealMs,
): Promise<boolean> {
  let isOwed = false
  const fail = (before: RefundRow) => {
    isOwed = before.cause !== refund.cause
    return isOwed ? null : endedRefund(before, { status: 'failed', providerRefundId: null }, now)
  }
  await changeRequested(env, db, refund, fail, { origin, now })
  return !isOwed
}

/** Asks for less: the payer got the rest in another way. */
export async function lowerRefund(
  env: Env,
  db: Db,
  refund: RefundRow,
  amount: number,
  now: RealMs,
): Promise<void> {
  const lower = (before: RefundRow) => ({ ...before, amount, updatedAt: now })
  await changeRequested(env, db, refund, lower, { origin: SYSTEM, now })
}

async function changeRequested(
  env: Env,
  db: Db,
  { id, paymentId }: RefundRow,
  change: (before: RefundRow) => RefundRow | null,
  by: { readonly origin: Origin; readonly now: RealMs },
): Promise<void> {
  await runChange({ env }, async () => {
    const ledger = await findLedger(db, paymentId)
    const before = ledger?.refunds.find((one) => one.id === id)
    if (!ledger || before?.status !== 'requested') return NO_CHANGE
    const after = change(before)
    return after ? changeMoney(env, db, ledger, { refunds: [{ before, after }] }, by) : NO_CHANGE
  })
}
