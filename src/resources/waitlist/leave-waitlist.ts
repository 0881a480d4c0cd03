import { commitBatch, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { Refusal } from '../../http/errors.ts'
import { keepStatements, STILL_RUNNING, selectKept } from '../../http/idempotency.ts'
import { keptOutcome } from '../../turn/kept-outcome.ts'
import { type Outcome, refused, unchanged } from '../../turn/outcome.ts'
import type { Workplace } from '../../turn/workplace.ts'
import { recordActivity } from '../activity/statements.ts'
import type { LeaveWaitlist } from './commands.ts'
import { presentEntry } from './present.ts'
import { endWaiting, selectEntry } from './queries.ts'
import type { WaitlistEntry } from './schema.ts'

/** Runs in the event type's object. Leaving again succeeds and changes nothing. */
export async function leaveWaitlist(
  { env }: Workplace,
  command: LeaveWaitlist,
): Promise<Outcome<WaitlistEntry>> {
  const { entryId, claim, now } = command
  const db = openDb(env, 'decide')
  const [[read], keptRows] = await db.batch([selectEntry(db, entryId), selectKept(db, claim)])
  const kept = await keptOutcome(env, claim, keptRows, () => read && presentEntry(read, 0))
  if (kept) return kept
  if (!read) return refused({ code: 'not_found', message: 'No such waitlist entry.' })
  if (read.status === 'cancelled') return unchanged(presentEntry(read, 0))
  if (read.status !== 'waiting') return refused(isOver(read.status))

  const changes = { status: 'cancelled' as const, updatedAt: now }
  const body = presentEntry({ ...read, ...changes }, 0)
  try {
    await commitBatch(db, [
      ...(await keepStatements(env, db, claim, { status: 200, body })),
      ...endWaiting(db, entryId, changes),
      recordActivity(db, read, command.origin, {
        action: 'waitlist.cancelled',
        resourceType: 'waitlist_entry',
        resourceId: entryId,
        changes: { status: ['waiting', 'cancelled'] },
      }),
    ])
    return { kind: 'done', body }
  } catch (error) {
    const fence = fenceOf(error)
    if (fence === 'KEY_IN_USE') return refused(STILL_RUNNING)
    // It expired in this very moment.
    if (fence === 'STALE') return refused(isOver('expired'))
    throw error
  }
}

function isOver(status: string): Refusal {
  const message = status === 'promoted' ? 'The entry was promoted: cancel its booking.' : 'The entry expired.'
  return { code: 'conflict', message }
}
