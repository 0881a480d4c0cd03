import type { Env } from '../../env.ts'
import type { Origin } from '../auth/caller.ts'
import { type OAuthGrant, openOAuthGrant } from '../auth/oauth-grant.ts'
import { type OAuthState, openOAuthState } from '../auth/oauth-state.ts'
import { sha256 } from '../auth/secret.ts'
import { commitBatch, type Db, type Statement } from '../db/client.ts'
import { fenceOf } from '../db/refusals.ts'
import { homeOf } from '../db/shards.ts'
import type { Context } from './context.ts'
import { refuse } from './errors.ts'
import { findStored, keepStatements } from './idempotency.ts'

/** What differs from provider to provider when an account is connected. The account is plain data: it travels sealed. */
export type ProviderConsent<Account> = {
  readonly provider: string
  /** What it is connected as. Also the name of the outcome in the address that the owner returns to. */
  readonly kind: 'calendar' | 'conferencing'
  /** Throws where the operator has no registration at the provider. */
  assertConfigured(env: Env): void
  /** The account that a code belongs to. Throws a Refused, also when it could not be connected. Stores nothing. */
  askForAccount(
    ctx: Context,
    state: OAuthState,
    code: string,
  ): Promise<{ readonly account: Account; readonly email: string }>
  /** Throws a Refused. */
  connect(ctx: Context, grant: OAuthGrant<Account>): Promise<void>
  /** Revokes the permission at the provider; false where it stays. Throws a CalendarError. */
  giveBack(env: Env, account: Account): Promise<boolean>
}

const ONCE = 'oauth-state'

/** What is sealed in the state that a provider brings back. Refuses one that led to a connection before. */
export async function readOAuthState(env: Env, provider: string, sealed: string): Promise<OAuthState> {
  const state = await openOAuthState(env.ENCRYPTION_KEY, sealed, provider, Date.now())
  if (!state) throw refuse('link_invalid')
  if (await findStored(homeOf(env, state.organizationId), await onceFor(state))) throw refuse('link_used')
  return state
}

/** What the page that asks the owner sends back. */
export async function readOAuthGrant<Account>(
  env: Env,
  provider: string,
  sealed: string,
): Promise<OAuthGrant<Account>> {
  const grant = await openOAuthGrant<Account>(env.ENCRYPTION_KEY, sealed, provider, Date.now())
  if (!grant) throw refuse('link_invalid')
  return grant
}

/** Commits what connects: one state makes one connection. Refuses a second one. */
export async function commitOnce(
  env: Env,
  db: Db,
  state: OAuthState,
  statements: readonly Statement[],
): Promise<void> {
  try {
    await commitBatch(db, [...(await onceStatements(env, db, state)), ...statements])
  } catch (error) {
    throw fenceOf(error) === 'KEY_IN_USE' ? refuse('link_used') : error
  }
}

/** Refuses its batch as `KEY_IN_USE` if the state has made a connection before. */
export async function onceStatements(env: Env, db: Db, state: OAuthState): Promise<Statement[]> {
  return keepStatements(env, db, await onceFor(state), { status: 204, body: null })
}

async function onceFor({ verifier }: OAuthState) {
  return { scope: ONCE, key: await sha256(verifier), requestHash: '' }
}

/** The address to send the owner to, with the outcome in its query. */
export function withOutcome(redirectUrl: string, outcome: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUrl)
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value)
  return url.href
}

/** The owner has no key, but uses a link that was made with one. */
export function originOfOwner({ ipAddress, requestId }: Context): Origin {
  return { actorType: 'system', actorId: null, ipAddress, requestId }
}
