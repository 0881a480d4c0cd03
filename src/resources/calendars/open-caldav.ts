import type { Env } from '../../env.ts'
import { refusePublicUrl } from '../../http/public-url.ts'
import { createCaldavClient } from '../../providers/caldav/caldav-client.ts'
import type { CalendarClient, Fetch } from '../../providers/calendar/calendar-client.ts'
import type { ConnectionRow } from './queries.ts'

export type CaldavCredentials = {
  readonly username: string
  readonly password: string
  /** Everything that the account is called in invitations. */
  readonly addresses: readonly string[]
}

/** What a server leads to is held to the same rules as the address that was given. */
export function mayReach(env: Env): (url: string) => boolean {
  return (url) => refusePublicUrl(url, env.ALLOW_PRIVATE_HOSTS === 'true') === null
}

export function openCaldav(
  env: Env,
  { calendarId, timezone }: ConnectionRow,
  { username, password, addresses }: CaldavCredentials,
  send: Fetch,
): CalendarClient {
  return createCaldavClient({
    fetch: send,
    calendarUrl: calendarId,
    username,
    password,
    ownerAddresses: addresses,
    calendarZone: timezone ?? 'UTC',
    mayReach: mayReach(env),
  })
}
