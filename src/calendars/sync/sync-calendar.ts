import { MINUTE_MS } from '../../core/time-units.ts'
import { offerFreedOf } from '../../engine/freed-times/offer-freed.ts'
import type { Env } from '../../env.ts'
import { commitBatch, type Db, openDb } from '../../platform/db/client.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import { CalendarError, isEnd } from '../../platform/icalendar/calendar-error.ts'
import { nowAsSeen, realNow } from '../../platform/limits/clock.ts'
import { wakeQueue } from '../../platform/queue/messages.ts'
import type { SyncWanted } from '../accounts/ask-account.ts'
import { wantsChannel } from '../channels/wants-channel.ts'
import type { CalendarChanges, CalendarClient } from '../client/calendar-client.ts'
import { inTime } from '../client/in-time.ts'
import { findAffectedByIds } from '../loss/queries.ts'
import { NOT_LOST, type Restored, restoreCalendar } from '../loss/restore-calendar.ts'
import { followOwner } from '../writes/follow-owner.ts'
import { isNews, keepChanges } from './keep-changes.ts'
import { keepFailure } from './keep-failure.ts'
import { endSync, findForSync, listEtags, type SyncRow } from './queries.ts'
import { afterSync, isAsBefore, logUnexpected } from './sync-outcome.ts'
import { isInWindow, windowAt } from './sync-window.ts'
import type { Kind, Synced } from './synced.ts'

export type OpenForSync = (calendar: {
  readonly calendarId: string
  readonly timezone: string | null
  readonly blocks: ConnectionRow['blocks']
}) => Promise<CalendarClient>

/** A sync that takes longer has failed. */
const TIMEOUT_MS = 25_000
/** All of a large calendar on a slow server takes its time; nobody waits for it. */
const FIRST_TIMEOUT_MS = 2 * MINUTE_MS

/**
 * Reads what changed in a calendar and stores it. Only the object of its account calls it, one call at a time. If nothing
 * changed, it makes one query and one request and writes nothing. Failures of a calendar do not throw.
 */
export async function syncCalendar(
  env: Env,
  connectionId: string,
  { isForced = false, isThorough = isForced, since }: Pick<SyncWanted, 'isForced' | 'isThorough' | 'since'>,
  open: OpenForSync,
  readAt: Readonly<Record<string, number>> = {},
): Promise<Synced> {
  const db = openDb(env, 'decide')
  const now = realNow()
  const [row] = await findForSync(db, connectionId)
  if (!row) return { outcome: 'gone' }
  if (isEnd(row.status) && !isForced) return { outcome: 'skipped' }
  // Notified or asked for more than once: after a failure the sweep retries when it is due.
  const isWaiting = row.failingAt !== null && row.nextSyncAt > Math.max(now, since)
  if (isWaiting && !isForced) return { outcome: 'failed' }
  const kind: Kind = {
    isTold: row.toldUntil !== null && row.toldUntil > now,
    isFeed: row.provider === 'ics' || row.providerMetadata.reads === 'free_busy',
    wantsChannel: row.toldUntil === null && wantsChannel(env, row),
  }
  let announce: () => Promise<unknown>
  let hasNews: boolean
  try {
    const { changes, window, isFresh } = await ask(env, row, now, open, isForced, isThorough)
    const synced = afterSync(changes, now, isFresh ? window.end : row.syncedUntil)
    if (!isNews(changes) && isAsBefore(row, synced, isThorough)) return { outcome: 'unchanged', ...kind }
    const followed = await followOwner(env, db, row, changes, window)
    const restored = row.lostAt === null ? NOT_LOST : await restoreAfter(db, row, synced, now)
    await commitBatch(db, [
      ...restored.statements,
      ...endSync(db, row, synced),
      ...(await keepChanges(db, row, changes)),
      ...followed.statements,
    ])
    hasNews = isNews(changes)
    announce = () =>
      Promise.all([
        followed.announce(),
        wakeQueue(env, ...restored.eventIds.map((eventId) => ({ type: 'event', eventId }) as const)),
        ...(hasNews || row.lostAt !== null ? [offerFreedOf(env, db, row.organizationId)] : []),
      ])
  } catch (error) {
    // It was connected again or disconnected in the meantime.
    if (fenceOf(error) === 'STALE') return { outcome: 'gone' }
    logUnexpected(row.id, error)
    return keepFailure(env, db, row, error, readAt)
  }
  // It is read and kept, whatever becomes of this: the sweep finds what nobody was told.
  await announce().catch((error) => logUnexpected(row.id, error))
  return { outcome: hasNews ? 'changed' : 'unchanged', ...kind }
}

/** It is read again. */
async function restoreAfter(db: Db, row: SyncRow, synced: Partial<SyncRow>, now: number): Promise<Restored> {
  const [found] = await findAffectedByIds(db, [row.id], now)
  if (!found) return NOT_LOST
  return restoreCalendar(db, row, { ...found, connection: { ...row, ...synced } }, now)
}

async function ask(
  env: Env,
  row: SyncRow,
  now: ReturnType<typeof realNow>,
  open: OpenForSync,
  isForced: boolean,
  isThorough: boolean,
) {
  const db = openDb(env, 'decide')
  const present = nowAsSeen(row.isTest, row.sandboxNow, now)
  const window = windowAt(present)
  const isFresh = row.lastSyncAt === null || !isInWindow(row.syncedUntil, present)
  const patience = isFresh && !isForced ? FIRST_TIMEOUT_MS : TIMEOUT_MS
  const changes = await inTime<CalendarChanges>(patience, async () => {
    const client = await open(row)
    // Where only busy times are read, no event of ours can be recognized.
    const recognizesOwn = row.providerMetadata.reads !== 'free_busy'
    const known = {
      cursor: isFresh ? null : row.syncCursor,
      etags: async () =>
        isFresh ? new Map<string, string>() : await listEtags(db, row.id, recognizesOwn ? window : null),
      isThorough,
    }
    const told = await client.listChanges(window, known)
    return isFresh ? { ...told, isComplete: true } : told
  })
  if (!changes) throw new CalendarError('unavailable', 'The calendar took too long to answer.')
  return { changes, window, isFresh }
}
