import type { Env } from '../../env.ts'
import { refusePublicUrl } from '../../http/public-url.ts'
import { openCaldavCalendar } from '../../providers/caldav/caldav-calendar.ts'
import type { DavServer } from '../../providers/caldav/dav-request.ts'
import type { CalendarClient, Fetch } from '../../providers/calendar/calendar-client.ts'
import type { ConnectionRow } from './store.ts'

export type CaldavCredentials = {
  readonly username: string
  readonly password: string
  /** Everything that the account is called in invitations. */
  readonly addresses: readonly string[]
}

/** A server as the one who connects it names it; whatever it leads to is held to the same rules. */
export function davServer(
  env: Env,
  url: string,
  { username, password }: Pick<CaldavCredentials, 'username' | 'password'>,
  send: Fetch,
): DavServer {
  const refuseUrl = (asked: string) => refusePublicUrl(asked, env.ALLOW_PRIVATE_HOSTS === 'true')
  return { fetch: send, url, username, password, refuseUrl }
}

export function openCaldav(
  env: Env,
  { calendarId, timezone, providerMetadata }: ConnectionRow,
  credentials: CaldavCredentials,
  send: Fetch,
): CalendarClient {
  return openCaldavCalendar(davServer(env, providerMetadata.server_url, credentials, send), {
    calendarUrl: calendarId,
    timeZone: timezone ?? 'UTC',
    ownerAddresses: credentials.addresses,
  })
}
