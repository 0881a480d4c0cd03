import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { listUnintended } from './affected/queries.ts'
import { listUpcoming } from './queries.ts'

type Range = { readonly from: number; readonly until: number; readonly limit: number }

/**
 * The first bookings in time off that overlaps the range, but for those that were booked there on purpose. They stay until somebody
 * does something about them.
 */
export async function listInTimeOff(
  env: Env,
  tenant: Tenant,
  { from, until, limit }: Range,
): Promise<readonly string[]> {
  const db = openDb(env, 'decide')
  const absences = await listUpcoming(db, tenant, { from, until })
  if (absences.length === 0) return []
  const inRange = absences.map((one) => ({
    ...one,
    startsAt: Math.max(one.startsAt, from),
    endsAt: Math.min(one.endsAt, until),
  }))
  return listUnintended(db, inRange, limit)
}
