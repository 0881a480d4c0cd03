import { type SQL, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../../../core/longest-hold.ts'
import { resourceIdOf } from '../../../../core/resource-id.ts'
import { unitIdOf } from '../../../../engine/schedule/resources/rooms.ts'
import { MOST_UNITS } from '../../../../engine/schedule/resources/unit-numbers.ts'
import type { Db, Statement } from '../../../../platform/db/client.ts'
import { refuseWhen } from '../../../../platform/db/refusals.ts'
import type { TimeOffRow } from '../../../../platform/db/schema/hours.ts'
import { isOfAll } from '../present.ts'

/** The member, and the instants. */
type Absence = Pick<
  TimeOffRow,
  'memberId' | 'resourceId' | 'organizationId' | 'isTest' | 'startsAt' | 'endsAt'
>

/** What bookings hold of it. */
function heldOf({ memberId, resourceId, isTest }: Absence): string[] {
  if (resourceId === null) return [resourceIdOf(memberId, isTest)]
  return Array.from({ length: MOST_UNITS }, (_, at) => unitIdOf(resourceId, at + 1))
}

/** Active bookings that overlap time off of any of their hosts, or of everybody if they have none, by start. */
function affectedBy(absences: readonly Absence[]): SQL {
  const ofAll = absences.filter(isOfAll)
  const list = JSON.stringify(
    absences.flatMap((one) => heldOf(one).map((held) => [held, one.startsAt, one.endsAt])),
  )
  const closed = JSON.stringify(
    ofAll.map((one) => [one.organizationId, one.startsAt, one.endsAt, Number(one.isTest)]),
  )
  const held = (resource: string) =>
    sql.raw(`${resource} AND hold.kept_by = ''
      AND hold.starts_at > (json_each.value ->> 1) - ${MAX_HOLD_MS} AND hold.starts_at < json_each.value ->> 2`)
  const standsIn = sql.raw(
    "b.status <> 'cancelled' AND b.start_time < json_each.value ->> 2 AND b.end_time > json_each.value ->> 1",
  )
  const bookingsOf = (holds: SQL) => sql`SELECT b.id AS id, b.start_time AS start_time FROM ${holds}
      CROSS JOIN bookings b ON b.id = hold.holder_id AND b.session_id IS NULL WHERE ${standsIn}
    UNION SELECT b.id, b.start_time FROM ${holds}
      CROSS JOIN bookings b ON b.session_id = hold.holder_id WHERE ${standsIn}`
  const ofHosts = sql`json_each(${list}) CROSS JOIN holds hold ON hold.resource_id = ${held('json_each.value ->> 0')}`
  const hostless = sql`json_each(${closed}) CROSS JOIN event_types e ON e.organization_id = json_each.value ->> 0
      AND e.is_test = json_each.value ->> 3 AND NOT EXISTS (SELECT 1 FROM event_type_hosts h WHERE h.event_type_id = e.id)
    CROSS JOIN holds hold ON hold.resource_id = ${held('e.id')}`
  return ofAll.length === 0
    ? sql`${bookingsOf(ofHosts)} ORDER BY start_time, id`
    : sql`${bookingsOf(ofHosts)} UNION ${bookingsOf(hostless)} ORDER BY start_time, id`
}

export async function listAffected(db: Db, absences: readonly Absence[]): Promise<string[]> {
  const rows = await db.all<{ id: string }>(affectedBy(absences))
  return rows.map(({ id }) => id)
}

/** The first of them that were not booked outside hours knowingly. */
export async function listUnintended(db: Db, absences: readonly Absence[], limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT listed.id AS id FROM (${affectedBy(absences)}) listed
    CROSS JOIN bookings b ON b.id = listed.id AND NOT EXISTS (SELECT 1 FROM json_each(b.overridden) WHERE value = 'hours')
    ORDER BY listed.start_time, listed.id LIMIT ${limit}`)
  return rows.map(({ id }) => id)
}

/** Refuses the batch if the bookings in the time off are no longer those that were listed. */
export function guardAffected(db: Db, absences: readonly Absence[], named: readonly string[]): Statement {
  const standing = sql`(SELECT json_group_array(id) FROM (${affectedBy(absences)}))`
  return refuseWhen(db, 'STALE', sql`${standing} <> ${JSON.stringify(named)}`)
}
