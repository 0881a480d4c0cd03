import type { Env } from '../../env.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import { isSuite, mayBeTold } from './notifications-url.ts'

/** Whether a connection is to have a channel. */
export function wantsChannel(
  env: Env,
  connection: Pick<
    ConnectionRow,
    'provider' | 'providerMetadata' | 'status' | 'checksBusy' | 'receivesBookings'
  >,
): boolean {
  const { provider, providerMetadata, status, checksBusy, receivesBookings } = connection
  const isRead = status === 'active' || status === 'error'
  // Changes of free and busy times are not reported.
  if (providerMetadata.reads === 'free_busy') return false
  return isSuite(provider) && mayBeTold(env) && isRead && (checksBusy || receivesBookings)
}
