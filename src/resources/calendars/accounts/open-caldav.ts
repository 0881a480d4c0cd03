import type { Env } from '../../../env.ts'
import { refusePublicUrl } from '../../../http/public-url.ts'
import type { AccountClient } from '../../../providers/calendar/account-client.ts'
import type { Fetch } from '../../../providers/transport/fetch.ts'

export type CaldavCredentials = {
  readonly username: string
  readonly password: string
  /** All addresses of the account in invitations. */
  readonly addresses: readonly string[]
}

/** Addresses that a server sends must obey the same rules as the one in the request. */
export function mayReach(env: Env): (url: string) => boolean {
  return (url) => refusePublicUrl(url, env.ALLOW_PRIVATE_HOSTS === 'true') === null
}

/** What CalDAV needs, such as readers of XML and iCalendar, is evaluated for the first calendar that is on such a server. */
export async function openCaldav(
  env: Env,
  serverUrl: string,
  { username, password, addresses }: CaldavCredentials,
  send: Fetch,
): Promise<AccountClient> {
  const { openCaldavAccount } = await import('../../../providers/caldav/caldav-account.ts')
  return openCaldavAccount({
    fetch: send,
    serverUrl,
    username,
    password,
    ownerAddresses: addresses,
    fallbackZone: 'UTC',
    mayReach: mayReach(env),
  })
}
