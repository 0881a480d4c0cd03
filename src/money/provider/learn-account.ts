import type { Env } from '../../env.ts'
import { SYSTEM } from '../../platform/auth/caller.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { findAccount } from '../stripe/accounts.ts'
import type { StripeClient } from '../stripe/client.ts'
import { changeAccount, columnsOf } from './change-account.ts'
import { type AccountRow, findAccountOfOrg } from './queries.ts'

/**
 * Asks the provider for the state of the organization's account and stores it; null without one. An account that was
 * disconnected here is not asked about.
 */
export function learnAccount(
  env: Env,
  stripe: StripeClient,
  organizationId: string,
): Promise<AccountRow | null> {
  return runChange({ env }, async (db): Promise<Change<AccountRow | null>> => {
    // Read before the provider is asked: if something newer is stored in the meantime, this commit is refused as stale.
    const row = await findAccountOfOrg(db, organizationId)
    if (!row || row.disconnectedAt !== null) return { body: row, statements: [] }
    const account = await findAccount(stripe, row.accountId)
    const action = account ? 'payment_account.updated' : 'payment_account.revoked'
    return changeAccount(db, row, columnsOf(row, account, realNow()), SYSTEM, action)
  })
}
