import type { TenantCaller } from '../../platform/auth/caller.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { runChange } from '../../platform/http/run-change.ts'
import { changeAccount } from './change-account.ts'
import { findAccountOfOrg } from './queries.ts'
import type { Disconnected } from './schema.ts'

/**
 * Takes no payments from now on. The account stays the organization's own at the provider, so that what was
 * paid can be refunded and connecting again finds it.
 */
export async function disconnectProvider(ctx: Context<TenantCaller>): Promise<Disconnected> {
  if (ctx.caller.isTest) {
    return { disconnected: false, message: "The sandbox's provider is simulated and stays connected." }
  }
  const isDone = await runChange(ctx, async (db) => {
    const row = await findAccountOfOrg(db, ctx.caller.organizationId)
    if (!row || row.disconnectedAt !== null) return { body: false, statements: [] }
    const columns = { disconnectedAt: Date.now() }
    const change = changeAccount(db, row, columns, originOf(ctx), 'payment_account.disconnected')
    return { ...change, body: true }
  })
  const message = isDone
    ? 'Paid bookings are refused until a provider is connected again; payments already made stay.'
    : 'No payment provider was connected.'
  return { disconnected: true, message }
}
