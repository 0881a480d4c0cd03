import type { Env } from '../env.ts'
import { guardCalendars } from '../money/plan-limits/statements.ts'
import { recordActivity } from '../outbox/activity/statements.ts'
import type { Origin, Tenant } from '../platform/auth/caller.ts'
import type { Db, Statement } from '../platform/db/client.ts'
import { guardMember, guardResource } from '../platform/db/guard-member.ts'
import { newId } from '../platform/db/ids.ts'
import type { ConnectionRow, ProviderMetadata } from '../platform/db/schema/calendars.ts'
import { nowAsSeen, realNow } from '../platform/limits/clock.ts'
import { type Credentials, sealCredentials } from './accounts/credentials.ts'
import { type AccountRow, insertAccount, renewAccount } from './accounts/queries.ts'
import { replaceChannels } from './channels/statements.ts'
import type { AccountClient, ListedCalendar } from './client/account-client.ts'
import { blankConnection, knownCalendar, unread } from './connection-row.ts'
import type { CalendarRef } from './find-calendar-ref.ts'
import { NOT_LOST, restoreCalendar } from './loss/restore-calendar.ts'
import { presentConnection } from './present.ts'
import { insertConnection, type ListedConnection, updateConnection } from './queries.ts'
import { lookThrough } from './read-whole-calendar.ts'
import { bringUpcoming } from './receiving/statements.ts'
import type { CalendarConnection } from './schema.ts'
import { guardConnected } from './statements.ts'
import { keepChanges } from './sync/keep-changes.ts'
import { afterSync } from './sync/sync-outcome.ts'
import { windowAt } from './sync/sync-window.ts'
import { followOwner } from './writes/follow-owner.ts'
import { retryWrites } from './writes/statements.ts'

/** An account that accepted our credentials, with the calendar of it that is connected. */
export type NewAccount = Pick<AccountRow, 'provider' | 'accountKey' | 'accountEmail' | 'serverUrl'> & {
  readonly credentials: Credentials
  readonly main: ListedCalendar
  /** All its calendars, as far as they are known. */
  readonly calendars: readonly ListedCalendar[]
  readonly providerMetadata: ProviderMetadata
  /** Which of its events block time; as before, if left out. */
  readonly blocks?: ConnectionRow['blocks'] | undefined
  /** Whether it blocks the time of everybody; as before, if left out. */
  readonly everybody?: boolean | undefined
}

/** The caller who connects an account. */
export type Connecting = {
  readonly env: Env
  readonly tenant: Tenant
  readonly origin: Origin
  /** Whether the plan says how many calendars a member may have. */
  readonly isLimited: boolean
}

type Prepared = {
  /** The connection that was asked for, and those that work again with it. */
  readonly rows: readonly ConnectionRow[]
  readonly connection: CalendarConnection
  readonly statements: readonly Statement[]
  readonly eventIds: readonly string[]
}

/**
 * What connecting an account writes, with everything that is in its calendar, so that the next request
 * for slots knows it. A slow calendar is read by its first sync.
 */
export async function prepareConnection(
  { env, tenant, origin, isLimited }: Connecting,
  db: Db,
  place: CalendarRef,
  given: NewAccount,
  client: AccountClient,
): Promise<Prepared> {
  const { member, sandboxNow } = place
  const now = realNow()
  const window = windowAt(nowAsSeen(tenant.isTest, sandboxNow, now))
  const known = place.connections.find(({ connection }) => connection.calendarId === given.main.externalId)
  const account = await accountRow(env, tenant, place, given, now)
  const blank = blankConnection(account, given.main, given.providerMetadata, now, {
    id: known?.connection.id ?? newId(tenant.organizationId),
    checksBusy: known?.connection.checksBusy ?? true,
    blocks: given.blocks ?? known?.connection.blocks ?? 'busy',
    everybody: given.everybody ?? known?.connection.everybody ?? false,
    receivesBookings: known?.connection.receivesBookings ?? (given.main.canWrite && !place.hasReceiving),
    resourceId: place.resourceId ?? null,
  })
  const { calendarId, timezone, blocks } = blank
  const calendar = { calendarId, timezone, blocks }
  const changes = await lookThrough(env, client.openCalendar(calendar), window)
  // One that was lost is so until it is read.
  const lostAt = known?.connection.lostAt ?? null
  const row = changes ? { ...blank, ...afterSync(changes, now, window.end) } : { ...blank, lostAt }
  const others = place.connections
    .filter(({ connection }) => connection.id !== row.id)
    .map(({ connection }) => ({ ...connection, ...unread(now) }))
  const listed: ListedConnection = {
    connection: row,
    memberName: member.userEmail || member.userId,
    upcomingBookings: known?.upcomingBookings ?? 0,
  }
  const restored = known && changes ? restoreCalendar(db, known.connection, listed, now, origin) : NOT_LOST
  const statements = [
    place.resourceId === undefined ? guardMember(db, member.id) : guardResource(db, place.resourceId),
    ...restored.statements,
    ...(place.account
      ? [...renewAccount(db, place.account, account), replaceChannels(db, account.id, now)]
      : [insertAccount(db, account)]),
    ...(known
      ? [guardConnected(db, row.id), updateConnection(db, row), retryWrites(db, row.id, now)]
      : [
          ...(isLimited ? [guardCalendars(db, tenant, member.id)] : []),
          insertConnection(db, row),
          ...(row.receivesBookings ? bringUpcoming(db, row.id, now) : []),
        ]),
    ...others.map((other) => updateConnection(db, other)),
    ...(changes ? await keepChanges(db, row, changes) : []),
    ...(known && changes ? (await followOwner(env, db, row, changes, window)).statements : []),
    recordActivity(db, tenant, origin, {
      action: place.account ? 'calendar.reconnected' : 'calendar.connected',
      resourceType: 'calendar_connection',
      resourceId: row.id,
      changes: { provider: row.provider, account_email: row.accountEmail, ...ownerOf(row) },
    }),
  ]
  const { eventIds } = restored
  return { rows: [row, ...others], connection: presentConnection(listed), statements, eventIds }
}

function ownerOf({ memberId, resourceId }: ConnectionRow) {
  return resourceId === null ? { member_id: memberId } : { resource_id: resourceId }
}

async function accountRow(
  env: Env,
  { organizationId, isTest }: Tenant,
  { member, account }: CalendarRef,
  { provider, accountKey, accountEmail, serverUrl, credentials, calendars }: NewAccount,
  now: number,
): Promise<AccountRow> {
  return {
    id: account?.id ?? newId(organizationId),
    organizationId,
    isTest,
    memberId: member.id,
    provider,
    accountKey,
    accountEmail,
    serverUrl,
    credentials: await sealCredentials(env, credentials),
    calendars: calendars.map(knownCalendar),
    connectedAt: now,
    updatedAt: now,
  }
}
