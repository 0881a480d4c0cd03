import { recordActivity } from '../../outbox/activity/statements.ts'
import { type Origin, SYSTEM } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import type { ListedConnection } from '../queries.ts'
import { retryWrites } from '../writes/statements.ts'
import { eventOf, hasEnded, tenantOf } from './lose-calendars.ts'
import { freeByReopening, reviveOthers } from './queries.ts'

export type Restored = {
  /** For the batch with the change of its row, before that. */
  readonly statements: readonly Statement[]
  /** Queued after the commit. */
  readonly eventIds: readonly string[]
}

export const NOT_LOST: Restored = { statements: [], eventIds: [] }

/**
 * When a `lost` calendar is read again and its row becomes that of `listed`: sends the event, retries failed writes, and releases
 * time that its loss closed to the waitlist.
 */
export function restoreCalendar(
  db: Db,
  lost: ConnectionRow,
  listed: ListedConnection,
  now: number,
  origin: Origin = SYSTEM,
): Restored {
  if (lost.lostAt === null) return NOT_LOST
  const { connection } = listed
  const { id, provider, accountEmail } = connection
  const event = eventOf(db, 'calendar.restored', listed)
  return {
    statements: [
      freeByReopening(db, id),
      ...event.statements,
      retryWrites(db, id, now),
      ...(hasEnded(lost) ? [reviveOthers(db, lost, now)] : []),
      recordActivity(db, tenantOf(connection), origin, {
        action: 'calendar.restored',
        resourceType: 'calendar_connection',
        resourceId: id,
        changes: { provider, account_email: accountEmail },
      }),
    ],
    eventIds: [event.id],
  }
}
