import type { PublicCaller } from '../../platform/auth/caller.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import type { Context } from '../../platform/http/context.ts'
import { because } from '../../platform/http/errors.ts'
import { readOAuthGrant, withOutcome } from '../../platform/http/oauth-return.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { sentenceOf } from '../../platform/reasons/reason.ts'
import type { OAuthProvider } from '../oauth/oauth-config.ts'
import type { ConsentEnd } from './consent-end.ts'
import { CONSENTS } from './providers.ts'
import { findReturnPlace } from './return-url.ts'

/** The owner of the account said no. Nothing was stored; the permission is revoked where the provider allows it. */
export async function declineConsent(
  ctx: Context<PublicCaller>,
  provider: OAuthProvider,
  sealedGrant: string,
): Promise<ConsentEnd> {
  const consent = CONSENTS[provider]
  consent.assertConfigured(ctx.env)
  const { state, account } = await readOAuthGrant(ctx.env, provider, sealedGrant)
  const { redirectUrl } = await findReturnPlace(ctx.env, state)
  const refusal = because('permission_declined')
  const outcome = { error: refusal.code, error_description: sentenceOf(refusal) }
  return {
    kind: 'declined',
    to: redirectUrl && withOutcome(redirectUrl, outcome),
    isGivenBack: await consent.giveBack(ctx.env, account).catch((error) => {
      if (!(error instanceof CalendarError)) {
        console.error(JSON.stringify({ revoke: provider, cause: bareError(error).stack }))
      }
      return false
    }),
  }
}
