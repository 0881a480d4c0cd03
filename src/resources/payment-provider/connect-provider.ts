import type Stripe from 'stripe'
import type { TenantCaller } from '../../auth/caller.ts'
import { commitBatch, type Db, openDb } from '../../db/client.ts'
import { fenceOf } from '../../db/refusals.ts'
import { type Context, originOf } from '../../http/context.ts'
import { invalid } from '../../http/errors.ts'
import { refusePublicUrl } from '../../http/public-url.ts'
import { retryWhenStale } from '../../http/retry-when-stale.ts'
import { realNow } from '../../limits/clock.ts'
import { createAccount, createAccountLink, findAccount } from '../../providers/stripe/accounts.ts'
import { recordActivity } from '../activity/statements.ts'
import { askProvider, NO_PAYMENTS } from './ask-provider.ts'
import { changeAccount, columnsOf, isSetUp } from './change-account.ts'
import { type AccountRow, findAccountOfOrg, insertAccount } from './queries.ts'
import type { ConnectPage } from './schema.ts'

/** A page on which the organization sets up the account that its invitees pay to; the account is made once. */
export async function connectProvider(
  ctx: Context<TenantCaller>,
  redirectUrl: string | undefined,
): Promise<ConnectPage> {
  if (redirectUrl !== undefined) {
    const refusal = refusePublicUrl(redirectUrl, ctx.env.ALLOW_PRIVATE_HOSTS === 'true')
    if (refusal !== null) throw invalid({ redirect_url: refusal })
  }
  const backTo = redirectUrl ?? ctx.env.PUBLIC_URL
  // The sandbox is connected already, so there is nothing to fill in on the way.
  if (ctx.caller.isTest) return { url: backTo }
  const url = await askProvider(ctx.env, NO_PAYMENTS, async (stripe) => {
    const accountId = await retryWhenStale(() => ensureAccount(ctx, stripe))
    return createAccountLink(stripe, accountId, backTo)
  })
  return { url }
}

async function ensureAccount(ctx: Context<TenantCaller>, stripe: Stripe): Promise<string> {
  const { organizationId } = ctx.caller
  const db = openDb(ctx.env, 'decide')
  const row = await findAccountOfOrg(db, organizationId)
  if (!row) return makeFirst(ctx, stripe, db)

  const account = await findAccount(stripe, row.accountId)
  const now = realNow()
  // An account that revoked its connection never comes back; what was paid to it stays where it is.
  const current =
    account ?? (await createAccount(stripe, organizationId, `${organizationId}/${row.accountId}`))
  const isNew = account === null || row.disconnectedAt !== null
  const columns = columnsOf(isNew ? { ...row, connectedAt: null } : row, current, now)
  await changeAccount(
    db,
    row,
    { ...columns, accountId: current.id, disconnectedAt: null },
    originOf(ctx),
    isNew ? 'payment_account.connected' : 'payment_account.updated',
  )
  return current.id
}

async function makeFirst(ctx: Context<TenantCaller>, stripe: Stripe, db: Db): Promise<string> {
  const { organizationId } = ctx.caller
  const account = await createAccount(stripe, organizationId, organizationId)
  const now = Date.now()
  const row: AccountRow = {
    organizationId,
    accountId: account.id,
    country: null,
    chargesEnabled: account.chargesEnabled,
    payoutsEnabled: account.payoutsEnabled,
    connectedAt: isSetUp(account) ? now : null,
    disconnectedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  try {
    await commitBatch(db, [
      insertAccount(db, row),
      recordActivity(db, { organizationId, isTest: false }, originOf(ctx), {
        action: 'payment_account.created',
        resourceType: 'payment_account',
        resourceId: organizationId,
        changes: { account_id: account.id },
      }),
    ])
  } catch (error) {
    if (fenceOf(error) !== 'ACCOUNT_TAKEN') throw error
    // Another call made it in the same moment. Its key may have been another, and only what was written counts.
    const written = await findAccountOfOrg(db, organizationId)
    return written?.accountId ?? account.id
  }
  return account.id
}
