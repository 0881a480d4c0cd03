import type { Origin, Tenant } from '../../auth/caller.ts'
import { bareError } from '../../db/bare-error.ts'
import type { Db, Statement } from '../../db/client.ts'
import { guardMember } from '../../db/guard-member.ts'
import { newId } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { ConnectionRow, KnownCalendar, ProviderMetadata } from '../../db/schema/calendars.ts'
import type { Env } from '../../env.ts'
import { notFound, Refused } from '../../http/errors.ts'
import { nowAsSeen, realNow } from '../../limits/clock.ts'
import type { AccountClient, ListedCalendar } from '../../providers/calendar/account-client.ts'
import { tellQueue } from '../../queue/messages.ts'
import { recordActivity } from '../activity/statements.ts'
import { askAccount } from './accounts/ask-account.ts'
import { type Credentials, sealCredentials } from './accounts/open-account.ts'
import { type AccountRow, insertAccount, renewAccount } from './accounts/queries.ts'
import { replaceChannels } from './channels/statements.ts'
import { wantsChannel } from './channels/wants-channel.ts'
import { lookThrough } from './first-look.ts'
import { NOT_LOST, restoreCalendar } from './loss/restore-calendar.ts'
import { presentConnection } from './present.ts'
import { findConnectable, insertConnection, type ListedConnection, updateConnection } from './queries.ts'
import type { CalendarConnection } from './schema.ts'
import { guardConnected } from './statements.ts'
import { keepChanges } from './sync/keep-changes.ts'
import { afterSync } from './sync/sync-outcome.ts'
import { windowAt } from './sync/sync-window.ts'
import { followOwner } from './writes/follow-owner.ts'
import { retryWrites } from './writes/statements.ts'

const ALREADY_CONNECTED = new Refused({
  code: 'conflict',
  message: 'This account is already connected.',
})

/** An account that accepted our credentials, with the calendar of it that is connected. */
export type NewAccount = Pick<AccountRow, 'provider' | 'accountKey' | 'accountEmail' | 'serverUrl'> & {
  readonly credentials: Credentials
  readonly main: ListedCalendar
  /** All its calendars, as far as they are known. */
  readonly calendars: readonly ListedCalendar[]
  readonly providerMetadata: ProviderMetadata
}

export type Place = {
  readonly member: NonNullable<Awaited<ReturnType<typeof findConnectable>>['member']>
  /** The same account of the same member, where it no longer works, with what is connected of it. */
  readonly account: AccountRow | null
  readonly connections: readonly ListedConnection[]
  /** Whether another calendar of the member receives their bookings. */
  readonly hasReceiving: boolean
  /** The organization's zone, for a calendar without one. */
  readonly timezone: string
  readonly sandboxNow: number | null
}

/** Whose calendar it becomes, and the connections that it renews; refuses an account that is already connected. */
export async function findPlace(
  db: Db,
  tenant: Tenant,
  memberId: string | null,
  accountKey: string,
): Promise<Place> {
  const { organization, member, hasReceiving, account, connections } = await findConnectable(
    db,
    tenant,
    memberId,
    accountKey,
  )
  if (!member) throw notFound('member')
  // Calendars of one account learn one after the other that its permission ended.
  const isConnected = connections.length > 0 && connections.every(({ connection }) => isWorking(connection))
  if (isConnected) throw ALREADY_CONNECTED
  return { member, hasReceiving, account, connections, ...organization }
}

function isWorking({ status, syncStatus }: ConnectionRow): boolean {
  return status === 'active' && syncStatus !== 'error'
}

