import { env } from 'cloudflare:workers'
import { askAccount } from '../../src/calendars/accounts/ask-account.ts'
import { openAccount } from '../../src/calendars/accounts/open-account.ts'
import { selectAccount } from '../../src/calendars/accounts/queries.ts'
import type { CalendarClient } from '../../src/calendars/client/calendar-client.ts'
import { syncCalendar } from '../../src/calendars/sync/sync-calendar.ts'
import type { Env } from '../../src/env.ts'
import { openDb } from '../../src/platform/db/client.ts'

async function accountIdOf(connectionId: string): Promise<string> {
  const row = await env.DB.prepare('SELECT account_id FROM calendar_connections WHERE id = ?')
    .bind(connectionId)
    .first<{ account_id: string }>()
  return row!.account_id
}

/** Asks a calendar now, by way of its account's object. */
export async function syncNow(of: Env, connectionId: string, since = Date.now() + 1): Promise<void> {
  await askAccount(of, await accountIdOf(connectionId)).sync({ connectionId, since, isForced: true })
}

/** The same of a calendar that is polled and answers as `change` makes of it what the real one answers. */
export async function syncWith(
  of: Env,
  connectionId: string,
  change: (client: CalendarClient) => Partial<CalendarClient>,
) {
  const [account] = await selectAccount(openDb(of, 'decide'), await accountIdOf(connectionId))
  return syncCalendar(of, connectionId, { since: 0, isForced: true, isThorough: false }, async (calendar) => {
    const client = (await openAccount(of, account!)).openCalendar(calendar)
    return { ...client, ...change(client) }
  })
}
