import { LINK_MEETING } from '../../booking/bookings/commands.ts'
import { meetingOf } from '../../booking/bookings/meeting-of.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import type { Env } from '../../env.ts'
import { commitBatch, type Db, openDb } from '../../platform/db/client.ts'
import { selectBookingsToMeet } from '../../platform/db/held-bookings.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { noteOrganization } from '../../platform/log/tally.ts'
import type { MeetingRequest } from '../client/conferencing-client.ts'
import { type OpenConferencing, openConferencing } from './accounts/open-conferencing.ts'
import { type AccountRow, selectAccountOfMeeting, updateAccount } from './accounts/queries.ts'
import { keepFailure } from './keep-failure.ts'
import { type Attendance, type Made, NOTHING, stillMade } from './meeting.ts'
import { claimMeeting, endMeeting, keepMeeting, type MeetingRow, retryMeetingsOf } from './queries.ts'
import { simulateMeeting } from './simulate-meeting.ts'

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
    noteOrganization(env, meeting.organizationId)
    const [attendance, [account]] = await db.batch([
      selectBookingsToMeet(db, holderId),
      selectAccountOfMeeting(db, meeting),
    ])
    try {
      const makers = { account: account ?? null, next: await nextMaker(db, meeting, attendance) }
      const made = meeting.isTest
        ? await simulateMeeting(env, db, meeting, attendance, now)
        : await bringAbout(env, meeting, makers, attendance, now, open)
      // Stored before the bookings get it, and the attempt ends after that: the next one can go on from any point.
      await keepMeeting(db, meeting, made)
      const [first] = attendance
      if (first && made.joinUrl) {
        const { eventTypeId } = first.booking
        const link = { eventTypeId, holderId, url: made.joinUrl, maker: 'account' as const, now }
        answerOf(await askEventType(env, eventTypeId, LINK_MEETING, link))
      }
      const wasFailing = account?.status === 'error'
      await commitBatch(db, [
        endMeeting(db, meeting, { ...made, attempts: 0, lastError: null }, now),
        // What it could not make before is made now.
        ...(wasFailing ? [retryMeetingsOf(db, meeting.organizationId, now)] : []),
      ])
      if (wasFailing) await updateAccount(db, account, { status: 'active', error: null, updatedAt: now })
    } catch (error) {
      return keepFailure(env, db, { meeting, account: account ?? null, attendance }, error, now)
    }
  }
}

/**
 * The account that makes the meeting anew: another host took the booking over, and it has no link since then. Null if the
 * account that made it keeps it.
 */
async function nextMaker(db: Db, meeting: MeetingRow, [first]: Attendance): Promise<AccountRow | null> {
  if (meeting.isTest || meeting.connectionId === null || first?.booking.conferencingUrl !== null) return null
  const [next] = await selectAccountOfMeeting(db, { ...meeting, connectionId: null })
  return next && next.id !== meeting.connectionId ? next : null
}

type Makers = { readonly account: AccountRow | null; readonly next: AccountRow | null }

async function bringAbout(
  env: Env,
  made: MeetingRow,
  { account: maker, next }: Makers,
  attendance: Attendance,
  now: number,
  open: OpenConferencing,
): Promise<Made> {
  const [first] = attendance
  if (next && maker && made.meetingId !== null) await (await open(env, maker)).deleteMeeting(made.meetingId)
  const meeting = next ? { ...made, ...NOTHING } : made
  const account = next ?? maker
  if (!account) return first && meeting.joinUrl ? stillMade(meeting) : NOTHING
  if (meeting.meetingId === null && (!first || first.booking.endTime <= now)) return NOTHING

  const client = await open(env, account)
  if (!first) {
    await client.deleteMeeting(meeting.meetingId!)
    return NOTHING
  }
  const request = requestOf(first)
  const isAsWritten = meeting.writtenStart === request.start && meeting.writtenEnd === request.end
  if (meeting.meetingId !== null && isAsWritten) return stillMade(meeting)
  const moved = meeting.meetingId === null ? null : await client.updateMeeting(meeting.meetingId, request)
  const { id, joinUrl } = moved ?? (await client.createMeeting(request))
  return {
    status: 'made',
    connectionId: account.id,
    meetingId: id,
    joinUrl,
    writtenStart: request.start,
    writtenEnd: request.end,
  }
}

function requestOf({ booking, title, organizationName }: Attendance[number]): MeetingRequest {
  const isSession = booking.sessionId !== null
  return {
    topic: isSession ? `${title} with ${organizationName}` : meetingOf(title, booking.inviteeName),
    agenda: isSession ? '' : (booking.notes ?? ''),
    start: booking.startTime,
    end: booking.endTime,
    timezone: 'UTC',
  }
}
