import { type Env, urlAt } from '../../env.ts'
import { refuse } from '../../platform/http/errors.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { type OAuthConfig, type OAuthProvider, readOAuthConfig } from '../oauth/oauth-config.ts'

export type CalendarSuite = 'calendar_a' | 'calendar_b'

type Provider = {
  readonly name: string
  /** In the ids of operations. */
  readonly word: string
  readonly tag: 'Calendars' | 'Conferencing'
  /** The beginning of the paths of its endpoints. */
  readonly path: `/v1/${string}`
  readonly variables: string
}

/** The providers that accounts are connected with in the browser. */
export const ACCOUNT_PROVIDERS: Readonly<Record<OAuthProvider, Provider>> = {
  calendar_a: {
    name: 'Google',
    word: 'Google',
    tag: 'Calendars',
    path: '/v1/calendars/calendar_a',
    variables: 'GOOGLE',
  },
  calendar_b: {
    name: 'Microsoft 365',
    word: 'Microsoft',
    tag: 'Calendars',
    path: '/v1/calendars/calendar_b',
    variables: 'MICROSOFT',
  },
  video_a: {
    name: 'Zoom',
    word: 'Zoom',
    tag: 'Conferencing',
    path: '/v1/conferencing/video_a',
    variables: 'ZOOM',
  },
}

/** The code for a suite is evaluated for its first account. */
export const SUITES = {
  calendar_a: async () => (await import('../google/google-account.ts')).openGoogleAccount,
  calendar_b: async () => (await import('../microsoft/microsoft-account.ts')).openMicrosoftAccount,
} as const

/** Throws a Refused if the operator has no registration at the provider. */
export function configOf(env: Env, provider: OAuthProvider): OAuthConfig {
  const config = readOAuthConfig(provider, env)
  if (config) return config
  const { name, variables } = ACCOUNT_PROVIDERS[provider]
  throw refuse('provider_not_configured', { name, variables })
}

/** For accounts that were connected before. Throws a CalendarError if the operator removed the registration. */
export function configOfAccounts(env: Env, provider: OAuthProvider): OAuthConfig {
  const config = readOAuthConfig(provider, env)
  if (config) return config
  const what = provider === 'video_a' ? 'Zoom' : 'This kind of calendar'
  throw new CalendarError('misconfigured', `${what} is no longer configured here.`)
}

/** Whether its accounts can be connected here. */
export function isOffered(env: Env, provider: OAuthProvider): boolean {
  return readOAuthConfig(provider, env) !== null
}

/** Where the provider sends the owner back to; it is registered there. */
export function callbackUrl(env: Env, provider: OAuthProvider): string {
  return urlAt(env, callbackPath(provider))
}

export function callbackPath(provider: OAuthProvider): string {
  return `${ACCOUNT_PROVIDERS[provider].path}/callback`
}
