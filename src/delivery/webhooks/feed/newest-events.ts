import type { Env } from '../../../env.ts'
import type { Tenant } from '../../../platform/auth/caller.ts'
import { openDb } from '../../../platform/db/client.ts'
import { presentEvent } from './present.ts'
import { listNewestEventsInTenant } from './queries.ts'
import type { ServiceEvent } from './schema.ts'

/** The feed in reverse, for the console: the newest events, or those before a sequence. */
export async function newestEvents(
  env: Env,
  tenant: Tenant,
  page: { readonly before: number | null; readonly limit: number },
): Promise<{ readonly data: readonly ServiceEvent[]; readonly has_more: boolean }> {
  const rows = await listNewestEventsInTenant(openDb(env, 'decide'), tenant, page)
  return { data: rows.slice(0, page.limit).map(presentEvent), has_more: rows.length > page.limit }
}
