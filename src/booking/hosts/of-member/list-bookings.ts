import type { Tenant } from '../../../platform/auth/caller.ts'
import type { Db } from '../../../platform/db/client.ts'
import { assertCursor, cutPage } from '../../../platform/http/page.ts'
import type { AskedMs } from '../../../platform/limits/clock.ts'
import { presentBooking } from '../../bookings/present.ts'
import type { Booking } from '../../bookings/schema.ts'
import { selectCursor, selectUpcomingOf } from './statements.ts'

type Whose = { readonly memberId: string; readonly now: AskedMs }
type Page = { readonly limit: number; readonly starting_after?: string | undefined }

/** A page of the upcoming bookings of a member in the caller's mode, soonest first: also those that they host with others. */
export async function listBookingsOfMember(
  db: Db,
  tenant: Tenant,
  { memberId, now }: Whose,
  page: Page,
): Promise<{ readonly data: Booking[]; readonly has_more: boolean }> {
  const { isTest } = tenant
  const [rows, cursor] = await db.batch([
    selectUpcomingOf(db, { memberId, isTest, now }, page),
    selectCursor(db, tenant, page),
  ])
  assertCursor(page, cursor)
  const { data, has_more } = cutPage(rows, page)
  return { data: data.map(presentBooking), has_more }
}
