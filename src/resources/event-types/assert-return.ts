import type { Tenant } from '../../auth/caller.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { assertRedirect } from '../../http/redirect-hosts.ts'
import type { UpdateEventTypeInput } from './input-schema.ts'
import { getRedirectHosts } from './queries.ts'

/** Throws a `validation_error` when people must not be sent there after booking. */
export async function assertReturn(
  db: Db,
  env: Env,
  { organizationId }: Tenant,
  { redirect_url: redirectUrl }: UpdateEventTypeInput,
): Promise<void> {
  if (redirectUrl == null) return
  assertRedirect(env, await getRedirectHosts(db, organizationId), redirectUrl)
}
