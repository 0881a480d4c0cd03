import { HOUR_MS } from '../../core/time-units.ts'
import type { Env } from '../../env.ts'
import { notifyOperator } from '../../outbox/mail/operator-notices/notify-operator.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import { fenceOf } from '../../platform/db/refusals.ts'
import { CalendarError, type CalendarFailure, isEnd } from '../../platform/icalendar/calendar-error.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { retryAt } from '../../platform/queue/retry-schedules.ts'
import { askMeetingAccount } from '../accounts/ask-account.ts'
import { tellOfEnd } from './accounts/notify-end.ts'
import { type AccountRow, endAccount, guardLive, updateAccount } from './accounts/queries.ts'
import type { Attendance } from './meeting.ts'
import { endMeeting, type MeetingRow } from './queries.ts'

type Attempt = {
  readonly meeting: MeetingRow
  readonly account: AccountRow | null
  readonly attendance: Attendance
}

/** Ends the attempt without a meeting. The owner sees with the account what is wrong. */
export async function keepFailure(
  env: Env,
  db: Db,
  attempt: Attempt,
  error: unknown,
  now: RealMs,
): Promise<void> {
  const { meeting, account, attendance } = attempt
  const isKnown = error instanceof CalendarError
  if (!isKnown) console.error(JSON.stringify({ meeting: meeting.provider, cause: bareError(error).stack }))
  const lastError = isKnown ? error.message.slice(0, 500) : 'Making the meeting failed.'
  const nextAttemptAt = nextAttempt(attempt, isKnown ? error : null, now)
  const status = nextAttemptAt === null ? 'failed' : 'pending'
  await commitBatch(db, [endMeeting(db, meeting, { status, nextAttemptAt, lastError }, now)])
  if (isKnown && error.failure === 'misconfigured') {
    await notifyOperator(env, db, meeting, { subject: meeting.provider, fault: error.message }, now)
  }
  if (!account) return
  if (isKnown && isEnd(error.failure)) await keepEnd(env, db, account, error.failure, lastError, now)
  // A meeting that cannot be deleted is running or was; the account has no fault.
  else if (attendance.length > 0 || (isKnown && OF_ACCOUNT.has(error.failure)))
    await updateAccount(db, account, { status: 'error', error: lastError, updatedAt: now })
}

/** An account whose permission ended makes no meetings any more. This is stored and reported once. */
export async function keepEnd(
  env: Env,
  db: Db,
  account: AccountRow,
  status: 'revoked' | 'expired',
  error: string,
  now: RealMs,
): Promise<void> {
  if (isEnd(account.status)) return
  const told = await tellOfEnd(env, db, account, error, now)
  try {
    await commitBatch(db, [
      guardLive(db, account),
      endAccount(db, account.id, { status, error }, now),
      ...told.statements,
    ])
  } catch (refused) {
    // Another meeting reported it, or it was connected again.
    if (fenceOf(refused) === 'STALE') return
    throw refused
  }
  await told.announce()
  await askMeetingAccount(env, account.id).changed()
}

/** Faults of the account and not of one meeting. They pass, and nobody says so: a meeting that is made then does. */
const OF_ACCOUNT: ReadonlySet<CalendarFailure> = new Set(['refused', 'misconfigured', 'unavailable'])

/** An account that fails for long is asked so often; a fault of this service's registration is its operator's to mend. */
const LASTING_MS = 6 * HOUR_MS
const MISCONFIGURED_MS = HOUR_MS

/** Null to give up, until the account is connected again or makes another meeting. */
function nextAttempt(
  { meeting, attendance }: Attempt,
  error: CalendarError | null,
  now: number,
): number | null {
  if (error && isEnd(error.failure)) return null
  const asked = error?.retryAfterMs ?? 0
  const what = meeting.joinUrl === null ? 'awaitedLink' : 'meeting'
  const planned = error?.failure === 'misconfigured' ? null : retryAt(what, meeting.attempts, now, asked)
  if (planned !== null) return planned
  const isAhead = attendance.some(({ booking }) => booking.endTime > now)
  if (!isAhead || !error || !OF_ACCOUNT.has(error.failure)) return null
  const pause = error.failure === 'misconfigured' ? MISCONFIGURED_MS : LASTING_MS
  return now + Math.max(pause, asked)
}
