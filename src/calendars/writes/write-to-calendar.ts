import type { Env } from '../../env.ts'
import { bareError } from '../../platform/db/bare-error.ts'
import { commitBatch, type Db, openDb } from '../../platform/db/client.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import { retryAt } from '../../platform/queue/retry-schedules.ts'
import { type OpenAccount, openAccount } from '../accounts/open-account.ts'
import { selectAccount } from '../accounts/queries.ts'
import { type Attempt, isOwnCalendar } from './attempt.ts'
import type { Written } from './describe-event.ts'
import { calendarOf } from './find-in-account.ts'
import { followSuspicion } from './follow-suspicion.ts'
import { putEvent } from './put-event.ts'
import {
  claimWrite,
  complainAgain,
  deleteWrite,
  endWrite,
  selectConnection,
  selectWritten,
  showInBookings,
  type WriteKey,
  type WriteRow,
} from './queries.ts'
import { removeFromCalendar } from './remove-from-calendar.ts'
import { writeInSandbox } from './write-in-sandbox.ts'

/** The limit of further changes that are written in the same turn. */
const MAX_ROUNDS = 5
/** Fewer may be a passing fault. */
const REFUSALS = 3

/**
 * Makes one event of one calendar match the bookings: creates, moves or deletes it. Repeated, late and interrupted calls do no
 * harm, and a lease prevents two at once. Failures of a calendar do not throw: the write is retried.
 */
export async function writeToCalendar(
  env: Env,
  key: WriteKey,
  asOf: number = Date.now(),
  open: OpenAccount = openAccount,
): Promise<void> {
  const db = openDb(env, 'decide')
  const startedAt = Date.now()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = (asOf + Date.now() - startedAt) as RealMs
    const write = await claimWrite(db, key, now)
    if (!write) return
    noteOrganization(env, write.organizationId)
    const [written, [found]] = await db.batch([selectWritten(db, key), selectConnection(db, key)])
    // What was written to a calendar that is no longer connected belongs to its owner.
    if (!found) return void (await commitBatch(db, [deleteWrite(db, key)]))
    const { connection, isShared } = found
    try {
      if (connection.isTest) await writeInSandbox(env, db, write, connection, written, now)
      else {
        const account = await openFor(env, db, connection, open)
        const client = calendarOf(account, connection, write.calendarId)
        await bringAbout({ env, db, write, connection, isShared, written, account, client, now })
      }
    } catch (error) {
      return keepFailure(db, write, written, error, now)
    }
  }
}

async function openFor(env: Env, db: Db, { accountId }: ConnectionRow, open: OpenAccount) {
  const [account] = await selectAccount(db, accountId)
  if (!account) throw new CalendarError('absent', 'The account is no longer connected.')
  return open(env, account)
}

async function bringAbout(attempt: Attempt): Promise<void> {
  const { write, written } = attempt
  const [first, ...rest] = written
  if (!first) return removeFromCalendar(attempt)
  const isFollowed = write.suspectedAt !== null && isOwnCalendar(attempt)
  const known = isFollowed ? await followSuspicion(attempt, [first, ...rest]) : attempt
  if (known) await putEvent(known, [first, ...rest])
}

/** Ends the attempt without success. The bookings show what was given up. */
async function keepFailure(
  db: Db,
  write: WriteRow,
  written: readonly Written[],
  error: unknown,
  now: number,
): Promise<void> {
  if (!(error instanceof CalendarError)) {
    console.error(JSON.stringify({ calendarWrite: write.connectionId, cause: bareError(error).stack }))
  }
  const isKnown = error instanceof CalendarError
  const lastError = isKnown ? error.message.slice(0, 500) : 'Writing to the calendar failed.'
  const what = write.wantsMeeting && write.meetingUrl === null ? 'awaitedLink' : 'calendarWrite'
  const asked = isKnown ? (error.retryAfterMs ?? 0) : 0
  // The same again would end alike.
  const isHopeless = isKnown && error.failure === 'rejected'
  const next = isHopeless ? null : retryAt(what, write.attempts, now, asked)
  const outcome = { status: next === null ? 'failed' : 'pending', nextAttemptAt: next, lastError } as const
  // A calendar that is read as before and takes nothing more looks healthy, so nobody else would notice it.
  const isToldNow = isKnown && error.failure === 'refused' && write.attempts >= REFUSALS
  const ids = written.map(({ booking }) => booking.id)
  const isShown = (next === null || isToldNow) && ids.length > 0
  const syncError = `Could not be written to the calendar: ${lastError}`
  await commitBatch(db, [
    endWrite(db, write, outcome, now),
    ...(isShown
      ? [showInBookings(db, write, ids, { syncError }), complainAgain(db, write.connectionId, now)]
      : []),
  ])
}
