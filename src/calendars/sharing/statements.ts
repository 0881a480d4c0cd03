import { type SQL, sql } from 'drizzle-orm'
import { MAX_HOLD_MS } from '../../core/longest-hold.ts'
import type { Db, Statement } from '../../platform/db/client.ts'
import { holds } from '../../platform/db/schema/bookings.ts'
import { isWithoutHosts, OWNER, sharedCalendar } from './shared-calendar.ts'

/**
 * What the calendars `c` that `which` names hold for event types without hosts, `target` holds too. The owner's own are read
 * whatever the default is.
 */
function passOn(db: Db, which: SQL, target: string): Statement {
  return db.insert(holds).select(sql`WITH moved AS MATERIALIZED (
      SELECT h.*, ${sql.raw(target)} AS target FROM calendar_connections c JOIN organizations o ON o.id = c.organization_id
      CROSS JOIN holds h ON h.resource_id = c.id AND h.kept_by = '' AND h.starts_at > ${Date.now() - MAX_HOLD_MS}
      WHERE ${which} AND c.member_id IS NOT ${sql.raw(OWNER)}
        AND ${sql.raw(isWithoutHosts('h.holder_id'))})
    SELECT target, starts_at, ends_at, holder_id, '', meets_at, expires_at FROM moved
    WHERE target IS NOT NULL AND NOT EXISTS (SELECT 1 FROM holds other
      WHERE other.resource_id = moved.target AND other.kept_by = '' AND other.starts_at > moved.starts_at - ${MAX_HOLD_MS}
        AND other.starts_at < moved.ends_at AND other.ends_at > moved.starts_at)`)
}

/**
 * Before the default calendar goes, if it is one of `going`, or when it closes everybody: the owner's calendar holds what it
 * held for event types without hosts, which know of each other by it. The default is always live.
 */
export function passOnHoldsOfDefault(db: Db, going: SQL): Statement {
  return passOn(
    db,
    sql`c.id IN ${going} AND c.id = o.default_calendar_connection_id`,
    sharedCalendar('0', OWNER, 'NULL'),
  )
}

/** The same after another calendar, or none, became the default in place of `before`. */
export function passOnHoldsOfFormer(db: Db, before: string): Statement {
  return passOn(
    db,
    sql`c.id = ${before} AND c.id IS NOT o.default_calendar_connection_id`,
    sharedCalendar('0', OWNER),
  )
}
