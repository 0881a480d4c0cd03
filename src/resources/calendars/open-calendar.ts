import { seal, unseal } from '../../auth/secret.ts'
import { openDb } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { type CalendarClient, CalendarError, type Fetch } from '../../providers/calendar/calendar-client.ts'
import type { OAuthAccount } from '../../providers/oauth/access.ts'
import { type OAuthProvider, readOAuthConfig } from '../../providers/oauth/oauth-config.ts'
import type { Tokens } from '../../providers/oauth/tokens.ts'
import { SUITES } from './oauth-provider.ts'
import { type CaldavCredentials, openCaldav } from './open-caldav.ts'
import { type ConnectionRow, findCredentials, updateCredentials } from './queries.ts'

export const send: Fetch = (url, init) => fetch(url, init)

/** The calendar behind a connection. Throws a CalendarError, also when its credentials cannot be opened. */
export async function openCalendar(env: Env, connection: ConnectionRow): Promise<CalendarClient> {
  const { provider, calendarId, timezone } = connection
  const credentials = await openCredentials(env, connection.credentials)
  if (provider === 'caldav') {
    return openCaldav(env, connection, credentials as CaldavCredentials, send)
  }
  const account = accountOf(env, provider, connection.id, credentials as Tokens)
  const { open } = await SUITES[provider].load()
  return open(account, { calendarId, timezone }, send)
}

export function sealCredentials(env: Env, credentials: CaldavCredentials | Tokens): Promise<string> {
  return seal(env.ENCRYPTION_KEY, JSON.stringify(credentials))
}

async function openCredentials(env: Env, sealed: string): Promise<CaldavCredentials | Tokens> {
  try {
    return JSON.parse(await unseal(env.ENCRYPTION_KEY, sealed))
  } catch {
    throw new CalendarError(
      'unavailable',
      'The stored credentials cannot be opened; connect the calendar again.',
    )
  }
}

function accountOf(env: Env, provider: OAuthProvider, id: string, tokens: Tokens): OAuthAccount {
  const config = readOAuthConfig(provider, env)
  if (!config) throw new CalendarError('unavailable', 'This kind of calendar is no longer configured here.')
  const db = openDb(env, 'decide')
  return {
    config,
    tokens,
    onTokens: async (renewed) => updateCredentials(db, id, await sealCredentials(env, renewed)),
    loadTokens: async () => {
      const sealed = await findCredentials(db, id)
      return sealed === null ? null : ((await openCredentials(env, sealed)) as Tokens)
    },
  }
}
