import { type OAuthState, openOAuthState } from '../auth/oauth-state.ts'
import { sha256 } from '../auth/secret.ts'
import { commitBatch, openDb } from '../db/client.ts'
import { fenceOf } from '../db/refusals.ts'
import type { Env } from '../env.ts'
import { invalid, Refused } from './errors.ts'
import { keepStatements } from './idempotency.ts'
import { refusePublicUrl } from './public-url.ts'

const ONCE = 'oauth-state'

/** Throws a `validation_error` when the owner of an account must not be sent there afterwards. */
export function assertRedirectAllowed(env: Env, redirectUrl: string | undefined): void {
  if (redirectUrl === undefined) return
  const refusal = refusePublicUrl(redirectUrl, env.ALLOW_PRIVATE_HOSTS === 'true')
  if (refusal !== null) throw invalid({ redirect_url: refusal })
}

/** What is sealed in the state that a provider brings back, which counts once. */
export async function takeOAuthState(env: Env, provider: string, sealed: string): Promise<OAuthState> {
  const state = await openOAuthState(env.ENCRYPTION_KEY, sealed, provider, Date.now())
  if (!state) throw refused('is not valid any more')
  const db = openDb(env, 'decide')
  const claim = { scope: ONCE, key: await sha256(state.verifier), requestHash: '' }
  try {
    await commitBatch(db, await keepStatements(env, db, claim, { status: 204, body: null }))
  } catch (error) {
    if (fenceOf(error) !== 'KEY_IN_USE') throw error
    throw refused('was used before')
  }
  return state
}

/** The address to send the owner to, with the outcome in its query. */
export function withOutcome(redirectUrl: string, outcome: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUrl)
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value)
  return url.href
}

function refused(what: string): Refused {
  return new Refused({ code: 'bad_request', message: `The state ${what}: start again with connect.` })
}
