import type { Env } from '../../env.ts'
import type { Tenant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/client.ts'
import { assertRedirect } from '../../platform/http/redirect-hosts.ts'
import type { UpdateEventTypeInput } from './input-schema.ts'
import { getRedirectHosts } from './queries.ts'

/** Throws a `validation_error` if people must not be redirected there after booking. */
export async function assertReturn(
  db: Db,
  env: Env,
  { organizationId }: Tenant,
  { redirect_url: redirectUrl }: UpdateEventTypeInput,
): Promise<void> {
  if (redirectUrl == null) return
  assertRedirect(env, await getRedirectHosts(db, organizationId), redirectUrl)
}
