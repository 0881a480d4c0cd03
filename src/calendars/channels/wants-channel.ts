import type { Env } from '../../env.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import { isSuite, mayBeTold } from './notifications-url.ts'

/** Whether a connection is to have a channel. */
export function wantsChannel(
  env: Env,
  connection: Pick<ConnectionRow, 'provider' | 'status' | 'checksBusy' | 'receivesBookings'>,
): boolean {
  const { provider, status, checksBusy, receivesBookings } = connection
  const isRead = status === 'active' || status === 'error'
  return isSuite(provider) && mayBeTold(env) && isRead && (checksBusy || receivesBookings)
}
