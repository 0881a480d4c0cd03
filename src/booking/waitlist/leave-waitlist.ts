import type { Verb } from '../../engine/turn/verb.ts'
import { recordActivity } from '../../outbox/activity/statements.ts'
import { because, missing, type Refusal } from '../../platform/http/errors.ts'
import type { LeaveWaitlist } from './commands.ts'
import { presentEntry } from './present.ts'
import { endWaiting, selectEntry } from './queries.ts'
import type { WaitlistEntry } from './schema.ts'

/** Leaving again succeeds and changes nothing. */
export function leaveWaitlist(
  command: LeaveWaitlist,
): Verb<readonly [ReturnType<typeof selectEntry>], WaitlistEntry> {
  const { eventTypeId, entryId, claim, now } = command
  return {
    eventTypeId,
    claim,
    now,
    asks: ({ db }) => [selectEntry(db, entryId)] as const,
    asItIs: ([[read]]) => read && presentEntry(read, 0),
    // It expired at this moment.
    refusesOn: { STALE: isOver('expired') },
    decide: ({ db }, { rows }) => {
      const [[read]] = rows!
      if (!read) return { refusal: missing('waitlist entry') }
      if (read.status === 'cancelled') return { unchanged: presentEntry(read, 0) }
      if (read.status !== 'waiting') return { refusal: isOver(read.status) }
      const changes = { status: 'cancelled' as const, updatedAt: now }
      return {
        status: 200,
        body: presentEntry({ ...read, ...changes }, 0),
        statements: [
          ...endWaiting(db, entryId, changes),
          recordActivity(db, read, command.origin, {
            action: 'waitlist.cancelled',
            resourceType: 'waitlist_entry',
            resourceId: entryId,
            changes: { status: ['waiting', 'cancelled'] },
          }),
        ],
      }
    },
  }
}

function isOver(status: string): Refusal {
  return because(status === 'promoted' ? 'entry_promoted' : 'entry_expired')
}
