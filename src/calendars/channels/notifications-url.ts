import { type Env, urlAt } from '../../env.ts'
import { type CalendarSuite, SUITES } from '../accounts/providers.ts'

/** Providers notify over https only, doubles on the same machine over http. */
export function mayBeTold({ PUBLIC_URL, ALLOW_PRIVATE_HOSTS }: Env): boolean {
  return PUBLIC_URL.startsWith('https://') || ALLOW_PRIVATE_HOSTS === 'true'
}

/** Whether calendars of that kind have channels. */
export function isSuite(provider: string): provider is CalendarSuite {
  return Object.hasOwn(SUITES, provider)
}

export function notificationsPath(suite: CalendarSuite): `/${string}` {
  return `/v1/calendars/${suite}/notifications`
}

/** The address for the provider's notifications. */
export function notificationsUrl(env: Env, suite: CalendarSuite): string {
  return urlAt(env, notificationsPath(suite))
}
