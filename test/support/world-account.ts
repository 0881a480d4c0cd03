import { variablesFor } from '../../doubles/variables.ts'
import { type OAuthAccount, openAccess } from '../../src/calendars/oauth/access.ts'
import type { Door } from '../../src/calendars/oauth/api.ts'
import { authorizationUrl } from '../../src/calendars/oauth/authorization-url.ts'
import {
  type OAuthConfig,
  type OAuthProvider,
  readOAuthConfig,
} from '../../src/calendars/oauth/oauth-config.ts'
import { exchangeCode, type Tokens } from '../../src/calendars/oauth/tokens.ts'
import type { Fetch } from '../../src/platform/transport/fetch.ts'
import type { World } from './world.ts'

const REGISTRARS = { calendar_a: 'google', calendar_b: 'microsoft', video_a: 'zoom' } as const

export const REDIRECT_URI = 'https://holdfast.test/callback'
export const VERIFIER = 'a-code-verifier-of-43-characters-0123456789'

/** The variables that point the service to a world. */
export function settingsOf(provider: OAuthProvider, base: string): Record<string, string> {
  return { ALLOW_PRIVATE_HOSTS: 'true', ...variablesFor(REGISTRARS[provider], base) }
}

export function configOf(provider: OAuthProvider, base: string): OAuthConfig {
  return readOAuthConfig(provider, settingsOf(provider, base))!
}

/** The code that the owner's consent brings. */
export async function consentedCodeOf(config: OAuthConfig, world: World, as?: string): Promise<string> {
  const request = { state: 'sealed', verifier: VERIFIER, redirectUri: REDIRECT_URI }
  const back = await world.consent(await authorizationUrl(config, request), as)
  return back.searchParams.get('code')!
}

/** An account as it is once its owner connected it; `kept` are the tokens as they were last kept. */
export async function connectTo(provider: OAuthProvider, world: World, as?: string) {
  const config = configOf(provider, world.base)
  const code = await consentedCodeOf(config, world, as)
  const exchange = { code, verifier: VERIFIER, redirectUri: REDIRECT_URI }
  const kept: Tokens[] = [await exchangeCode(config, exchange, fetch)]
  const account: OAuthAccount = {
    config,
    tokens: kept[0]!,
    onTokens: async (tokens) => {
      kept.push(tokens)
    },
  }
  return { config, account, kept }
}

/** How the API is reached on behalf of an account. */
export function doorTo(account: OAuthAccount, send: Fetch = fetch): Door {
  return { config: account.config, access: openAccess(account, send), send }
}
