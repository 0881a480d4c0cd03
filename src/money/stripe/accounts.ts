import type Stripe from 'stripe'
import { sha256 } from '../../platform/auth/secret.ts'
import { failureOf, type StripeClient } from './client.ts'
import { PlatformRefusal } from './platform-refusal.ts'
import { keyOfMinute, withSteadyKey } from './steady-key.ts'

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

type NewAccount = {
  readonly organizationId: string
  /** Two capital letters. */
  readonly country: string
  /** The owner's address, which Stripe writes to before the account has one of its own; null when it is not known. */
  readonly email: string | null
}

/** Codes of a platform that has not switched v2 on. Source: https://docs.stripe.com/api/v2/core/accounts/create, read 2026-11. */
const WITHOUT_V2: readonly unknown[] = [
  'accounts_v2_access_blocked',
  'non_connect_platform_accounts_v2_access_blocked',
]

/**
 * Creates an account that belongs to its owner: it pays the provider's fees and is liable for its disputes, and losses it
 * cannot cover are the provider's, not the platform's. Platforms that are new make accounts by v2, whose ids v1 takes, too;
 * older ones that have not switched it on, by v1. The same `key` returns the same account for at least 24 hours, so use
 * one key per organization and country. Throws `StripeError`, and `PlatformRefusal` if only the operator can help.
 * Source: https://docs.stripe.com/connect/accounts-v2 and /connect/accounts-v2/account-creation, read 2026-11
 */
export async function createAccount(
  stripe: StripeClient,
  account: NewAccount,
  key: string,
  patience?: AbortSignal,
): Promise<ConnectedAccount> {
  try {
    return await createByV2(stripe, account, key, patience)
  } catch (error) {
    if (!WITHOUT_V2.includes(failureOf(error).code)) throw error
    return createByV1(stripe, account, key, patience)
  }
}

async function createByV2(
  stripe: StripeClient,
  { organizationId, country, email }: NewAccount,
  key: string,
  patience: AbortSignal | undefined,
): Promise<ConnectedAccount> {
  const params: Stripe.V2.Core.AccountCreateParams = {
    ...(email !== null && { contact_email: email }),
    dashboard: 'full',
    identity: { country },
    configuration: { merchant: { capabilities: { card_payments: { requested: true } } } },
    defaults: { responsibilities: { fees_collector: 'stripe', losses_collector: 'stripe' } },
    metadata: { organization_id: organizationId },
  }
  // Another address under the same key would be an error for as long as the provider remembers it.
  const steady = email === null ? `${key}/v2` : `${key}/v2/${(await sha256(email)).slice(0, 16)}`
  const { id } = await insist(steady, patience, (idempotencyKey) =>
    stripe.post<Stripe.V2.Core.Account>(['core', 'accounts'], params, { version: 'v2', idempotencyKey }),
  )
  // Nobody has answered the provider's questions about a new account.
  return { id, country, isSubmitted: false, chargesEnabled: false, payoutsEnabled: false }
}

/** Source: Stripe API, "Create an account"; https://docs.stripe.com/connect/migrate-to-controller-properties */
async function createByV1(
  stripe: StripeClient,
  { organizationId, country }: NewAccount,
  key: string,
  patience: AbortSignal | undefined,
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
  const account = await insist(key, patience, (idempotencyKey) =>
    stripe.post<Stripe.Account>(['accounts'], params, { idempotencyKey }),
  )
  return accountOf(account)
}

/**
 * Makes it under the steady key. v1 repeats a refusal to its key for a day, although the operator may have acted since, so
 * the same is requested once more under the key of the minute. What is refused then, and not for the country, is refused to
 * the platform. Source: Stripe API, "Idempotent requests"
 */
async function insist<T>(
  key: string,
  patience: AbortSignal | undefined,
  make: (idempotencyKey: string) => Promise<T>,
): Promise<T> {
  try {
    return await withSteadyKey(key, make, patience)
  } catch (error) {
    const isOfPlatform = failureOf(error).kind === 'refused' && !isCountryRefused(error)
    if (!isOfPlatform || WITHOUT_V2.includes(failureOf(error).code)) throw error
    if (patience?.aborted) throw new PlatformRefusal(error)
    return withSteadyKey(keyOfMinute(key), make, patience).catch((again) => {
      throw failureOf(again).kind === 'refused' && !isCountryRefused(again)
        ? new PlatformRefusal(again)
        : again
    })
  }
}

/**
 * Whether an account was refused because of its country, which the provider does not serve or does not know. v1 names the
 * parameter; the errors of v2 have only a code and a message.
 */
export function isCountryRefused(error: unknown): boolean {
  if (failureOf(error).kind !== 'refused') return false
  const { param, code, message } = error as { param?: string; code?: string; message?: string }
  return [param, code, message].some((text) => /country/i.test(text ?? ''))
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
