import { recordActivities } from '../../outbox/activity/statements.ts'
import { recordEvent } from '../../outbox/events/statements.ts'
import { SYSTEM, type Tenant } from '../../platform/auth/caller.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import type { SessionEnd } from '../../platform/db/schema/records.ts'
import type { PresentMs } from '../../platform/limits/clock.ts'
import { presentEntry } from './present.ts'
import { type EntryRow, endWaitingFor } from './queries.ts'

type Why = { readonly reason: SessionEnd; readonly isQuiet: boolean }

/**
 * For the batch that moves or cancels a whole session: the entries for its start expire, before its time is released. Refused
 * if others wait for that start by then.
 */
export function endForSession(
  db: Db,
  tenant: Tenant,
  { eventTypeId, startTime }: { readonly eventTypeId: string; readonly startTime: number },
  entries: readonly EntryRow[],
  { reason, isQuiet }: Why,
  now: PresentMs,
): { readonly statements: readonly Statement[]; readonly eventIds: readonly string[] } {
  const changes = { status: 'expired' as const, updatedAt: now }
  const events = entries.map((row) =>
    recordEvent(db, row, {
      kind: 'waitlist.expired',
      data: presentEntry({ ...row, ...changes }, 0),
      revision: 1,
      beside: { end_reason: reason },
      isQuiet,
    }),
  )
  const ids = entries.map(({ id }) => id)
  const logged = ids.map((resourceId) => ({
    action: 'waitlist.expired',
    resourceType: 'waitlist_entry' as const,
    resourceId,
    changes: { status: ['waiting', 'expired'], reason },
  }))
  return {
    statements: [
      ...endWaitingFor(db, eventTypeId, startTime, ids, changes),
      ...(logged.length === 0 ? [] : [recordActivities(db, tenant, SYSTEM, logged)]),
      ...events.flatMap(({ statements }) => statements),
    ],
    eventIds: events.map(({ id }) => id),
  }
}
