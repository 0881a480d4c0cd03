import { bareError } from '../../db/bare-error.ts'
import { commitBatch, type Db, openDb } from '../../db/client.ts'
import { selectHeldBookings } from '../../db/held-bookings.ts'
import type { Env } from '../../env.ts'
import type { RealMs } from '../../limits/clock.ts'
import { CalendarError } from '../../providers/calendar/calendar-client.ts'
import type { ConferencingClient, MeetingRequest } from '../../providers/conferencing/conferencing-client.ts'
import { retryAt } from '../../queue/retry-schedules.ts'
import { askEventType } from '../../turn/command.ts'
import { answerOf } from '../../turn/outcome.ts'
import { LINK_MEETING } from '../bookings/commands.ts'
import { type Attendance, type Made, NOTHING } from './meeting.ts'
import { openConferencing } from './open-conferencing.ts'
import {
  type AccountRow,
  claimMeeting,
  endMeeting,
  keepMeeting,
  type MeetingRow,
  selectAccount,
  updateAccount,
} from './queries.ts'
import { simulateMeeting } from './simulate-meeting.ts'

export type OpenConferencing = (env: Env, account: AccountRow) => Promise<ConferencingClient>

const MAX_ROUNDS = 5

/**
 * Makes the meeting of one booking or session match what is booked: creates, moves or deletes it, and links it. Two
 * calls never do so at once. It never throws for a failure of a provider: it is due again later.
 */
export async function makeMeeting(
  env: Env,
  holderId: string,
  asOf: number = Date.now(),
  open: OpenConferencing = openConferencing,
): Promise<void> {
  const db = openDb(env, 'decide')
  const startedAt = Date.now()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const now = (asOf + Date.now() - startedAt) as RealMs
    const meeting = await claimMeeting(db, holderId, now)
    if (!meeting) return
    const [attendance, [account]] = await db.batch([
      selectHeldBookings(db, holderId),
      selectAccount(db, meeting),
    ])
    try {
      const made = meeting.isTest
        ? await simulateMeeting(env, db, meeting, attendance, now)
        : await bringAbout(env, meeting, account ?? null, attendance, open)
      // Stored before the bookings get it, and the attempt ends after that: the next one can go on from any point.
      await keepMeeting(db, meeting, made)
      const [first] = attendance
      if (first && made.joinUrl) {
        const { eventTypeId } = first.booking
        const link = { eventTypeId, holderId, url: made.joinUrl, now }
        answerOf(await askEventType(env, eventTypeId, LINK_MEETING, link))
      }
      await commitBatch(db, [endMeeting(db, meeting, { ...made, attempts: 0, lastError: null }, now)])
      if (account && account.status !== 'active') await updateAccount(db, account.id, HEALTHY)
    } catch (error) {
      return keepFailure(db, meeting, account ?? null, error, now)
    }
  }
}

const HEALTHY = { status: 'active', error: null } as const

async function bringAbout(
  env: Env,
  meeting: MeetingRow,
  account: AccountRow | null,
  attendance: Attendance,
  open: OpenConferencing,
): Promise<Made> {
  const [first] = attendance
  if (!account) return first && meeting.joinUrl ? { ...meeting, status: 'made' } : NOTHING
  if (!first && meeting.meetingId === null) return NOTHING

  const client = await open(env, account)
  if (!first) {
    await client.deleteMeeting(meeting.meetingId!)
    return NOTHING
  }
  const request = requestOf(first)
  const isAsWritten = meeting.writtenStart === request.start && meeting.writtenEnd === request.end
  if (meeting.meetingId !== null && isAsWritten) return { ...meeting, status: 'made' }
  const moved = meeting.meetingId === null ? null : await client.updateMeeting(meeting.meetingId, request)
  const { id, joinUrl } = moved ?? (await client.createMeeting(request))
  return { status: 'made', meetingId: id, joinUrl, writtenStart: request.start, writtenEnd: request.end }
}

function requestOf({ booking, title, organizationName }: Attendance[number]): MeetingRequest {
  const isSession = booking.sessionId !== null
  return {
    topic: isSession ? `${title} with ${organizationName}` : `${title}: ${booking.inviteeName}`,
    agenda: isSession ? '' : (booking.notes ?? ''),
    start: booking.startTime,
    end: booking.endTime,
    timezone: 'UTC',
  }
}

/** Ends the attempt without a meeting. The owner sees with the account what is wrong. */
async function keepFailure(
  db: Db,
  meeting: MeetingRow,
  account: AccountRow | null,
  error: unknown,
  now: number,
): Promise<void> {
  const isKnown = error instanceof CalendarError
  if (!isKnown) console.error(JSON.stringify({ meeting: meeting.provider, cause: bareError(error).stack }))
  const lastError = isKnown ? error.message.slice(0, 500) : 'Making the meeting failed.'
  const isEnded = isKnown && (error.failure === 'revoked' || error.failure === 'expired')
  const next = isEnded
    ? null
    : retryAt(
        meeting.joinUrl === null ? 'awaitedLink' : 'meeting',
        meeting.attempts,
        now,
        isKnown ? (error.retryAfterMs ?? 0) : 0,
      )
  const status = next === null ? 'failed' : 'pending'
  await commitBatch(db, [endMeeting(db, meeting, { status, nextAttemptAt: next, lastError }, now)])
  if (!account) return
  const failing = isEnded ? (error.failure as 'revoked' | 'expired') : 'error'
  await updateAccount(db, account.id, { status: failing, error: lastError, updatedAt: now })
}
