import { and, lte, type SQL, sql } from 'drizzle-orm'
import { staysHere } from '../../../db/due-page.ts'
import type { At } from '../../../db/prepared.ts'
import { bookings } from '../../../db/schema/bookings.ts'
import type { RealMs } from '../../../limits/clock.ts'

/** A sandbox with a clock of its own is reminded when that is set. */
const FOLLOWS_REAL_CLOCK = sql`(${bookings.isTest} = 0 OR EXISTS (SELECT 1 FROM organizations clock
  WHERE clock.id = ${bookings.organizationId} AND clock.sandbox_now IS NULL))`

/** Whether a booking has a reminder that is due by the real clock. */
export function isReminderDue(now: RealMs | At<{ now: RealMs }>['now']): SQL | undefined {
  return and(lte(bookings.nextReminderAt, now), FOLLOWS_REAL_CLOCK, staysHere(bookings.organizationId))
}
