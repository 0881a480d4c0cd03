import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { selectBookingEmails, selectOthers } from './queries.ts'

export type BookingEmail = Awaited<ReturnType<typeof selectBookingEmails>>[number]
export type OtherBooking = Awaited<ReturnType<typeof selectOthers>>[number]

/** Which emails about a booking were sent, and the other bookings of its invitee: one round trip. */
export async function findHistory(
  env: Env,
  tenant: Tenant,
  id: string,
): Promise<{ readonly emails: readonly BookingEmail[]; readonly others: readonly OtherBooking[] }> {
  const db = openDb(env, 'read')
  const [emails, others] = await db.batch([selectBookingEmails(db, tenant, id), selectOthers(db, tenant, id)])
  return { emails, others }
}
