import { lt } from 'drizzle-orm'
import type { Db } from '../../../platform/db/client.ts'
import { deleteOld } from '../../../platform/db/delete-old.ts'
import { preparedStatement } from '../../../platform/db/prepared.ts'
import { packedHolds } from '../../../platform/db/schema/bookings.ts'
import { PACKED_NOW, packedFortnight } from './queries.ts'
import { FORTNIGHT_MS } from './read-times.ts'

/** Packs the fortnights of a calendar that changed. */
export const packBusyTimes = preparedStatement<readonly [connectionId: string]>(
  `UPDATE packed_busy_times SET times = ${PACKED_NOW} WHERE connection_id = ?1 AND times IS NULL`,
)

/** The hosts of a pool and their calendars. Those who take part in every booking would have their rows deleted by every booking. */
const PACKED_RESOURCES = `SELECT h.resource_id FROM event_type_hosts h WHERE h.event_type_id = ?1 AND h.part = 'pool'
  UNION SELECT c.id FROM event_type_hosts h CROSS JOIN event_types e ON e.id = h.event_type_id
    CROSS JOIN calendar_connections c ON c.member_id = h.member_id AND c.is_test = e.is_test AND NOT c.everybody
    WHERE h.event_type_id = ?1 AND h.part = 'pool'`

/**
 * Packs what the pool of an event type holds in these fortnights, as far as it is not packed. It reads and writes in one
 * statement, so no hold comes in between.
 */
export const packHolds = preparedStatement<readonly [eventTypeId: string, fortnights: string]>(
  `INSERT INTO packed_holds (fortnight, resource_id, times)
   SELECT fortnight, resource_id, times FROM (
     SELECT asked.value AS fortnight, taking.resource_id, ${packedFortnight('taking.resource_id', 'asked.value')} AS times
     FROM (${PACKED_RESOURCES}) taking CROSS JOIN json_each(?2) asked
     WHERE NOT EXISTS (SELECT 1 FROM packed_holds p WHERE p.fortnight = asked.value AND p.resource_id = taking.resource_id))
   WHERE times IS NOT NULL`,
)

/** Deletes packed fortnights that were over. */
export function prunePackedHolds(db: Db, before: number, limit: number) {
  const old = db
    .select({ fortnight: packedHolds.fortnight, resourceId: packedHolds.resourceId })
    .from(packedHolds)
    .where(lt(packedHolds.fortnight, Math.floor(before / FORTNIGHT_MS)))
    .limit(limit)
  return deleteOld(db, packedHolds, [packedHolds.fortnight, packedHolds.resourceId], old)
}
