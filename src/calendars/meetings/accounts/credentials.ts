import type { Env } from '../../../env.ts'
import { seal, unseal } from '../../../platform/auth/secret.ts'
import { CalendarError } from '../../../platform/icalendar/calendar-error.ts'
import { type OAuthConfig, readOAuthConfig } from '../../oauth/oauth-config.ts'
import type { Tokens } from '../../oauth/tokens.ts'
import { PROVIDER } from '../oauth-provider.ts'

/** For accounts that are there already: throws a CalendarError where the operator has no registration any more. */
export function configOfAccounts(env: Env): OAuthConfig {
  const config = readOAuthConfig(PROVIDER, env)
  if (!config) throw new CalendarError('misconfigured', 'Zoom is no longer configured here.')
  return config
}

export function sealTokens(env: Env, tokens: Tokens): Promise<string> {
  return seal(env.ENCRYPTION_KEY, JSON.stringify(tokens))
}

/** Throws a CalendarError. */
export async function openTokens(env: Env, sealed: string): Promise<Tokens> {
  try {
    return JSON.parse(await unseal(env.ENCRYPTION_KEY, sealed)) as Tokens
  } catch {
    throw new CalendarError('unavailable', 'The stored credentials cannot be opened; connect Zoom again.')
  }
}
