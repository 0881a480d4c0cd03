import type { Env } from '../env.ts'
import type { Tenant } from '../platform/auth/caller.ts'
import { bareError } from '../platform/db/bare-error.ts'
import { commitBatch, openDb } from '../platform/db/client.ts'
import { timeFor } from '../platform/db/deadline.ts'
import type { ConnectionRow, KnownCalendar } from '../platform/db/schema/calendars.ts'
import { formatInstant } from '../platform/http/instants.ts'
import { CalendarError } from '../platform/icalendar/calendar-error.ts'
import { openAccount } from './accounts/open-account.ts'
import { type AccountRow, keepCalendars } from './accounts/queries.ts'
import type { CalendarAccount } from './accounts/schema.ts'
import { inTime } from './client/in-time.ts'
import { knownCalendar } from './connection-row.ts'
import { listAccountsInTenant } from './queries.ts'

/** An account that takes longer, as long as that leaves time to answer, or has no turn by then, shows what it had when it was last asked. */
const PATIENCE_MS = 8_000
const ANSWERING_MS = 1_000
/** So many accounts are asked at a time. */
const TOGETHER = 6

/** Every account with all its calendars, as the providers list them now. */
export async function listAccounts(
  env: Env,
  tenant: Tenant,
  patienceMs = PATIENCE_MS,
): Promise<CalendarAccount[]> {
  const found = await listAccountsInTenant(openDb(env, 'decide'), tenant)
  const until = Date.now() + timeFor(env, patienceMs, ANSWERING_MS)
  const presented: CalendarAccount[] = []
  const turns = found.entries()
  const inTurn = async () => {
    for (const [at, { account, connections }] of turns) {
      presented[at] = await presentAccount(env, account, connections, until - Date.now())
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, inTurn))
  return presented
}

async function presentAccount(
  env: Env,
  account: AccountRow,
  connections: readonly ConnectionRow[],
  patienceMs: number,
): Promise<CalendarAccount> {
  const worst =
    connections.find(({ status }) => status === 'revoked' || status === 'expired') ??
    connections.find(({ status }) => status !== 'active')
  const connectionOf = new Map(connections.map(({ id, calendarId }) => [calendarId, id]))
  const listed = await calendarsNow(env, account, patienceMs)
  const present = new Set(listed.map(({ external_id }) => external_id))
  const missing = connections.filter(({ calendarId }) => !present.has(calendarId)).map(asKnown)
  return {
    id: account.id,
    provider: account.provider,
    account_email: account.accountEmail,
    member_id: connections.some(({ resourceId }) => resourceId !== null) ? null : account.memberId,
    status: worst?.status ?? 'active',
    error: worst?.syncError ?? null,
    connected_at: formatInstant(account.connectedAt),
    calendars: [...listed, ...missing].map(({ reads, owner = null, ...calendar }) => ({
      ...calendar,
      reads: reads ?? ('events' as const),
      owner,
      connection_id: connectionOf.get(calendar.external_id) ?? null,
    })),
  }
}

async function calendarsNow(
  env: Env,
  account: AccountRow,
  patienceMs: number,
): Promise<readonly KnownCalendar[]> {
  if (patienceMs <= 0) return account.calendars
  try {
    const listed = await inTime(patienceMs, async () => (await openAccount(env, account)).listCalendars())
    if (!listed) return account.calendars
    const now = listed.map(knownCalendar)
    const db = openDb(env, 'decide')
    if (JSON.stringify(now) !== JSON.stringify(account.calendars)) {
      await commitBatch(db, keepCalendars(db, account.id, now))
    }
    return now
  } catch (error) {
    if (!(error instanceof CalendarError)) {
      console.error(JSON.stringify({ calendarAccount: account.id, cause: bareError(error).stack }))
    }
    return account.calendars
  }
}

/** A connected calendar that the account no longer lists. */
function asKnown({ calendarId, name, isPrimary, canWrite, providerMetadata }: ConnectionRow): KnownCalendar {
  const { reads, owner } = providerMetadata
  return {
    external_id: calendarId,
    name,
    is_primary: isPrimary,
    can_write: canWrite,
    ...(reads && { reads }),
    ...(owner && { owner }),
  }
}
