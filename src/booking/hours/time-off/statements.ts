import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { newId } from '../../../platform/db/ids.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { type TimeOffRow, timeOff } from '../../../platform/db/schema/hours.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'
import { instantsIn, periodOf } from './period.ts'

type Dated = Pick<typeof timeOff.$inferSelect, 'id' | 'startsAt' | 'endsAt' | 'startDate' | 'endDate'>

/** The time off by dates of one member, or of everybody and everything in the organization's zone; in both modes. */
export async function listDated(
  db: Db,
  whose: { readonly memberId: string } | { readonly organizationId: string },
): Promise<Dated[]> {
  const { id, startsAt, endsAt, startDate, endDate } = timeOff
  const columns = { id, startsAt, endsAt, startDate, endDate }
  if ('memberId' in whose) {
    const isTheirs = and(eq(timeOff.memberId, whose.memberId), isNotNull(startDate))
    return db.select(columns).from(timeOff).where(isTheirs)
  }
  const theirs = sql`(SELECT id FROM members WHERE organization_id = ${whose.organizationId} AND timezone IS NULL
    UNION ALL SELECT ${whose.organizationId}
    UNION ALL SELECT id FROM resources WHERE organization_id = ${whose.organizationId})`
  return db
    .select(columns)
    .from(timeOff)
    .where(and(sql`${timeOff.memberId} IN ${theirs}`, isNotNull(startDate)))
}

/** When everybody is off, in both modes, of what has not ended; the first row says how often hours changed so far. */
export async function listOfAll(db: Db, organizationId: string, now: number) {
  const isLeft = sql`(${timeOff.isTest} OR ${timeOff.endsAt} > ${now})`
  const rows = await db
    .select({ hoursVersion: organizations.hoursVersion, row: timeOff })
    .from(organizations)
    .leftJoin(timeOff, and(eq(timeOff.memberId, organizations.id), isLeft))
    .where(eq(organizations.id, organizationId))
  return { hoursVersion: rows[0]!.hoursVersion, rows: rows.flatMap(({ row }) => (row ? [row] : [])) }
}

/** For the batch that adds a member, who is off with everybody. Refuses the batch if hours changed since they were read. */
export function joinTimeOff(
  db: Db,
  { id: memberId, organizationId }: { readonly id: string; readonly organizationId: string },
  { hoursVersion, rows }: Awaited<ReturnType<typeof listOfAll>>,
): Statement[] {
  const isChanged = sql`(SELECT hours_version FROM organizations WHERE id = ${organizationId}) <> ${hoursVersion}`
  const theirs = rows.map((row) => ({ ...row, id: newId(organizationId), memberId }))
  return [refuseWhen(db, 'STALE', isChanged), ...theirs.map((row) => db.insert(timeOff).values(row))]
}

/**
 * For the batch that changes a zone: the dates stay, and begin and end in the new zone. Refuses the batch if time off was
 * added in the meantime, by `hoursVersion`.
 */
export function moveDated(
  db: Db,
  organizationId: string,
  hoursVersion: number,
  timeZone: string,
  rows: readonly Dated[],
): Statement[] {
  const moved = rows.map((row) => {
    const { start, end } = instantsIn(timeZone, periodOf(row))
    return [row.id, start, end]
  })
  const isChanged = sql`(SELECT hours_version FROM organizations WHERE id = ${organizationId}) <> ${hoursVersion}`
  return [
    refuseWhen(db, 'STALE', isChanged),
    db
      .update(timeOff)
      .set({ startsAt: sql`json_each.value ->> 1`, endsAt: sql`json_each.value ->> 2` })
      .from(sql`json_each(${JSON.stringify(moved)})`)
      .where(eq(timeOff.id, sql`json_each.value ->> 0`)),
  ]
}

/** For the batch that removes a member. */
export function dropTimeOffOf(db: Db, memberId: string): Statement {
  return db.delete(timeOff).where(eq(timeOff.memberId, memberId))
}

/** Deletes these of the sandbox, a JSON list. */
export function dropTimeOff(db: Db, ids: string): Statement {
  return db.delete(timeOff).where(sql`id IN (SELECT value FROM json_each(${ids}))`)
}

/** All in one statement. A row with a known id is changed. */
export function putTimeOff(db: Db, rows: readonly TimeOffRow[]): Statement {
  const list = JSON.stringify(
    rows.map((row) => [
      row.id,
      row.organizationId,
      Number(row.isTest),
      row.memberId,
      row.resourceId,
      row.startsAt,
      row.endsAt,
      row.startDate,
      row.endDate,
      row.reason,
      row.externalId,
      row.createdAt,
      row.updatedAt,
    ]),
  )
  const values = sql.raw(Array.from({ length: 13 }, (_, at) => `value ->> ${at}`).join(', '))
  const { startsAt, endsAt, startDate, endDate, reason, externalId, updatedAt } = timeOff
  const replaced = { startsAt, endsAt, startDate, endDate, reason, externalId, updatedAt }
  const set = Object.fromEntries(
    Object.entries(replaced).map(([key, column]) => [key, sql.raw(`excluded.${column.name}`)]),
  )
  return (
    db
      .insert(timeOff)
      // Without a condition, `ON` would be parsed as that of a join.
      .select(sql`SELECT ${values} FROM json_each(${list}) WHERE true`)
      .onConflictDoUpdate({ target: timeOff.id, set })
  )
}
