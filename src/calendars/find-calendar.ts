import type { Env } from '../env.ts'
import type { Tenant } from '../platform/auth/caller.ts'
import { openDb } from '../platform/db/client.ts'
import { presentConnection } from './present.ts'
import { findListedInTenant } from './queries.ts'
import type { CalendarConnection } from './schema.ts'

/** One calendar as it is stored; null where the tenant has none of that id. */
export async function findCalendar(
  env: Env,
  tenant: Tenant,
  id: string,
  now: number,
): Promise<CalendarConnection | null> {
  const found = await findListedInTenant(openDb(env, 'decide'), tenant, id, now)
  return found && presentConnection(found)
}
