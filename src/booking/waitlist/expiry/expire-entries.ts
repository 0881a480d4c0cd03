import type { SandboxSweep } from '../../../engine/sandbox-sweep.ts'
import type { Env } from '../../../env.ts'
import { recordActivity } from '../../../outbox/activity/statements.ts'
import { recordEvent } from '../../../outbox/events/statements.ts'
import { SYSTEM } from '../../../platform/auth/caller.ts'
import { bareError } from '../../../platform/db/bare-error.ts'
import { commitBatch, type Db } from '../../../platform/db/client.ts'
import { fenceOf } from '../../../platform/db/refusals.ts'
import type { PresentMs } from '../../../platform/limits/clock.ts'
import { wakeQueue } from '../../../platform/queue/messages.ts'
import { presentEntry } from '../present.ts'
import { type EntryRow, endWaiting } from '../queries.ts'
import { selectExpiredInSandbox } from './queries.ts'

/** Expires each entry, once: an entry that was promoted in between stays promoted. */
export async function expireEntries(
  env: Env,
  db: Db,
  due: readonly EntryRow[],
  now: PresentMs,
): Promise<void> {
  for (const row of due) {
    const changes = { status: 'expired' as const, updatedAt: now }
    const data = presentEntry({ ...row, ...changes }, 0)
    const event = recordEvent(db, row, { kind: 'waitlist.expired', data, revision: 1 })
    try {
      await commitBatch(db, [
        ...endWaiting(db, row.id, changes),
        recordActivity(db, row, SYSTEM, {
          action: 'waitlist.expired',
          resourceType: 'waitlist_entry',
          resourceId: row.id,
          changes: { status: ['waiting', 'expired'] },
        }),
        ...event.statements,
      ])
      await wakeQueue(env, { type: 'event', eventId: event.id })
    } catch (error) {
      if (fenceOf(error) === 'STALE') continue
      // The next sweep tries again.
      console.error(JSON.stringify({ sweep: 'waitlist', cause: bareError(error).stack }))
    }
  }
}

/** The same for one sandbox in its present, until nothing more is due or the time is up. */
export async function expireInSandbox({
  env,
  db,
  organizationId,
  present,
  isOver,
}: SandboxSweep): Promise<void> {
  for (const done: string[] = []; ; ) {
    const due = await selectExpiredInSandbox(db, organizationId, present, done)
    if (due.length === 0) return
    await expireEntries(env, db, due, present)
    if (isOver()) return
    done.push(...due.map(({ id }) => id))
  }
}
