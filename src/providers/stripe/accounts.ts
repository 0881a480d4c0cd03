import type Stripe from 'stripe'
import { withSteadyKey } from './steady-key.ts'

/** An account that charges go to, as the provider has it now. */
export type ConnectedAccount = {
  readonly id: string
  /** Whether its owner has gone through the provider's questions. */
  readonly isSubmitted: boolean
  readonly chargesEnabled: boolean
  readonly payoutsEnabled: boolean
}

/**
 * Makes an Express account. The same `key` gives the same account for at least 24 hours, so what is sent
 * depends on nothing else. Throws the SDK's errors. Source: Stripe API, "Create an account".
 */
export async function createAccount(
  stripe: Stripe,
  organizationId: string,
  key: string,
): Promise<ConnectedAccount> {
  const params = {
    type: 'express' as const,
    capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
    metadata: { organization_id: organizationId },
  }
  const account = await withSteadyKey(key, (idempotencyKey) =>
    stripe.accounts.create(params, { idempotencyKey }),
  )
  return accountOf(account)
}

/**
 * A page of the provider on which the account's owner answers its questions; it opens once and soon expires.
 * Both ways back lead to `backTo`. Source: Stripe API, "Create an account link".
 */
export async function createAccountLink(stripe: Stripe, accountId: string, backTo: string): Promise<string> {
  const link = await stripe.accountLinks.create({
    account: accountId,
    type: 'account_onboarding',
    refresh_url: backTo,
    return_url: backTo,
  })
  return link.url
}

/** The account, or null when the platform can no longer reach it. Source: Stripe API, "Retrieve account". */
export async function findAccount(stripe: Stripe, accountId: string): Promise<ConnectedAccount | null> {
  try {
    const account = await stripe.accounts.retrieve(accountId)
    return 'deleted' in account && account.deleted ? null : accountOf(account)
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

function accountOf(account: Stripe.Account): ConnectedAccount {
  return {
    id: account.id,
    isSubmitted: account.details_submitted === true,
    chargesEnabled: account.charges_enabled === true,
    payoutsEnabled: account.payouts_enabled === true,
  }
}

/** The error codes of an account that was deleted, and of one that revoked the platform's access. */
function isGone(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return error instanceof Error && (code === 'account_invalid' || code === 'resource_missing')
}
