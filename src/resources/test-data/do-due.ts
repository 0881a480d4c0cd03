import { bareError } from '../../db/bare-error.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { nowAsLive, type RealMs } from '../../limits/clock.ts'
import { giveUpInSandbox } from '../bookings/approval/give-up-undecided.ts'
import { sendSandboxReminders } from '../bookings/reminders/remind.ts'
import { tidySandbox } from '../holds/tidy-holds.ts'
import { expireSandboxPayments } from '../payments/expire-payments.ts'
import type { SandboxVisit } from '../sandbox-visits/visit.ts'
import { expireInSandbox } from '../waitlist/expire-entries.ts'
import { moveOnDue } from './queries.ts'

/** For so long the sweep begins new pages of one sandbox; the next sweep goes on. */
const VISIT_MS = 5_000

/** Does what is due in a sandbox by its present. */
export async function doDue(visit: SandboxVisit): Promise<void> {
  await sendSandboxReminders(visit)
  await expireInSandbox(visit)
  await giveUpInSandbox(visit)
  await tidySandbox(visit)
  await expireSandboxPayments(visit)
}

/** The same for sandboxes that follow the real clock, each for as long at most, so that none keeps the others waiting. */
export async function followSandboxes(
  env: Env,
  db: Db,
  due: readonly { readonly id: string }[],
  now: RealMs,
): Promise<void> {
  const follow = async (id: string) => {
    try {
      await doDue({ env, db, organizationId: id, present: nowAsLive(now), until: Date.now() + VISIT_MS })
    } catch (error) {
      // The next sweep tries again.
      console.error(JSON.stringify({ sweep: 'sandbox', cause: bareError(error).stack }))
    }
    await moveOnDue(db, id, now)
  }
  await Promise.all(due.map(({ id }) => follow(id)))
}
