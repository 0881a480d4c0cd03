import { leavingOut, type Seen } from '../../engine/schedule/leaving-out.ts'
import type { Schedule } from '../../engine/schedule/schedule.ts'
import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import { selectBooking } from './queries.ts'

/** A schedule without this booking of the tenant, for rescheduling it; unchanged if there is no such booking. */
export async function leaveOut(
  env: Env,
  { organizationId, isTest }: Tenant,
  id: string,
): Promise<(schedule: Schedule) => Seen> {
  const [read] = await selectBooking(openDb(env, 'decide'), id.toLowerCase())
  const isTheirs = read?.organizationId === organizationId && read.isTest === isTest
  return isTheirs ? leavingOut(read) : (schedule) => ({ schedule, seats: 1 })
}
