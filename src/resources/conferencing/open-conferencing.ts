import { seal, unseal } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { CalendarError, type Fetch } from '../../providers/calendar/calendar-client.ts'
import type { ConferencingClient } from '../../providers/conferencing/conferencing-client.ts'
import { type OAuthAccount, openAccess } from '../../providers/oauth/access.ts'
import { readOAuthConfig } from '../../providers/oauth/oauth-config.ts'
import type { Tokens } from '../../providers/oauth/tokens.ts'
import { type AccountRow, selectAccount, updateAccount } from './queries.ts'

export const send: Fetch = (url, init) => fetch(url, init)

/** The provider behind an account. Throws a CalendarError, also when its credentials cannot be opened. */
export async function openConferencing(env: Env, account: AccountRow): Promise<ConferencingClient> {
  const { openZoomMeetings } = await import('../../providers/zoom/zoom-meetings.ts')
  const opened = await openAccount(env, account)
  return openZoomMeetings({ config: opened.config, access: openAccess(opened, send), send })
}

/** The account with its tokens, which are stored again whenever they are renewed. */
export async function openAccount(env: Env, row: AccountRow): Promise<OAuthAccount> {
  const config = readOAuthConfig(row.provider, env)
  if (!config) throw new CalendarError('unavailable', 'Zoom is no longer configured here.')
  const db = openDb(env, 'decide')
  return {
    config,
    tokens: await openTokens(env, row.credentials),
    onTokens: async (renewed) => updateAccount(db, row.id, { credentials: await sealTokens(env, renewed) }),
    loadTokens: async () => {
      const [kept] = await selectAccount(db, row)
      return kept ? openTokens(env, kept.credentials) : null
    },
  }
}

export function sealTokens(env: Env, tokens: Tokens): Promise<string> {
  return seal(env.ENCRYPTION_KEY, JSON.stringify(tokens))
}

async function openTokens(env: Env, sealed: string): Promise<Tokens> {
  try {
    return JSON.parse(await unseal(env.ENCRYPTION_KEY, sealed)) as Tokens
  } catch {
    throw new CalendarError('unavailable', 'The stored credentials cannot be opened; connect Zoom again.')
  }
}
