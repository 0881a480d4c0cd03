import type { selectHeldBookings } from '../../platform/db/held-bookings.ts'
import type { MeetingRow } from './queries.ts'

/** The bookings that meet there; empty if the meeting is deleted. */
export type Attendance = Awaited<ReturnType<typeof selectHeldBookings>>

/** A meeting as it is now. */
export type Made = Pick<
  MeetingRow,
  'status' | 'connectionId' | 'meetingId' | 'joinUrl' | 'writtenStart' | 'writtenEnd'
>

export const NOTHING: Made = {
  status: 'removed',
  connectionId: null,
  meetingId: null,
  joinUrl: null,
  writtenStart: null,
  writtenEnd: null,
}

/** What was made before is there as it should be. */
export function stillMade({ connectionId, meetingId, joinUrl, writtenStart, writtenEnd }: MeetingRow): Made {
  return { status: 'made', connectionId, meetingId, joinUrl, writtenStart, writtenEnd }
}
