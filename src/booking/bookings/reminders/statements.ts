import { and, eq, lte, type SQL } from 'drizzle-orm'
import { staysHere } from '../../../platform/db/due-page.ts'
import type { At } from '../../../platform/db/prepared.ts'
import { bookings } from '../../../platform/db/schema/bookings.ts'
import type { RealMs } from '../../../platform/limits/clock.ts'

/** Whether a live booking has a reminder that is due. */
export function isReminderDue(now: RealMs | At<{ now: RealMs }>['now']): SQL | undefined {
  return and(
    eq(bookings.isTest, false),
    lte(bookings.nextReminderAt, now),
    staysHere(bookings.organizationId),
  )
}
