import type { PublicCaller } from '../../auth/caller.ts'
import { sealOAuthGrant } from '../../auth/oauth-grant.ts'
import type { OAuthState } from '../../auth/oauth-state.ts'
import type { Context } from '../../http/context.ts'
import { Refused } from '../../http/errors.ts'
import { readOAuthState } from '../../http/oauth-return.ts'
import { type ConsentEnd, refusedEnd } from './consent-end.ts'
import { CONSENTS, type ConsentProvider } from './providers.ts'
import { findReturnPlace, type ReturnPlace } from './return-place.ts'
import type { ProviderAnswer } from './schema.ts'

/** What the owner is asked, and the sealed answer to it. */
export type ConsentQuestion = ReturnPlace & {
  readonly accountEmail: string
  readonly isTest: boolean
  readonly grant: string
}

/**
 * The owner of an account is back from the provider. Who started this may be somebody else, who sent them the
 * link: before anything is kept, they are told for whom it is and asked. Only with a state of ours are they sent
 * anywhere.
 */
export async function reviewConsent(
  ctx: Context<PublicCaller>,
  provider: ConsentProvider,
  answer: ProviderAnswer,
): Promise<{ readonly question: ConsentQuestion } | { readonly end: ConsentEnd }> {
  const { env } = ctx
  CONSENTS[provider].assertConfigured(env)
  if (answer.state === undefined) {
    throw new Refused({ code: 'bad_request', message: 'The answer of the provider has no state.' })
  }
  const state = await readOAuthState(env, provider, answer.state)
  const place = await findReturnPlace(env, state)
  try {
    const { account, email } = await askForAccount(ctx, provider, state, answer)
    const grant = await sealOAuthGrant(env.ENCRYPTION_KEY, { state, account }, Date.now())
    return { question: { ...place, accountEmail: email, isTest: state.isTest, grant } }
  } catch (error) {
    return { end: refusedEnd(place, error) }
  }
}

function askForAccount(
  ctx: Context<PublicCaller>,
  provider: ConsentProvider,
  state: OAuthState,
  { code, error }: ProviderAnswer,
) {
  if (code !== undefined) return CONSENTS[provider].askForAccount(ctx, state, code)
  const message = error === 'access_denied' ? 'Permission was not given.' : 'The provider gave no permission.'
  throw new Refused({ code: 'bad_request', message })
}
