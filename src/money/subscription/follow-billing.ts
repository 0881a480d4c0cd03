import type { Env } from '../../env.ts'
import { SYSTEM } from '../../platform/auth/caller.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { openDb } from '../../platform/db/client.ts'
import { askProvider } from '../provider/ask-provider.ts'
import { refuseMoving } from '../provider/provider-event.ts'
import { learnPlan } from './learn-plan.ts'
import { findOrganizationOfCustomer } from './queries.ts'

/** Lets the plan follow what the provider knows about a customer; does nothing when no organization is that customer. */
export async function followCustomer(env: Env, customerId: string): Promise<void> {
  const db = openDb(env, 'decide')
  const organizationId = await findOrganizationOfCustomer(db, customerId)
  if (organizationId === null) return
  await refuseMoving(db, organizationId)
  await followBilling(env, organizationId)
}

/** Asks about organizations whose news from the provider is overdue. A failed question is asked again. */
export async function followOverdue(
  env: Env,
  due: readonly { readonly organizationId: string }[],
): Promise<void> {
  if (!env.STRIPE_SECRET_KEY) return
  await Promise.all(
    due.map(({ organizationId }) =>
      followBilling(env, organizationId).catch((error) =>
        console.error(JSON.stringify({ billing: organizationId, cause: bareError(error).message })),
      ),
    ),
  )
}

async function followBilling(env: Env, organizationId: string): Promise<void> {
  await askProvider(env, organizationId, 'billing_not_configured', (stripe) =>
    learnPlan(env, stripe, organizationId, SYSTEM),
  )
}
