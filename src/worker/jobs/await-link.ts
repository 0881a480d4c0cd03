import { makeMeeting } from '../../calendars/meetings/make-meeting.ts'
import { type LinkRow, selectLink } from '../../calendars/meetings/queries.ts'
import { writeToCalendar } from '../../calendars/writes/write-to-calendar.ts'
import type { selectUnhandledEvent } from '../../delivery/emails/queries.ts'
import type { Env } from '../../env.ts'
import type { Db } from '../../platform/db/client.ts'

/** An email waits this long for its meeting link. Then it goes without, and another email follows once the link exists. */
export const LINK_PATIENCE_MS = 120_000
export const LINK_RETRY_SECONDS = 15

/** Whether a link has not been made yet, or is made but not in the booking yet. */
export function isAwaited({ url, meetingStatus, joinUrl, writeStatus, meetingUrl }: LinkRow): boolean {
  const [status, made] = meetingStatus === null ? [writeStatus, meetingUrl] : [meetingStatus, joinUrl]
  return made === null ? status === 'pending' && url === null : made !== url
}

/** Whether it has none, and something is to make it. */
export function mayGetLink({ url, meetingStatus, connectionId }: LinkRow): boolean {
  return url === null && (meetingStatus ?? connectionId) !== null
}

/** The link of the event's booking; null when there is no booking. */
export function linkOf(found: Awaited<ReturnType<typeof selectUnhandledEvent>>[number]): LinkRow | null {
  const {
    holderId,
    conferencingUrl: url,
    meetingStatus,
    joinUrl,
    connectionId,
    writeStatus,
    meetingUrl,
  } = found
  return holderId === null
    ? null
    : { holderId, url, meetingStatus, joinUrl, connectionId, writeStatus, meetingUrl }
}

/** Makes the link now, and returns the outcome. */
export async function bringAboutLink(
  env: Env,
  db: Db,
  eventId: string,
  link: LinkRow,
): Promise<LinkRow | undefined> {
  const { holderId, connectionId, meetingStatus } = link
  if (meetingStatus !== null) await makeMeeting(env, holderId)
  else if (connectionId !== null) await writeToCalendar(env, { holderId, connectionId })
  const [after] = await selectLink(db, eventId)
  return after
}
