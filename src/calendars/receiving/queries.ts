import { and, isNotNull, lte } from 'drizzle-orm'
import type { Db } from '../../platform/db/client.ts'
import { comesAfter, staysHere } from '../../platform/db/due-page.ts'
import { calendarConnections } from '../../platform/db/schema/calendars.ts'

/** A batch brings up to a thousand bookings, so few calendars go on in one sweep. */
export const BROUGHT_A_PAGE = 10

type Last = { readonly id: string; readonly bringAt: number | null }

/** The calendars that more upcoming bookings are brought into. */
export function selectToBring(db: Db, now: number, last?: Last) {
  const { id, organizationId, bringAt } = calendarConnections
  return db
    .select({ id, organizationId, bringAt })
    .from(calendarConnections)
    .where(
      and(
        isNotNull(bringAt),
        lte(bringAt, now),
        staysHere(organizationId),
        comesAfter([bringAt, id], last && [last.bringAt, last.id]),
      ),
    )
    .orderBy(bringAt, id)
    .limit(BROUGHT_A_PAGE)
}
