import type { Env } from '../../env.ts'
import type { Fetch } from '../../platform/transport/fetch.ts'
import type { AccountClient } from '../client/account-client.ts'
import { mayReach } from './open-caldav.ts'

/** The address of a feed lets everybody read it, so it is sealed as passwords are. */
export type IcsCredentials = {
  readonly url: string
  /** What its owner calls it. */
  readonly name: string | null
}

export async function openIcs(env: Env, { url, name }: IcsCredentials, send: Fetch): Promise<AccountClient> {
  const { openIcsAccount } = await import('../ics/ics-account.ts')
  return openIcsAccount({ fetch: send, url, name, fallbackZone: 'UTC', mayReach: mayReach(env) })
}
