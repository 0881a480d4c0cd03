import type { Env } from '../env.ts'
import { bareError } from '../platform/db/bare-error.ts'
import { formatInstant, formatNullable } from '../platform/http/instants.ts'
import { askAccount } from './accounts/ask-account.ts'
import type { ListedConnection } from './queries.ts'
import type { CalendarConnection } from './schema.ts'

/** `readAt` is when it was last asked, as its account's object knows; what is stored may be older. */
export function presentConnection(
  { connection, memberName, upcomingBookings }: ListedConnection,
  readAt: number | null = null,
): CalendarConnection {
  const { preset, server_url, auth_method, calendar_url, owner = null } = connection.providerMetadata
  const lastSyncAt = connection.lastSyncAt === null ? null : Math.max(connection.lastSyncAt, readAt ?? 0)
  return {
    id: connection.id,
    account_id: connection.accountId,
    provider: connection.provider,
    calendar_id: connection.calendarId,
    name: connection.name,
    owner,
    account_email: connection.accountEmail,
    member_id: connection.resourceId === null ? connection.memberId : null,
    resource_id: connection.resourceId,
    member_name: memberName,
    checks_busy: connection.checksBusy,
    blocks: connection.blocks,
    everybody: connection.everybody,
    receives_bookings: connection.receivesBookings,
    connected_at: formatInstant(connection.connectedAt),
    status: connection.status,
    last_sync_at: formatNullable(lastSyncAt),
    sync_status: connection.syncStatus,
    sync_error: connection.syncError,
    upcoming_booking_count: upcomingBookings,
    provider_metadata: { preset, server_url, auth_method, calendar_url },
  }
}

/** With what the objects of their accounts know. */
export async function presentAll(
  env: Env,
  listed: readonly ListedConnection[],
): Promise<CalendarConnection[]> {
  const accountIds = [...new Set(listed.map(({ connection }) => connection.accountId))]
  const known = await Promise.all(accountIds.map((id) => readAtOf(env, id)))
  const readAt = new Map(known.flatMap((each) => Object.entries(each)))
  return listed.map((each) => presentConnection(each, readAt.get(each.connection.id)))
}

/** What is stored is good enough where an object does not answer. */
async function readAtOf(env: Env, accountId: string): Promise<Readonly<Record<string, number>>> {
  try {
    return await askAccount(env, accountId).readAt()
  } catch (error) {
    console.error(JSON.stringify({ calendarAccount: accountId, cause: bareError(error).stack }))
    return {}
  }
}
