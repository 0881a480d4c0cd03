import { DAY_MS } from '../../../core/time-units.ts'
import type { TenantCaller } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { openDb } from '../../../platform/db/client.ts'
import { looseId } from '../../../platform/db/ids.ts'
import { type Context, originOf } from '../../../platform/http/context.ts'
import { notFound, refuse } from '../../../platform/http/errors.ts'
import { storeResponse } from '../../../platform/http/idempotency.ts'
import { runChange } from '../../../platform/http/run-change.ts'
import type { ToldDispute } from '../../stripe/disputes.ts'
import { changeMoney } from '../money/change-money.ts'
import { isPaid, isUndecided, latestOf } from '../money/money-of.ts'
import { findLedger, type Ledger } from '../money/queries.ts'
import { disputeNotices } from '../money/sync-money.ts'
import { presentPayment } from '../present.ts'
import { findPaymentInTenant } from '../queries.ts'
import type { DisputeSimulation, Payment } from '../schema.ts'

type Wanted = DisputeSimulation['status']

/** How long a bank waits for evidence, about. */
const EVIDENCE_MS = 7 * DAY_MS

/** Lets a payment of the sandbox be disputed, and a dispute of it end, as events of the provider do for a live one. */
export async function simulateDispute(
  ctx: Context<TenantCaller>,
  id: string,
  wanted: Wanted,
): Promise<Payment> {
  const { env, caller } = ctx
  const db = openDb(env, 'decide')
  if (!(await findPaymentInTenant(db, caller, id))) throw notFound('payment')
  // Nothing ends before it began.
  if (isEnd(wanted) && !(await ledgerOf(db, id)).disputes.some(isUndecided)) await change(ctx, db, id, 'open')
  await change(ctx, db, id, wanted)
  const body = presentPayment((await ledgerOf(db, id)).payment)
  if (ctx.claim) await storeResponse(env, ctx.claim, { status: 200, body })
  return body
}

async function ledgerOf(db: Db, id: string): Promise<Ledger> {
  const ledger = await findLedger(db, id)
  if (!ledger) throw notFound('payment')
  return ledger
}

async function change(ctx: Context<TenantCaller>, db: Db, id: string, wanted: Wanted): Promise<void> {
  await runChange({ env: ctx.env }, async () => {
    const ledger = await ledgerOf(db, id)
    const { status } = ledger.payment
    if (!isPaid(status)) throw refuse('cannot_dispute', { status })
    const news = disputeNotices(ledger, [toldAs(ledger, wanted, ctx.now)], ctx.now)
    return changeMoney(ctx.env, db, ledger, { disputes: news }, { origin: originOf(ctx), now: ctx.now })
  })
}

/** The open dispute, or a new one, as the provider would report it. */
function toldAs({ payment, disputes }: Ledger, wanted: Wanted, now: number): ToldDispute {
  const undecided = latestOf(disputes.filter(isUndecided))
  if (undecided) {
    const { id, amount, reason, evidenceDueAt, createdAt } = undecided
    return { id, amount, reason, phase: phaseAfter(undecided.phase, wanted), evidenceDueAt, createdAt }
  }
  return {
    id: `du_test_${looseId().replaceAll('-', '')}`,
    amount: payment.amount - payment.refundedAmount || payment.amount,
    reason: 'fraudulent',
    phase: wanted,
    evidenceDueAt: now + EVIDENCE_MS,
    createdAt: now,
  }
}

/** An inquiry ends without a winner, and a dispute never becomes an inquiry again. */
function phaseAfter(before: ToldDispute['phase'], wanted: Wanted): ToldDispute['phase'] {
  if (before === 'inquiry') return isEnd(wanted) ? 'closed' : wanted
  return wanted === 'inquiry' ? before : wanted
}

function isEnd(wanted: Wanted): boolean {
  return wanted === 'won' || wanted === 'lost'
}
