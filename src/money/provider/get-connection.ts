import type { TenantCaller } from '../../platform/auth/caller.ts'
import { openDb } from '../../platform/db/client.ts'
import type { Context } from '../../platform/http/context.ts'
import { askProvider } from './ask-provider.ts'
import { learnAccount } from './learn-account.ts'
import { presentConnection, presentSimulated } from './present.ts'
import { getOrganizationAge } from './queries.ts'
import type { ProviderConnection } from './schema.ts'

/** The state of the organization's account, as the provider reports it; not connected without an account. */
export async function getConnection({ env, caller }: Context<TenantCaller>): Promise<ProviderConnection> {
  const { organizationId, isTest } = caller
  if (isTest) return presentSimulated(await getOrganizationAge(openDb(env, 'decide'), organizationId))
  if (!env.STRIPE_SECRET_KEY) return presentConnection(null)
  const row = await askProvider(env, organizationId, 'payments_not_configured', (stripe) =>
    learnAccount(env, stripe, organizationId),
  )
  return presentConnection(row)
}
