import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time-units.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import { CalendarError, type CalendarFailure } from '../../platform/icalendar/calendar-error.ts'
import type { Unclear } from '../../platform/icalendar/unclear-events.ts'
import { pauseSeconds } from '../../platform/queue/retry-schedules.ts'
import type { CalendarChanges } from '../client/calendar-client.ts'

/** Its object asks it far more often; this is for one whose object forgot. */
const HEALED_AFTER_MS = 6 * HOUR_MS
/** A failure that is over by then shows only in the log. */
const TOLERATED = 3

const UNCLEAR = 'could not be understood'

export function afterSync(changes: CalendarChanges, at: number, syncedUntil: number): Partial<ConnectionRow> {
  const { unclear, cursor } = changes
  return {
    status: 'active',
    syncStatus: 'connected',
    syncError: unclear.count > 0 ? unclearMessage(unclear) : null,
    syncCursor: cursor,
    syncedUntil,
    lastSyncAt: at,
    nextSyncAt: at + HEALED_AFTER_MS,
    syncFailures: 0,
    failingAt: null,
    tellAt: null,
    endsAt: null,
    lostAt: null,
    updatedAt: at,
  }
}

/** Names an event by what its owner finds it by, never by its title. */
function unclearMessage({ count, earliest }: Unclear): string {
  const { date = null, uid = null } = earliest ?? {}
  const name = [date, uid && `UID ${uid}`].filter((part) => part !== null).join(', ')
  const [events, which] = count === 1 ? ['event', ''] : ['events', ', the earliest']
  return `${count} ${events} ${UNCLEAR} in full${name && `${which}: ${name}`}.`
}

/**
 * Whether a sync that brought nothing new has nothing else to write down either. After a thorough one of a CalDAV calendar, the
 * cursor must be the known one: the calendar may count from a smaller number than before.
 */
export function isAsBefore(row: ConnectionRow, synced: Partial<ConnectionRow>, isThorough = false): boolean {
  const isHealthy =
    row.status === 'active' && row.syncStatus === 'connected' && row.failingAt === null && row.lostAt === null
  const isHealed = row.nextSyncAt <= synced.lastSyncAt!
  return (
    isHealthy &&
    !isHealed &&
    row.syncedUntil === synced.syncedUntil &&
    (synced.syncError === null || synced.syncError === row.syncError || isComplaint(row)) &&
    (isThorough && row.provider === 'caldav'
      ? row.syncCursor === synced.syncCursor
      : (row.syncCursor !== null) === (synced.syncCursor !== null))
  )
}

/** Whether a calendar that is read reports one of its bookings, which goes before what was not understood. */
function isComplaint({ syncError }: ConnectionRow): boolean {
  return syncError !== null && !syncError.includes(UNCLEAR)
}

/** After an hour of failures, notifications are sent. */
export const TOLD_AFTER_MS = HOUR_MS
/** So long is a permission believed that the provider refuses. */
const REFUSED_FOR_MS = DAY_MS
/** A fault of this service's own registration is mended by its operator. */
const MISCONFIGURED_PAUSE_MS = HOUR_MS

export type FailedSync = Pick<
  ConnectionRow,
  | 'status'
  | 'syncStatus'
  | 'syncError'
  | 'lastSyncAt'
  | 'nextSyncAt'
  | 'syncFailures'
  | 'failingAt'
  | 'tellAt'
  | 'endsAt'
  | 'updatedAt'
>

type Attempt = {
  readonly at: number
  /** When it was last read, as its account's object knows; null where it does not. */
  readonly readAt: number | null
  /** From 0 to 1. */
  readonly random: number
}

/**
 * The known events go on deciding. A permission that ended is not used again until the calendar is connected
 * again; one that is refused may be so by mistake, and ends when it was refused for a day.
 */
export function afterFailure(
  row: ConnectionRow,
  error: unknown,
  { at, readAt, random }: Attempt,
): FailedSync {
  const failures = row.syncFailures + 1
  const failure = error instanceof CalendarError ? error.failure : null
  const isFirst = row.failingAt === null
  const nextSyncAt = at + pauseMs(error, failures, random)
  return {
    status: statusAfter(row, failure, failures),
    syncStatus: 'error',
    syncError: error instanceof CalendarError ? error.message : 'The calendar could not be read.',
    lastSyncAt: row.lastSyncAt === null ? null : Math.max(row.lastSyncAt, readAt ?? 0),
    nextSyncAt,
    syncFailures: failures,
    failingAt: row.failingAt ?? at,
    tellAt: isFirst && row.lostAt === null ? at + TOLD_AFTER_MS : row.tellAt,
    endsAt: endsAfter(row, failure, at, nextSyncAt),
    updatedAt: at,
  }
}

/** What all who failed together wait for is spread over a tenth more. */
const JITTER = 0.1

function pauseMs(error: unknown, failures: number, random: number): number {
  const usual = pauseSeconds('sync', failures) * SECOND_MS
  if (!(error instanceof CalendarError)) return usual
  const asked = Math.min(error.retryAfterMs ?? 0, DAY_MS)
  const longer = Math.max(asked, error.failure === 'misconfigured' ? MISCONFIGURED_PAUSE_MS : 0)
  return longer <= usual ? usual : Math.round(longer * (1 + JITTER * random))
}

/** What was to be asked again has its answer by then. */
const ANSWERED_AFTER_MS = 10 * MINUTE_MS

/** Only refusals count: the time in which it failed otherwise puts the end off, at least until it is asked again. */
function endsAfter(
  { endsAt, updatedAt }: ConnectionRow,
  failure: CalendarFailure | null,
  at: number,
  nextSyncAt: number,
) {
  if (failure === 'refused') return endsAt ?? at + REFUSED_FOR_MS
  if (endsAt === null) return null
  return Math.max(endsAt + Math.max(0, at - updatedAt), nextSyncAt + ANSWERED_AFTER_MS)
}

function statusAfter(
  { status }: ConnectionRow,
  failure: CalendarFailure | null,
  failures: number,
): ConnectionRow['status'] {
  if (failure === 'revoked' || failure === 'expired') return failure
  // It would take as long the next time.
  if (failure === 'overlong') return 'error'
  // The operator is notified and repairs it for all.
  if (failure === 'misconfigured') return status
  if (status === 'revoked' || status === 'expired' || failures < TOLERATED) return status
  return 'error'
}

/** The owner of a calendar sees its failures in the record; the log gets the unexpected ones. */
export function logUnexpected(connectionId: string, error: unknown): void {
  if (error instanceof CalendarError) return
  console.error(JSON.stringify({ calendar: connectionId, cause: bareError(error).stack }))
}
