import { giveUpInSandbox } from '../../booking/bookings/approval/give-up-undecided.ts'
import { sendSandboxReminders } from '../../booking/bookings/reminders/remind.ts'
import { tidySandbox } from '../../booking/holds/tidy-holds.ts'
import { sendSandboxTexts } from '../../booking/text-messages/send-text.ts'
import { expireInSandbox } from '../../booking/waitlist/expiry/expire-entries.ts'
import type { SandboxSweep } from '../../engine/sandbox-sweep.ts'
import type { Env } from '../../env.ts'
import { expireSandboxPayments } from '../../money/payments/expire-payments.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import type { Db } from '../../platform/db/client.ts'
import { nowAsLive, type RealMs } from '../../platform/limits/clock.ts'
import { moveOnDue } from './queries.ts'

/** For so long the sweep begins new pages of one sandbox; the next sweep goes on. */
const VISIT_MS = 5_000

const KINDS = [
  sendSandboxReminders,
  sendSandboxTexts,
  expireInSandbox,
  giveUpInSandbox,
  tidySandbox,
  expireSandboxPayments,
]

/** Does what is due in a sandbox by its clock. A failure of one kind does not stop the others; returns the failures. */
export async function doDue(visit: SandboxSweep): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  for (const doKind of KINDS) {
    try {
      await doKind(visit)
    } catch (error) {
      failures.push(error)
    }
  }
  return failures
}

/** The same for sandboxes that follow the real clock, each for as long at most, so that none keeps the others waiting. */
export async function followSandboxes(
  env: Env,
  db: Db,
  due: readonly { readonly id: string }[],
  now: RealMs,
  isSpent: () => boolean,
): Promise<void> {
  // The next sweep tries again.
  const note = (failure: unknown) =>
    console.error(JSON.stringify({ sweep: 'sandbox', cause: bareError(failure).stack }))
  const follow = async (organizationId: string) => {
    const until = Date.now() + VISIT_MS
    const isOver = () => Date.now() >= until || isSpent()
    const failures = await doDue({ env, db, organizationId, present: nowAsLive(now), isOver })
    failures.forEach(note)
    try {
      await moveOnDue(db, organizationId, now)
    } catch (error) {
      note(error)
    }
  }
  await Promise.all(due.map(({ id }) => follow(id)))
}
