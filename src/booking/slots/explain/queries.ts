import { type SQL, sql } from 'drizzle-orm'
import type { Interval } from '../../../core/interval.ts'
import { MAX_HOLD_MS } from '../../../core/longest-hold.ts'
import { MINUTE_MS } from '../../../core/time-units.ts'
import type { Db } from '../../../platform/db/client.ts'

/** The holders of the event type's time that a start from `start` to `end` needs, with its buffers. */
export function selectHoldersNear(
  db: Db,
  eventTypeId: string,
  { start, end, duration }: Interval & { readonly duration: number | undefined },
) {
  const minutes = sql`(coalesce(${duration ?? null}, e.duration_minutes) + e.buffer_after_minutes)`
  const first = sql`(${start} - e.buffer_before_minutes * ${MINUTE_MS})`
  const isNear = sql`h.starts_at > ${first} - ${MAX_HOLD_MS} AND h.ends_at > ${first}
    AND h.starts_at < ${end} + ${minutes} * ${MINUTE_MS}`
  const resources = sql`SELECT resource_id FROM event_type_resources WHERE event_type_id = ${eventTypeId}`
  const found = (whose: SQL) =>
    sql`SELECT ${namesOf(sql`h.holder_id`)} FROM event_types e JOIN holds h ON ${whose} AND ${isNear} WHERE e.id = ${eventTypeId}`
  const own = sql`h.kept_by = '' AND h.resource_id IN (${resources})`
  const kept = sql`h.kept_by = ${eventTypeId} AND h.kept_by <> ''`
  return db
    .select({
      holder: sql<string>`holder`.as('holder'),
      booking: sql<string | null>`booking`.as('booking'),
      hold: sql<string | null>`hold`.as('hold'),
    })
    .from(sql`(${found(own)} UNION ALL ${found(kept)}) found`)
}

/** The booking of a holder, or what is held to become one; of a session, the first of them. */
function namesOf(holder: SQL): SQL {
  const first = (rows: SQL) => sql`(SELECT min(id) FROM ${rows})`
  return sql`${holder} AS holder,
      coalesce(${first(sql`bookings WHERE id = ${holder} AND session_id IS NULL`)},
        ${first(sql`bookings WHERE session_id = ${holder} AND status <> 'cancelled'`)}) AS booking,
      coalesce(${first(sql`slot_holds WHERE id = ${holder}`)},
        ${first(sql`slot_holds WHERE session_id = ${holder} AND status = 'held'`)}) AS hold`
}
