import { and, eq, lte, type SQL } from 'drizzle-orm'
import { staysHere } from '../../../db/due-page.ts'
import type { At } from '../../../db/prepared.ts'
import { bookings } from '../../../db/schema/bookings.ts'
import type { RealMs } from '../../../limits/clock.ts'

/** Whether a live booking has a reminder that is due. */
export function isReminderDue(now: RealMs | At<{ now: RealMs }>['now']): SQL | undefined {
  return and(
    eq(bookings.isTest, false),
    lte(bookings.nextReminderAt, now),
    staysHere(bookings.organizationId),
  )
}
