import { type Env, urlAt } from '../../env.ts'
import { Refused } from '../../platform/http/errors.ts'
import { type OAuthConfig, readOAuthConfig } from '../oauth/oauth-config.ts'

export type CalendarSuite = 'calendar_a' | 'calendar_b'

/** What differs between the suites. What speaks with one is evaluated for its first account. */
export const SUITES = {
  calendar_a: {
    name: 'Google',
    variables: 'GOOGLE',
    load: async () => (await import('../google/google-account.ts')).openGoogleAccount,
  },
  calendar_b: {
    name: 'Microsoft 365',
    variables: 'MICROSOFT',
    load: async () => (await import('../microsoft/microsoft-account.ts')).openMicrosoftAccount,
  },
} as const

export function configOf(env: Env, suite: CalendarSuite): OAuthConfig {
  const config = readOAuthConfig(suite, env)
  if (config) return config
  const { name, variables } = SUITES[suite]
  const message = `${name} calendars are not configured here: ${variables}_CLIENT_ID and ${variables}_CLIENT_SECRET are missing.`
  throw new Refused({ code: 'bad_request', message })
}

/** Whether its accounts can be connected here. */
export function isSuiteOffered(env: Env, suite: CalendarSuite): boolean {
  return readOAuthConfig(suite, env) !== null
}

/** Where the provider sends the owner back to; it is registered there. */
export function callbackUrl(env: Env, suite: CalendarSuite): string {
  return urlAt(env, callbackPath(suite))
}

export function callbackPath(suite: CalendarSuite): string {
  return `/v1/calendars/${suite}/callback`
}
