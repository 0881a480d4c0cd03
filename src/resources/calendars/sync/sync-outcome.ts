import { bareError } from '../../../db/bare-error.ts'
import { type CalendarChanges, CalendarError } from '../../../providers/calendar/calendar-client.ts'
import { pauseSeconds } from '../../../queue/retry-schedules.ts'
import { SECOND_MS } from '../../../scheduling/time-units.ts'
import type { ConnectionRow } from './queries.ts'

/**
 * Calendars are asked at least every five minutes. The sweep comes once a minute, so what is due after less
 * than four is asked in time.
 */
const INTERVAL_MS = 230_000
const MAX_BACKOFF_MS = 300_000
/** A failure that is over by then shows only in the log. */
const TOLERATED = 3

export function afterSync(changes: CalendarChanges, at: number, syncedUntil: number): Partial<ConnectionRow> {
  const { skipped, cursor } = changes
  const events = skipped === 1 ? 'event' : 'events'
  return {
    status: 'active',
    syncStatus: 'connected',
    syncError: skipped > 0 ? `${skipped} ${events} could not be understood and block no time.` : null,
    syncCursor: cursor,
    syncedUntil,
    lastSyncAt: at,
    nextSyncAt: at + INTERVAL_MS,
    syncFailures: 0,
    updatedAt: at,
  }
}

/**
 * The known events go on deciding. A permission that ended is not used again until the calendar is connected
 * anew; credentials that are refused once may be so by mistake.
 */
export function afterFailure(row: ConnectionRow, error: unknown, at: number): Partial<ConnectionRow> {
  const failures = row.syncFailures + 1
  const pause = pauseSeconds('sync', failures) * SECOND_MS
  const wanted = error instanceof CalendarError ? (error.retryAfterMs ?? 0) : 0
  return {
    status: statusAfter(row, error, failures),
    syncStatus: 'error',
    syncError: error instanceof CalendarError ? error.message : 'The calendar could not be read.',
    nextSyncAt: at + Math.max(pause, Math.min(wanted, MAX_BACKOFF_MS)),
    syncFailures: failures,
    updatedAt: at,
  }
}

function statusAfter(row: ConnectionRow, error: unknown, failures: number): ConnectionRow['status'] {
  const failure = error instanceof CalendarError ? error.failure : null
  if (failure === 'revoked' || failure === 'expired') return failure
  // It would take as long the next time.
  if (failure === 'overlong') return 'error'
  if (row.status === 'revoked' || row.status === 'expired' || failures < TOLERATED) return row.status
  return failure === 'refused' ? 'revoked' : 'error'
}

/** The owner of a calendar sees its failures in the record; the log gets the unexpected ones. */
export function logUnexpected(connectionId: string, error: unknown): void {
  if (error instanceof CalendarError) return
  console.error(JSON.stringify({ calendar: connectionId, cause: bareError(error).stack }))
}
