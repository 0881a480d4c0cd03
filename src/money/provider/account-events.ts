import { openDb } from '../../platform/db/client.ts'
import { askProvider } from './ask-provider.ts'
import { learnAccount } from './learn-account.ts'
import { type ProviderEventHandler, refuseMoving } from './provider-event.ts'
import { findOrganizationOfAccount } from './queries.ts'

/** The provider reports that an account changed. What changed is requested from it. */
export const accountEvents: ProviderEventHandler = {
  kinds: ['account.updated', 'account.application.deauthorized'],
  handle: async (env, event) => {
    // Of a revoked connection the object is the application that lost it.
    const accountId = event.type === 'account.updated' ? event.data.object.id : event.account
    if (accountId === undefined) return
    const db = openDb(env, 'decide')
    const organizationId = await findOrganizationOfAccount(db, accountId)
    if (organizationId === null) return
    await refuseMoving(db, organizationId)
    await askProvider(env, organizationId, 'payments_not_configured', (stripe) =>
      learnAccount(env, stripe, organizationId),
    )
  },
}
