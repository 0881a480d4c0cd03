import type { Origin, Tenant } from '../../auth/caller.ts'
import type { Db, Statement } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { fenceOf } from '../../db/refusals.ts'
import type { Env } from '../../env.ts'
import { notFound, Refused } from '../../http/errors.ts'
import { nowAsSeen, realNow } from '../../limits/clock.ts'
import type { CalendarClient } from '../../providers/calendar/calendar-client.ts'
import { tellQueue } from '../../queue/messages.ts'
import { recordActivity } from '../activity/statements.ts'
import { refusalOf } from './calendar-failure.ts'
import { lookThrough } from './first-look.ts'
import { openCalendar, sealCredentials } from './open-calendar.ts'
import { presentConnection } from './present.ts'
import {
  type ConnectionRow,
  findConnectable,
  guardMember,
  insertConnection,
  type ListedConnection,
  renewConnection,
} from './queries.ts'
import type { CalendarConnection } from './schema.ts'
import { keepChanges } from './sync/keep-changes.ts'
import { afterSync } from './sync/sync-outcome.ts'
import { windowAt } from './sync/sync-window.ts'
import { followOwner } from './writes/follow-owner.ts'
import { retryWrites } from './writes/statements.ts'

const ALREADY_CONNECTED = new Refused({
  code: 'conflict',
  message: 'This account is already connected.',
})

/** An account that accepted our credentials. */
export type NewConnection = Pick<
  ConnectionRow,
  'provider' | 'accountKey' | 'accountEmail' | 'calendarId' | 'timezone' | 'providerMetadata'
> & { readonly credentials: Parameters<typeof sealCredentials>[1] }

export type Place = {
  readonly member: NonNullable<Awaited<ReturnType<typeof findConnectable>>['member']>
  /** The connection of the same account that no longer works. */
  readonly existing: ListedConnection | null
  /** The organization's zone, for a calendar without one. */
  readonly timezone: string
  readonly sandboxNow: number | null
}

/** Whose calendar it becomes, and the connection that it renews; refuses an account that is already connected. */
export async function findPlace(
  db: Db,
  tenant: Tenant,
  memberId: string | null,
  accountKey: string,
): Promise<Place> {
  const { organization, member, existing } = await findConnectable(db, tenant, memberId, accountKey)
  if (!member) throw notFound('member')
  if (existing && isWorking(existing.connection)) throw ALREADY_CONNECTED
  return { member, existing, ...organization }
}

function isWorking({ status, syncStatus }: ConnectionRow): boolean {
  return status === 'active' && syncStatus !== 'error'
}

export type Prepared = {
  readonly row: ConnectionRow
  readonly connection: CalendarConnection
  readonly statements: readonly Statement[]
}

/**
 * What connecting an account writes, with everything that is in its calendar, so that the next request
 * for slots knows it. A slow calendar is read by its first sync.
 */
export async function prepareConnection(
  env: Env,
  db: Db,
  tenant: Tenant,
  { member, existing, sandboxNow }: Place,
  { credentials, ...account }: NewConnection,
  origin: Origin,
): Promise<Prepared> {
  const now = realNow()
  const window = windowAt(nowAsSeen(tenant.isTest, sandboxNow, now))
  const blank: ConnectionRow = {
    id: existing?.connection.id ?? newId(),
    organizationId: tenant.organizationId,
    isTest: tenant.isTest,
    memberId: member.id,
    ...account,
    credentials: await sealCredentials(env, credentials),
    status: 'active',
    syncStatus: 'syncing',
    syncError: null,
    syncCursor: null,
    syncedUntil: 0,
    lastSyncAt: null,
    nextSyncAt: now,
    syncFailures: 0,
    connectedAt: now,
    updatedAt: now,
  }
  const client = await openCalendar(env, blank)
  const changes = await read(client, window)
  const row = changes ? { ...blank, ...afterSync(changes, now, window.end) } : blank
  const listed: ListedConnection = {
    connection: row,
    memberName: member.userEmail || member.userId,
    upcomingBookings: existing?.upcomingBookings ?? 0,
  }
  const action = existing ? 'calendar.reconnected' : 'calendar.connected'
  const statements = [
    guardMember(db, member.id),
    ...(existing
      ? [...renewConnection(db, existing.connection, row), retryWrites(db, row.id, now)]
      : [insertConnection(db, row)]),
    ...(changes ? keepChanges(db, row, changes) : []),
    ...(existing && changes ? (await followOwner(env, db, row, changes, window)).statements : []),
    recordActivity(db, tenant, origin, {
      action,
      resourceType: 'calendar_connection',
      resourceId: row.id,
      changes: { provider: row.provider, account_email: row.accountEmail, member_id: member.id },
    }),
  ]
  return { row, connection: presentConnection(listed), statements }
}

async function read(client: CalendarClient, window: ReturnType<typeof windowAt>) {
  try {
    return await lookThrough(client, window)
  } catch (error) {
    throw refusalOf(error)
  }
}

/** Call it after the commit: what was not read in time is read soon. */
export async function announceConnection(env: Env, { id, lastSyncAt, connectedAt }: ConnectionRow) {
  if (lastSyncAt === null) await tellQueue(env, { type: 'calendar', connectionId: id, since: connectedAt })
}

/** The refusal for a refused commit of a connection. */
export function refusalOfCommit(error: unknown): unknown {
  switch (fenceOf(error)) {
    case 'CALENDAR_TAKEN':
      return ALREADY_CONNECTED
    case 'STALE':
      return new Refused({
        code: 'conflict',
        message: 'The calendar was changed at the same time; try again.',
      })
    default:
      return error
  }
}
