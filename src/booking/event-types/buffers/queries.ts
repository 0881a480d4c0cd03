import { eq, sql } from 'drizzle-orm'
import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db, Statement } from '../../../platform/db/client.ts'
import { preparedQuery } from '../../../platform/db/prepared.ts'
import { refuseWhen } from '../../../platform/db/refusals.ts'
import { holds } from '../../../platform/db/schema/bookings.ts'
import { organizations } from '../../../platform/db/schema/organizations.ts'

/** A hold of an upcoming booking, with the end of its meeting and the time that others leave around it. */
export type UpcomingHold = {
  readonly resource_id: string
  readonly kept_by: string
  readonly starts_at: number
  readonly ends_at: number
  readonly holder_id: string
  readonly meets_at: number
  readonly expires_at: number | null
  readonly meeting_end: number
  readonly previous_end: number | null
  readonly next_start: number | null
}

const BESIDE = 'resource_id = h.resource_id AND kept_by = h.kept_by'

/** The holds of the bookings or holds `m` of one table. */
const holdsOf = (table: string, isActive: string) => `SELECT h.resource_id, h.kept_by, h.starts_at, h.ends_at,
     h.holder_id, h.meets_at, h.expires_at, m.end_time AS meeting_end,
     (SELECT ends_at FROM holds WHERE ${BESIDE} AND starts_at < h.starts_at ORDER BY starts_at DESC LIMIT 1) AS previous_end,
     (SELECT starts_at FROM holds WHERE ${BESIDE} AND starts_at > h.starts_at ORDER BY starts_at LIMIT 1) AS next_start
   FROM ${table} m CROSS JOIN holds h ON h.holder_id = coalesce(m.session_id, m.id) AND h.meets_at IS NOT NULL
   WHERE m.event_type_id = ?1 AND m.start_time > ?2 AND ${isActive}`

/** The bookings of a session share their holds, so each is listed once. */
const upcoming = preparedQuery<UpcomingHold, readonly [eventTypeId: string, now: number]>(
  `${holdsOf('bookings', "m.status <> 'cancelled'")} UNION ${holdsOf('slot_holds', "m.status = 'held'")} ORDER BY 1, 2, 3`,
)

export function selectUpcomingHolds(db: Db, eventTypeId: string, now: number) {
  return upcoming(db, eventTypeId, now)
}

export type WiderHold = UpcomingHold & { readonly from: number; readonly until: number }

/** Replaces holds by wider ones: a hold never changes. Refused if one of them is not as it was read. */
export function widenHolds(db: Db, wider: readonly WiderHold[]): Statement[] {
  const rows = JSON.stringify(
    wider.map((one) => [
      ...[one.resource_id, one.kept_by, one.starts_at, one.ends_at, one.holder_id],
      ...[one.meets_at, one.expires_at, one.from, one.until],
    ]),
  )
  const isOther = sql`EXISTS (SELECT 1 FROM json_each(${rows}) one WHERE NOT EXISTS (SELECT 1 FROM holds h
    WHERE h.resource_id = one.value ->> 0 AND h.kept_by = one.value ->> 1 AND h.starts_at = one.value ->> 2
      AND h.ends_at = one.value ->> 3 AND h.holder_id = one.value ->> 4 AND h.expires_at IS one.value ->> 6))`
  return [
    refuseWhen(db, 'STALE', isOther),
    db
      .delete(holds)
      .where(
        sql`(resource_id, kept_by, starts_at) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${rows}))`,
      ),
    db.insert(holds).select(
      sql`SELECT value ->> 0, value ->> 7, value ->> 8, value ->> 4, value ->> 1, value ->> 5, value ->> 6
        FROM json_each(${rows})`,
    ),
  ]
}

/** Event types that share the hosts read their schedules again: no trigger sees that a hold is wider. */
export function changeShared(db: Db, { organizationId, isTest }: Tenant): Statement {
  const version = isTest
    ? { testVersion: sql`${organizations.testVersion} + 1` }
    : { liveVersion: sql`${organizations.liveVersion} + 1` }
  return db.update(organizations).set(version).where(eq(organizations.id, organizationId))
}
