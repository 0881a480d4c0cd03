import type { Fetch } from '../../../src/providers/calendar/calendar-client.ts'
import { type OAuthAccount, openAccess } from '../../../src/providers/oauth/access.ts'
import type { Door } from '../../../src/providers/oauth/api.ts'
import { authorizationUrl } from '../../../src/providers/oauth/authorization-url.ts'
import {
  type OAuthConfig,
  type OAuthProvider,
  readOAuthConfig,
} from '../../../src/providers/oauth/oauth-config.ts'
import { exchangeCode, type Tokens } from '../../../src/providers/oauth/tokens.ts'
import type { ProviderWorld } from './control.ts'
import { CLIENT_ID, CLIENT_SECRET } from './credentials.ts'

const PREFIXES = { calendar_a: 'GOOGLE', calendar_b: 'MICROSOFT', video_a: 'ZOOM' } as const

export const REDIRECT_URI = 'https://holdfast.test/callback'
export const VERIFIER = 'a-code-verifier-of-43-characters-0123456789'

/** The variables that point the service to a world. */
export function settingsFor(provider: OAuthProvider, base: string): Record<string, string> {
  const prefix = PREFIXES[provider]
  return {
    ALLOW_PRIVATE_HOSTS: 'true',
    [`${prefix}_CLIENT_ID`]: CLIENT_ID,
    [`${prefix}_CLIENT_SECRET`]: CLIENT_SECRET,
    [`${prefix}_API_BASE`]: base,
  }
}

export function configFor(provider: OAuthProvider, base: string): OAuthConfig {
  return readOAuthConfig(provider, settingsFor(provider, base))!
}

/** The code that the owner's consent brings. */
export async function consentedCode(config: OAuthConfig, world: ProviderWorld, as?: string): Promise<string> {
  const request = { state: 'sealed', verifier: VERIFIER, redirectUri: REDIRECT_URI }
  const back = await world.consent(await authorizationUrl(config, request), as)
  return back.searchParams.get('code')!
}

/** An account as it is once its owner connected it; `kept` are the tokens as they were last kept. */
export async function connect(provider: OAuthProvider, world: ProviderWorld, as?: string) {
  const config = configFor(provider, world.base)
  const code = await consentedCode(config, world, as)
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
export function doorOf(account: OAuthAccount, send: Fetch = fetch): Door {
  return { config: account.config, access: openAccess(account, send), send }
}
