import { asc, eq, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import type { OverrideRow, RuleRow } from '../../../platform/db/schema/event-types.ts'
import { availabilityOverrides, availabilityRules } from '../../../platform/db/schema/event-types.ts'

export function replaceRules(db: Db, eventTypeId: string, rows: readonly RuleRow[]): Statement[] {
  return [
    db.delete(availabilityRules).where(eq(availabilityRules.eventTypeId, eventTypeId)),
    ...inPieces(rows, (piece) => db.insert(availabilityRules).values(piece)),
  ]
}

export function replaceOverrides(db: Db, eventTypeId: string, rows: readonly OverrideRow[]): Statement[] {
  return [
    db.delete(availabilityOverrides).where(eq(availabilityOverrides.eventTypeId, eventTypeId)),
    ...inPieces(rows, (piece) => db.insert(availabilityOverrides).values(piece)),
  ]
}

/** D1 takes 100 bound values a statement; these rows have at most six columns. */
function inPieces<T>(rows: readonly T[], insert: (piece: T[]) => Statement): Statement[] {
  const pieces: Statement[] = []
  for (let at = 0; at < rows.length; at += 16) pieces.push(insert(rows.slice(at, at + 16)))
  return pieces
}

/** Refuses the batch if the event type was deleted in the meantime. */
export function guardEventType(db: Db, eventTypeId: string): Statement {
  const isGone = sql`NOT EXISTS (SELECT 1 FROM event_types WHERE id = ${eventTypeId} AND deleted_at IS NULL)`
  return refuseWhen(db, 'STALE', isGone)
}

export function selectRules(db: Db, eventTypeId: string) {
  return db
    .select()
    .from(availabilityRules)
    .where(eq(availabilityRules.eventTypeId, eventTypeId))
    .orderBy(asc(availabilityRules.id))
}

export function selectOverrides(db: Db, eventTypeId: string) {
  return db
    .select()
    .from(availabilityOverrides)
    .where(eq(availabilityOverrides.eventTypeId, eventTypeId))
    .orderBy(asc(availabilityOverrides.date))
}
