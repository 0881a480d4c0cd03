import { randomSecret, seal, unseal } from '../auth/secret.ts'
import { commitBatch, openDb } from '../db/client.ts'
import { newId } from '../db/ids.ts'
import { fenceOf } from '../db/refusals.ts'
import type { Env } from '../env.ts'
import { invalid, Refused } from './errors.ts'
import { keepStatements } from './idempotency.ts'
import { refusePublicUrl } from './public-url.ts'

/** What is to be known when the owner of an account comes back from giving permission. */
export type OAuthState = {
  readonly provider: string
  readonly organizationId: string
  readonly isTest: boolean
  /** Whose account it becomes; null where accounts belong to the organization. */
  readonly memberId: string | null
  readonly redirectUrl: string | null
}

type Kept = OAuthState & { readonly id: string; readonly verifier: string; readonly expiresAt: number }

const LIFETIME_MS = 10 * 60_000
const ONCE = 'oauth-state'

/** Throws a `validation_error` when the owner must not be sent there afterwards. */
export function assertRedirectAllowed(env: Env, redirectUrl: string | undefined): void {
  if (redirectUrl === undefined) return
  const refusal = refusePublicUrl(redirectUrl, env.ALLOW_PRIVATE_HOSTS === 'true')
  if (refusal !== null) throw invalid({ redirect_url: refusal })
}

/** A state to send along, which nobody but us can read or make, and the PKCE verifier that is sealed in it. */
export async function beginOAuth(env: Env, state: OAuthState) {
  const verifier = randomSecret()
  const kept: Kept = { ...state, id: newId(), verifier, expiresAt: Date.now() + LIFETIME_MS }
  return { state: await seal(env.ENCRYPTION_KEY, JSON.stringify(kept)), verifier }
}

/** What was sealed in a state for `provider`. Each can be used once, and for ten minutes. */
export async function endOAuth(env: Env, provider: string, state: string): Promise<Kept> {
  const kept = await openState(env, state)
  if (kept?.provider !== provider || kept.expiresAt <= Date.now()) throw refused('is not valid any more')
  const db = openDb(env, 'decide')
  const claim = { scope: ONCE, key: kept.id, requestHash: '' }
  try {
    await commitBatch(db, await keepStatements(env, db, claim, { status: 204, body: null }))
  } catch (error) {
    if (fenceOf(error) !== 'KEY_IN_USE') throw error
    throw refused('was used before')
  }
  return kept
}

/** Where to send the owner, with the outcome in the query. */
export function withOutcome(redirectUrl: string, outcome: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUrl)
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value)
  return url.href
}

async function openState(env: Env, state: string): Promise<Kept | null> {
  try {
    return JSON.parse(await unseal(env.ENCRYPTION_KEY, state)) as Kept
  } catch {
    return null
  }
}

function refused(what: string): Refused {
  return new Refused({ code: 'bad_request', message: `The state ${what}: start again with connect.` })
}
