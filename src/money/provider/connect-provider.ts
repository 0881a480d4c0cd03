import type * as z from 'zod'
import { recordActivity } from '../../outbox/activity/statements.ts'
import type { TenantCaller } from '../../platform/auth/caller.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { type Context, originOf } from '../../platform/http/context.ts'
import { invalid, refuse } from '../../platform/http/errors.ts'
import { refusePublicUrl } from '../../platform/http/public-url.ts'
import { type Change, runChange } from '../../platform/http/run-change.ts'
import { realNow } from '../../platform/limits/clock.ts'
import { problem } from '../../platform/reasons/reason.ts'
import {
  type ConnectedAccount,
  createAccount,
  createAccountLink,
  findAccount,
  isCountryRefused,
} from '../stripe/accounts.ts'
import type { StripeClient } from '../stripe/client.ts'
import { askProvider } from './ask-provider.ts'
import { changeAccount, columnsOf, isSetUp } from './change-account.ts'
import { type AccountRow, findAccountOfOrg, findOwnerEmail, insertAccount } from './queries.ts'
import type { ConnectPage, ConnectQuery } from './schema.ts'

/**
 * A page on which the organization sets up the account that its invitees pay to; the account is made once, in the
 * `country`.
 */
export async function connectProvider(
  ctx: Context<TenantCaller>,
  { redirect_url: redirectUrl, country }: z.output<typeof ConnectQuery>,
): Promise<ConnectPage> {
  if (redirectUrl !== undefined) {
    const refusal = refusePublicUrl(redirectUrl, ctx.env.ALLOW_PRIVATE_HOSTS === 'true')
    if (refusal !== null) throw invalid({ redirect_url: refusal })
  }
  const backTo = redirectUrl ?? ctx.env.PUBLIC_URL
  // The sandbox is connected already, so there is nothing to fill in on the way.
  if (ctx.caller.isTest) return { url: backTo }
  const url = await askProvider(
    ctx.env,
    ctx.caller.organizationId,
    'payments_not_configured',
    async (stripe, patience) => {
      const accountId = await runChange(ctx, (db) => ensureAccount(ctx, db, { stripe, country, patience }))
      return createAccountLink(stripe, accountId, backTo)
    },
  )
  return { url }
}

type Asking = {
  readonly stripe: StripeClient
  readonly country: string | undefined
  readonly patience: AbortSignal
}

async function ensureAccount(ctx: Context<TenantCaller>, db: Db, asking: Asking): Promise<Change<string>> {
  const { stripe } = asking
  const { organizationId } = ctx.caller
  const row = await findAccountOfOrg(db, organizationId)
  if (!row) return { body: await makeFirst(ctx, db, asking), statements: [] }

  const account = await findAccount(stripe, row.accountId)
  const now = realNow()
  // An account that revoked its connection never comes back; what was paid to it stays where it is.
  const current =
    account ??
    (await make(
      db,
      organizationId,
      { ...asking, country: asking.country ?? row.country ?? undefined },
      row.accountId,
    ))
  const isNew = account === null || row.disconnectedAt !== null
  const columns = columnsOf(isNew ? { ...row, connectedAt: null } : row, current, now)
  const change = changeAccount(
    db,
    row,
    { ...columns, accountId: current.id, disconnectedAt: null },
    originOf(ctx),
    isNew ? 'payment_account.connected' : 'payment_account.updated',
  )
  return { ...change, body: current.id }
}

/** An account in the country that is asked for, which instead of an earlier one that was lost. */
async function make(
  db: Db,
  organizationId: string,
  { stripe, country, patience }: Asking,
  lostId?: string,
): Promise<ConnectedAccount> {
  if (country === undefined) throw invalid({ country: problem('required_until_connected') })
  // The same key never makes a second account; another country needs another one.
  const key = [organizationId, country, ...(lostId === undefined ? [] : [lostId])].join('/')
  try {
    const email = await findOwnerEmail(db, organizationId)
    return await createAccount(stripe, { organizationId, country, email }, key, patience)
  } catch (error) {
    throw isCountryRefused(error) ? refuse('country_refused', { country }) : error
  }
}

async function makeFirst(ctx: Context<TenantCaller>, db: Db, asking: Asking): Promise<string> {
  const { organizationId } = ctx.caller
  const account = await make(db, organizationId, asking)
  const now = Date.now()
  const row: AccountRow = {
    organizationId,
    accountId: account.id,
    country: account.country,
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
