import type Stripe from 'stripe'
import { SYSTEM } from '../../auth/caller.ts'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { retryWhenStale } from '../../http/retry-when-stale.ts'
import { findAccount } from '../../providers/stripe/accounts.ts'
import { changeAccount, columnsOf } from './change-account.ts'
import { type AccountRow, findAccountOfOrg } from './queries.ts'

/**
 * Asks the provider how the organization's account stands and writes it down; null without one. Of an account that was disconnected
 * here nothing is asked.
 */
export function learnAccount(env: Env, stripe: Stripe, organizationId: string): Promise<AccountRow | null> {
  return retryWhenStale(async () => {
    const db = openDb(env, 'decide')
    // Read before the provider is asked: whoever learnt something newer meanwhile makes this commit stale.
    const row = await findAccountOfOrg(db, organizationId)
    if (!row || row.disconnectedAt !== null) return row
    const account = await findAccount(stripe, row.accountId)
    const action = account ? 'payment_account.updated' : 'payment_account.revoked'
    return changeAccount(db, row, columnsOf(row, account, Date.now()), SYSTEM, action)
  })
}
