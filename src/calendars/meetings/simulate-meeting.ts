import type { Env } from '../../env.ts'
import { storeSandboxItem } from '../../outbox/mail/store-sandbox-item.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import { simulatedLink } from '../writes/simulated-link.ts'
import { type Attendance, type Made, NOTHING } from './meeting.ts'
import type { MeetingRow } from './queries.ts'

/** Providers are not called for the sandbox: its outbox shows the requests. */
export async function simulateMeeting(
  env: Env,
  db: Db,
  meeting: MeetingRow,
  attendance: Attendance,
  now: number,
): Promise<Made> {
  const [first] = attendance
  const made: Made = first
    ? {
        status: 'made',
        connectionId: null,
        meetingId: meeting.holderId,
        joinUrl: simulatedLink(meeting.holderId),
        writtenStart: first.booking.startTime,
        writtenEnd: first.booking.endTime,
      }
    : NOTHING
  if (made.writtenStart === meeting.writtenStart && made.writtenEnd === meeting.writtenEnd) return made

  const verb = made.meetingId === null ? 'Delete' : meeting.meetingId === null ? 'Create' : 'Move'
  const times = first
    ? [`From: ${formatInstant(first.booking.startTime)}`, `Until: ${formatInstant(first.booking.endTime)}`]
    : []
  const item = await storeSandboxItem(env, db, {
    organizationId: meeting.organizationId,
    onceKey: `meeting/${meeting.holderId}/${meeting.wantedRevision}`,
    channel: 'calendar',
    recipient: meeting.provider,
    subject: `${verb} meeting${first ? `: ${first.title}` : ''}`,
    body: { text: [...times, `Link: ${made.joinUrl ?? meeting.joinUrl}`].join('\n') },
    createdAt: now,
  })
  await commitBatch(db, [item.statement])
  return made
}
