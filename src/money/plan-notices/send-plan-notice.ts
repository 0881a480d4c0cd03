import { monthOf } from '../../engine/schedule/schedule.ts'
import type { Env } from '../../env.ts'
import { enqueueEmail } from '../../outbox/mail/enqueue-email.ts'
import { onceEach } from '../../outbox/mail/once-each.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import { newId } from '../../platform/db/ids.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { PLANS, percentUsedOf } from '../../platform/limits/plans.ts'
import { dropNotice, findNotice, type Month, noteSent } from './queries.ts'

/**
 * Sends the owner an email when 80 % or all of the plan's month is used, once for each month and quota. A booking noted that it
 * may be due; what is true now decides. When both shares are reached at once, only the greater one is sent.
 */
export async function sendPlanNotice(env: Env, db: Db, of: Month, now: RealMs): Promise<void> {
  const found = await findNotice(db, of)
  if (!found) return
  const quota = PLANS[found.tier].bookingsPerMonth
  const percent = percentUsedOf(found.bookings, quota)
  const before = found.noticed[quota] ?? 0
  // A month that has ended opened booking again.
  if (percent <= before || of.month !== monthOf(now)) {
    await commitBatch(db, [dropNotice(db, of, found, quota, of.month === monthOf(now) ? before : 100)])
    return
  }
  const { planEmail } = await import('./plan-email.ts')
  const tenant = { organizationId: of.organizationId, isTest: false }
  const onceKey = `${newId(of.organizationId)}/plan-notice`
  const posted = await Promise.all(
    onceEach(found.people).map((person) => {
      const letter = { onceKey, ...planEmail(env, found, person, { quota, now }) }
      return enqueueEmail(env, db, tenant, letter, { now, isCounted: false })
    }),
  )
  const letters = posted.flatMap(({ statements }) => statements)
  try {
    await commitBatch(db, [...noteSent(db, of, found, quota, percent), ...letters])
  } catch (error) {
    // Another message of the same month was faster; what is due still is found by the next sweep.
    if (fenceOf(error) === 'STALE') return
    throw error
  }
  for (const { announce } of posted) await announce()
}