export type Prepared = {
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
  env: Env,
  db: Db,
  tenant: Tenant,
  place: Place,
  given: NewAccount,
  client: AccountClient,
  origin: Origin,
): Promise<Prepared> {
  const { member, sandboxNow } = place
  const now = realNow()
  const window = windowAt(nowAsSeen(tenant.isTest, sandboxNow, now))
  const known = place.connections.find(({ connection }) => connection.calendarId === given.main.externalId)
  const account = await accountRow(env, tenant, place, given, now)
  const blank = blankConnection(account, given.main, given.providerMetadata, now, {
    id: known?.connection.id ?? newId(),
    checksBusy: known?.connection.checksBusy ?? true,
    receivesBookings: known?.connection.receivesBookings ?? (given.main.canWrite && !place.hasReceiving),
  })
  const calendar = { calendarId: blank.calendarId, timezone: blank.timezone }
  const changes = await lookThrough(client.openCalendar(calendar), window)
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
    guardMember(db, member.id),
    ...restored.statements,
    ...(place.account
      ? [...renewAccount(db, place.account, account), replaceChannels(db, account.id, now)]
      : [insertAccount(db, account)]),
    ...(known
      ? [guardConnected(db, row.id), updateConnection(db, row), retryWrites(db, row.id, now)]
      : [insertConnection(db, row)]),
    ...others.map((other) => updateConnection(db, other)),
    ...(changes ? await keepChanges(db, row, changes) : []),
    ...(known && changes ? (await followOwner(env, db, row, changes, window)).statements : []),
    recordActivity(db, tenant, origin, {
      action: place.account ? 'calendar.reconnected' : 'calendar.connected',
      resourceType: 'calendar_connection',
      resourceId: row.id,
      changes: { provider: row.provider, account_email: row.accountEmail, member_id: member.id },
    }),
  ]
  const { eventIds } = restored
  return { rows: [row, ...others], connection: presentConnection(listed), statements, eventIds }
}

async function accountRow(
  env: Env,
  { organizationId, isTest }: Tenant,
  { member, account }: Place,
  { provider, accountKey, accountEmail, serverUrl, credentials, calendars }: NewAccount,
  now: number,
): Promise<AccountRow> {
  return {
    id: account?.id ?? newId(),
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

export function knownCalendar({ externalId, name, isPrimary, canWrite }: ListedCalendar): KnownCalendar {
  return { external_id: externalId, name, is_primary: isPrimary, can_write: canWrite }
}

/** A connection of which nothing is known yet. */
export function blankConnection(
  account: AccountRow,
  { externalId, name, isPrimary, canWrite, timezone }: ListedCalendar,
  providerMetadata: ProviderMetadata,
  now: number,
  rest: Pick<ConnectionRow, 'id' | 'checksBusy' | 'receivesBookings'>,
): ConnectionRow {
  const { organizationId, isTest, memberId, provider, accountKey, accountEmail } = account
  return {
    organizationId,
    isTest,
    memberId,
    accountId: account.id,
    provider,
    accountKey,
    accountEmail,
    calendarId: externalId,
    name,
    isPrimary,
    canWrite,
    timezone,
    credentials: '',
    providerMetadata,
    ...unread(now),
    lostAt: null,
    ...rest,
  }
}

/** How a connection begins, and begins again. */
function unread(now: number) {
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
    connectedAt: now,
    updatedAt: now,
  } as const
}

/** Call it after the commit: what was not read in time is read soon, and all of it from now on. */
export async function announceConnection(
  env: Env,
  rows: readonly ConnectionRow[],
  eventIds: readonly string[] = [],
): Promise<void> {
  const [first] = rows
  if (!first?.accountId) return
  const { accountId } = first
  const readAt = Object.fromEntries(rows.map(({ id, lastSyncAt }) => [id, lastSyncAt]))
  try {
    await askAccount(env, accountId).connected(readAt)
  } catch (error) {
    // It is connected all the same, and the sweep makes up for what its object was not told.
    console.error(JSON.stringify({ calendarAccount: accountId, cause: bareError(error).stack }))
  }
  const unread = rows.filter(({ lastSyncAt }) => lastSyncAt === null)
  const toWatch = rows.filter((row) => wantsChannel(env, row))
  await tellQueue(
    env,
    ...eventIds.map((eventId) => ({ type: 'event', eventId }) as const),
    ...unread.map(
      ({ id, connectedAt }) =>
        ({ type: 'calendar', accountId, connectionId: id, since: connectedAt }) as const,
    ),
    ...toWatch.map(({ id }) => ({ type: 'calendar-channel', accountId, connectionId: id }) as const),
  )
}

/** The refusal for a refused commit of a connection. */
export function refusalOfCommit(error: unknown): unknown {
  switch (fenceOf(error)) {
    case 'CALENDAR_TAKEN':
      return ALREADY_CONNECTED
    case 'STALE':
    case 'RECEIVING_TAKEN':
      return new Refused({
        code: 'conflict',
        message: 'The calendar was changed at the same time; try again.',
      })
    default:
      return error
  }
}
