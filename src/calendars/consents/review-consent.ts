import type { Env } from '../../env.ts'
import type { PublicCaller } from '../../platform/auth/caller.ts'
import { sealOAuthGrant } from '../../platform/auth/oauth-grant.ts'
import type { OAuthState } from '../../platform/auth/oauth-state.ts'
import { homeOf } from '../../platform/db/shards.ts'
import type { Context } from '../../platform/http/context.ts'
import { refuse } from '../../platform/http/errors.ts'
import { readOAuthState } from '../../platform/http/oauth-return.ts'
import { adminConsentUrl } from '../admin-consent.ts'
import type { OAuthProvider } from '../oauth/oauth-config.ts'
import { type ConsentEnd, refusedEnd } from './consent-end.ts'
import { endAdminConsent } from './end-admin-consent.ts'
import { CONSENTS } from './providers.ts'
import { needsAdministrator, providerRefusal } from './refusals.ts'
import { findReturnPlace, type ReturnPlace } from './return-url.ts'
import type { ProviderAnswer } from './schema.ts'

/** What the owner is asked, and the sealed answer to it. */
export type ConsentQuestion = ReturnPlace & {
  readonly accountEmail: string
  readonly isTest: boolean
  readonly grant: string
}

export type Reviewed = { readonly question: ConsentQuestion } | { readonly end: ConsentEnd }

/**
 * The owner of an account returns from the provider. Somebody else may have sent them the link, so a page names the organization
 * and asks before anything is stored. Only a state of ours redirects them.
 */
export async function reviewConsent(
  ctx: Context<PublicCaller>,
  provider: OAuthProvider,
  answer: ProviderAnswer,
): Promise<Reviewed> {
  const { env } = ctx
  CONSENTS[provider].assertConfigured(env)
  if (answer.admin_consent !== undefined) return { end: await endAdminConsent(env, provider, answer) }
  if (answer.state === undefined) throw refuse('no_state')
  const state = await readOAuthState(env, provider, answer.state)
  const place = await findReturnPlace(env, state)
  const { code } = answer
  if (code === undefined) return { end: await endRefused(env, provider, state, place, answer) }
  try {
    const { account, email } = await CONSENTS[provider].askForAccount(
      { ...ctx, env: homeOf(env, state.organizationId) },
      state,
      code,
    )
    const grant = await sealOAuthGrant(env.ENCRYPTION_KEY, { state, account }, Date.now())
    return { question: { ...place, accountEmail: email, isTest: state.isTest, grant } }
  } catch (error) {
    return { end: refusedEnd(place, error) }
  }
}

/** The provider gave no permission. Where an administrator may help, the way to one is told. */
async function endRefused(
  env: Env,
  provider: OAuthProvider,
  { organizationId }: OAuthState,
  place: ReturnPlace,
  answer: ProviderAnswer,
): Promise<ConsentEnd> {
  const { why, refused } = providerRefusal(answer)
  const isForAdministrator = needsAdministrator(why)
  const end = refusedEnd(place, refused, isForAdministrator ? { reason: 'admin_consent_required' } : {})
  if (provider !== 'calendar_b' || (!isForAdministrator && why !== 'cancelled')) return { ...end, why }
  return { ...end, why, administratorUrl: await adminConsentUrl(env, organizationId, null) }
}
