import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { askProvider } from '../../money/provider/ask-provider.ts'
import { setEnding } from '../../money/stripe/subscriptions.ts'
import { learnPlan } from '../../money/subscription/learn-plan.ts'
import { SYSTEM } from '../../platform/auth/caller.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { cancelUpcoming } from './cancel-upcoming.ts'
import { type DeletionRow, selectRenewing, selectUndelivered } from './queries.ts'
import { deleteEverything } from './rows/delete-everything.ts'
import { beginDeleting, putOff } from './statements.ts'

/** While it can be taken back, bookings that came in by another way are looked for this often. */
const LOOKED_AT_MS = HOUR_MS
/** Pending notifications delay the deletion at most this long. */
const PATIENCE_MS = 2 * DAY_MS
/** After the organization is locked, requests that were under way have ended by then. */
const SETTLED_MS = 2 * MINUTE_MS

/** Does for each what is due. What was not finished goes on with the next sweep. */
export async function followDeletions(
  env: Env,
  db: Db,
  due: readonly DeletionRow[],
  now: RealMs,
  isOver: () => boolean,
): Promise<void> {
  for (const row of due) {
    try {
      if (row.begunAt === null) await prepare(env, db, row, now, isOver)
      else await deleteEverything(env, db, row, isOver)
    } catch (error) {
      // Somebody took it back, or chose another day.
      if (fenceOf(error) === 'STALE') continue
      console.error(JSON.stringify({ deletion: row.organizationId, cause: bareError(error).stack }))
    }
  }
}

/**
 * Cancels upcoming bookings and waits for the day of the deletion. Then the organization is locked, and the deletion can no
 * longer be withdrawn.
 */
async function prepare(
  env: Env,
  db: Db,
  row: DeletionRow,
  now: RealMs,
  isOver: () => boolean,
): Promise<void> {
  const isReady = row.kind === 'moved' || (await isAllTold(env, db, row, now, isOver))
  if (row.deletesAt > now) {
    const nextAt = Math.min(row.deletesAt, now + LOOKED_AT_MS)
    if (isReady) await commitBatch(db, [putOff(db, row, nextAt)])
    return
  }
  if (!isReady && now < row.deletesAt + PATIENCE_MS) return
  await commitBatch(db, beginDeleting(db, row, now, now + SETTLED_MS))
}

async function isAllTold(
  env: Env,
  db: Db,
  { organizationId, deletesAt }: DeletionRow,
  now: RealMs,
  isOver: () => boolean,
): Promise<boolean> {
  const isCalledOff = await cancelUpcoming(env, db, organizationId, now, isOver)
  const endsPlan = await endPlan(env, db, organizationId)
  if (!isCalledOff || !endsPlan || deletesAt > now) return isCalledOff && endsPlan
  const [found] = await selectUndelivered(db, organizationId)
  return !found?.untold
}

/** Ends a paid plan's renewal. Returns whether no plan renews any more. */
async function endPlan(env: Env, db: Db, organizationId: string): Promise<boolean> {
  if (!env.STRIPE_SECRET_KEY || (await selectRenewing(db, organizationId)).length === 0) return true
  try {
    await askProvider(env, organizationId, 'billing_not_configured', (stripe) =>
      learnPlan(
        env,
        stripe,
        organizationId,
        SYSTEM,
        async (running) =>
          running && {
            ...running,
            subscription: await setEnding(stripe, running.subscription.id, true),
          },
      ),
    )
  } catch (error) {
    console.error(JSON.stringify({ deletion: organizationId, cause: bareError(error).stack }))
  }
  return (await selectRenewing(db, organizationId)).length === 0
}
