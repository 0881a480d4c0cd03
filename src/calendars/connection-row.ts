import type { ConnectionRow, KnownCalendar, ProviderMetadata } from '../platform/db/schema/calendars.ts'
import type { AccountRow } from './accounts/queries.ts'
import type { ListedCalendar } from './client/account-client.ts'

export function knownCalendar(listed: ListedCalendar): KnownCalendar {
  const { externalId, name, isPrimary, canWrite, reads, owner } = listed
  return {
    external_id: externalId,
    name,
    is_primary: isPrimary,
    can_write: canWrite,
    ...(reads && { reads }),
    ...(owner !== undefined && { owner }),
  }
}

/** A connection of which nothing is known yet. */
export function blankConnection(
  account: AccountRow,
  { externalId, name, isPrimary, canWrite, timezone }: ListedCalendar,
  providerMetadata: ProviderMetadata,
  now: number,
  rest: Pick<ConnectionRow, 'id' | 'checksBusy' | 'receivesBookings'> &
    Partial<Pick<ConnectionRow, 'blocks' | 'everybody' | 'resourceId'>>,
): ConnectionRow {
  const { organizationId, isTest, memberId, provider, accountEmail } = account
  return {
    organizationId,
    isTest,
    memberId,
    accountId: account.id,
    provider,
    accountEmail,
    calendarId: externalId,
    name,
    isPrimary,
    canWrite,
    timezone,
    providerMetadata,
    blocks: 'busy',
    everybody: false,
    resourceId: null,
    ...unread(now),
    lostAt: null,
    ...rest,
  }
}

/** How a connection begins, and begins again. */
export function unread(now: number) {
  return {
    status: 'active',
    syncStatus: 'syncing',
    syncError: null,
    syncCursor: null,
    syncedUntil: 0,
    lastSyncAt: null,
    nextSyncAt: now,
    syncFailures: 0,
    failingAt: null,
    tellAt: null,
    endsAt: null,
    bringAt: null,
    connectedAt: now,
    updatedAt: now,
  } as const
}
