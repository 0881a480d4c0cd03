import type { Env } from '../../env.ts'
import { refusePublicUrl } from '../../platform/http/public-url.ts'
import type { Fetch } from '../../platform/transport/fetch.ts'
import type { SignIn, SignInScheme } from '../caldav/sign-in.ts'
import type { AccountClient } from '../client/account-client.ts'

export type CaldavCredentials = {
  readonly username: string
  readonly password: string
  /** How the server lets the account in; null if it asks for no password. */
  readonly scheme: SignInScheme | null
  /** All addresses of the account in invitations. */
  readonly addresses: readonly string[]
}

/** Addresses that a server sends must obey the same rules as the one in the request. */
export function mayReach(env: Env): (url: string) => boolean {
  return (url) => refusePublicUrl(url, env.ALLOW_PRIVATE_HOSTS === 'true') === null
}

/** What signs in for an account; `onScheme` is called as soon as its server wants another way than before. */
export async function openSignIn(
  { username, password, scheme }: Omit<CaldavCredentials, 'addresses'>,
  onScheme?: (scheme: SignInScheme) => Promise<void>,
): Promise<SignIn> {
  const { SignIn } = await import('../caldav/sign-in.ts')
  return new SignIn({ username, password, scheme, ...(onScheme && { onScheme }) })
}

/** What CalDAV needs, such as readers of XML and iCalendar, is evaluated for the first calendar that is on such a server. */
export async function openCaldav(
  env: Env,
  serverUrl: string,
  signIn: SignIn,
  addresses: readonly string[],
  send: Fetch,
): Promise<AccountClient> {
  const { openCaldavAccount } = await import('../caldav/caldav-account.ts')
  return openCaldavAccount({
    fetch: send,
    serverUrl,
    signIn,
    ownerAddresses: addresses,
    fallbackZone: 'UTC',
    mayReach: mayReach(env),
  })
}
