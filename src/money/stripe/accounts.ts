import type Stripe from 'stripe'
import { failureOf, type StripeClient } from './client.ts'
import { withSteadyKey } from './steady-key.ts'

/** An account that charges go to, as the provider has it now. */
export type ConnectedAccount = {
  readonly id: string
  /** Two capital letters. */
  readonly country: string | null
  /** Whether its owner has gone through the provider's questions. */
  readonly isSubmitted: boolean
  readonly chargesEnabled: boolean
  readonly payoutsEnabled: boolean
}

/**
 * Creates an account that belongs to its owner: it pays the provider's fees and is liable for its disputes, and losses it
 * cannot cover are the provider's, not the platform's. The same `key` returns the same account for at least 24 hours, so use
 * one key per organization and country; the request depends on nothing else. Throws `StripeError`.
 * Source: Stripe API, "Create an account"; https://docs.stripe.com/connect/migrate-to-controller-properties
 */
export async function createAccount(
  stripe: StripeClient,
  { organizationId, country }: { readonly organizationId: string; readonly country: string },
  key: string,
  patience?: AbortSignal,
): Promise<ConnectedAccount> {
  const params: Stripe.AccountCreateParams = {
    country,
    controller: {
      fees: { payer: 'account' },
      losses: { payments: 'stripe' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'full' },
    },
    metadata: { organization_id: organizationId },
  }
  const account = await withSteadyKey(
    key,
    (idempotencyKey) => stripe.post<Stripe.Account>(['accounts'], params, { idempotencyKey }),
    patience,
  )
  return accountOf(account)
}

/** Whether an account was refused because of its country, which the provider does not serve or does not know. */
export function isCountryRefused(error: unknown): boolean {
  const { param, code } = error as { param?: unknown; code?: unknown }
  return failureOf(error).kind === 'refused' && (param === 'country' || code === 'country_unsupported')
}

/**
 * A page of the provider on which the account's owner answers its questions; it opens once and soon expires.
 * Both ways back lead to `backTo`. Source: Stripe API, "Create an account link".
 */
export async function createAccountLink(
  stripe: StripeClient,
  accountId: string,
  backTo: string,
): Promise<string> {
  const params: Stripe.AccountLinkCreateParams = {
    account: accountId,
    type: 'account_onboarding',
    refresh_url: backTo,
    return_url: backTo,
  }
  const link = await stripe.post<Stripe.AccountLink>(['account_links'], params)
  return link.url
}

/** The account, or null when the platform can no longer reach it. Source: Stripe API, "Retrieve account". */
export async function findAccount(stripe: StripeClient, accountId: string): Promise<ConnectedAccount | null> {
  try {
    const account = await stripe.get<Stripe.Account | Stripe.DeletedAccount>(['accounts', accountId])
    return 'deleted' in account && account.deleted ? null : accountOf(account)
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

function accountOf(account: Stripe.Account): ConnectedAccount {
  return {
    id: account.id,
    country: account.country ?? null,
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
