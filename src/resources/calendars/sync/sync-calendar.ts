import { isSealedByFirst, seal, unseal } from '../../../auth/secret.ts'
import { commitBatch, type Db, openDb } from '../../../db/client.ts'
import { leaseAt } from '../../../db/leases.ts'
import { fenceOf } from '../../../db/refusals.ts'
import type { Env } from '../../../env.ts'
import { nowAsSeen, type RealMs, realNow } from '../../../limits/clock.ts'
import {
  type CalendarChanges,
  type CalendarClient,
  CalendarError,
} from '../../../providers/calendar/calendar-client.ts'
import { offerFreedOf } from '../../waitlist/offer-freed.ts'
import { openCalendar } from '../open-calendar.ts'
import { followOwner } from '../writes/follow-owner.ts'
import { isNews, keepChanges } from './keep-changes.ts'
import { type ConnectionRow, claimSync, endSync, listEtags, replaceCredentials } from './queries.ts'
import { afterFailure, afterSync, logUnexpected } from './sync-outcome.ts'
import { isInWindow, windowAt } from './sync-window.ts'

export type OpenCalendar = (env: Env, connection: ConnectionRow) => Promise<CalendarClient>

export type SyncWanted = {
  readonly connectionId: string
  /** A sync that began since then is fresh enough. */
  readonly since: number
  /** Also when the permission had ended. */
  readonly isForced?: boolean
}

/** A sync that takes longer has failed: its lease is longer. */
const TIMEOUT_MS = 25_000

/**
 * Claims a calendar for a sync and returns the sync; null when there is nothing to do. For a calendar that
 * has not changed, both together take two round trips and one request.
 */
export async function beginSync(
  env: Env,
  { connectionId, since, isForced = false }: SyncWanted,
  open: OpenCalendar = openCalendar,
): Promise<(() => Promise<void>) | null> {
  const db = openDb(env, 'decide')
  const now = realNow()
  const { until: lostAt } = leaseAt('sync', now)
  const claimed = await claimSync(db, connectionId, { now, lostAt, since, isForced })
  return claimed && (() => runSync(env, db, claimed, { now, lostAt }, open))
}

type Claim = { readonly now: RealMs; readonly lostAt: number }

async function runSync(
  env: Env,
  db: Db,
  { sandboxNow, ...row }: ConnectionRow & { readonly sandboxNow: number | null },
  { now, lostAt }: Claim,
  open: OpenCalendar,
): Promise<void> {
  const present = nowAsSeen(row.isTest, sandboxNow, now)
  const window = windowAt(present)
  const isFresh = row.lastSyncAt === null || !isInWindow(row.syncedUntil, present)
  try {
    const changes = await inTime(async () => {
      const client = await open(env, row)
      const known = {
        cursor: isFresh ? null : row.syncCursor,
        etags: async () => (isFresh ? new Map<string, string>() : await listEtags(db, row.id)),
      }
      const told = await client.listChanges(window, known)
      return isFresh ? { ...told, isComplete: true } : told
    })
    const followed = await followOwner(env, db, row, changes, window)
    await commitBatch(db, [
      ...endSync(db, row.id, lostAt, afterSync(changes, now, isFresh ? window.end : row.syncedUntil)),
      ...(await resealStatements(env, db, row)),
      ...keepChanges(db, row, changes),
      ...followed.statements,
    ])
    await followed.announce()
    if (isNews(changes)) await offerFreedOf(env, db, row.organizationId)
  } catch (error) {
    if (fenceOf(error) === 'STALE') return
    logUnexpected(row.id, error)
    try {
      await commitBatch(db, endSync(db, row.id, lostAt, afterFailure(row, error, now)))
    } catch (lost) {
      if (fenceOf(lost) !== 'STALE') throw lost
    }
  }
}

async function inTime(ask: () => Promise<CalendarChanges>): Promise<CalendarChanges> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    const error = new CalendarError('unavailable', 'The calendar took too long to answer.')
    timer = setTimeout(() => reject(error), TIMEOUT_MS)
  })
  try {
    return await Promise.race([ask(), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** Credentials that an older key sealed are sealed again with the newest. */
async function resealStatements({ ENCRYPTION_KEY }: Env, db: Db, { id, credentials }: ConnectionRow) {
  if (await isSealedByFirst(ENCRYPTION_KEY, credentials)) return []
  const resealed = await seal(ENCRYPTION_KEY, await unseal(ENCRYPTION_KEY, credentials))
  return [replaceCredentials(db, id, credentials, resealed)]
}
