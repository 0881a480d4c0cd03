import type { Env } from '../../env.ts'
import { openAdminConsentState } from '../../platform/auth/admin-consent-state.ts'
import { refuse } from '../../platform/http/errors.ts'
import { withOutcome } from '../../platform/http/oauth-return.ts'
import { sentenceOf } from '../../platform/reasons/reason.ts'
import type { OAuthProvider } from '../oauth/oauth-config.ts'
import type { ConsentEnd } from './consent-end.ts'
import { providerRefusal } from './refusals.ts'
import { findReturnPlace } from './return-url.ts'
import type { ProviderAnswer } from './schema.ts'

/**
 * An administrator returns from the provider. Nothing is connected or stored here: the next person who connects an account finds
 * out.
 */
export async function endAdminConsent(
  env: Env,
  provider: OAuthProvider,
  answer: ProviderAnswer,
): Promise<ConsentEnd> {
  const state = await openAdminConsentState(env.ENCRYPTION_KEY, answer.state ?? '', provider, Date.now())
  if (!state) throw refuse('link_invalid')
  const { redirectUrl } = await findReturnPlace(env, state)
  // Microsoft says «admin_consent=True» in refusal too.
  const isGranted = answer.error === undefined
  const { refusal } = providerRefusal(answer).refused
  const outcome = isGranted
    ? { admin_consent: 'granted' }
    : { admin_consent: 'refused', error: refusal.code, error_description: sentenceOf(refusal) }
  return { kind: 'administered', isGranted, to: redirectUrl && withOutcome(redirectUrl, outcome) }
}
