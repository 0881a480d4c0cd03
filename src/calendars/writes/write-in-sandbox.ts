import { LINK_MEETING } from '../../booking/bookings/commands.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import type { Env } from '../../env.ts'
import { storeSandboxItem } from '../../outbox/mail/store-sandbox-item.ts'
import { commitBatch, type Db } from '../../platform/db/client.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import { formatInstant } from '../../platform/http/instants.ts'
import type { CalendarEvent } from '../../platform/icalendar/calendar-event.ts'
import type { RealMs } from '../../platform/limits/clock.ts'
import { describeEvent, type Written } from './describe-event.ts'
import { endWrite, hideEvent, noteIntent, showInBookings, type WriteRow } from './queries.ts'
import { simulatedLink } from './simulated-link.ts'

/** Nothing leaves the sandbox: its outbox shows what the calendar would have been told. */
export async function writeInSandbox(
  env: Env,
  db: Db,
  write: WriteRow,
  { accountEmail }: ConnectionRow,
  written: readonly Written[],
  now: RealMs,
): Promise<void> {
  const [first, ...rest] = written
  const event = first ? await describeEvent(env, write, [first, ...rest], now) : null
  const isNothing = event === null && write.eventId === null
  const item = await storeSandboxItem(env, db, {
    organizationId: write.organizationId,
    onceKey: `calendar/${write.holderId}/${write.connectionId}/${write.wantedRevision}`,
    channel: 'calendar',
    recipient: accountEmail,
    subject: event ? `${write.eventId === null ? 'Create' : 'Update'}: ${event.summary}` : 'Remove',
    body: { text: event ? textOf(event) : `UID: ${write.uid}` },
    createdAt: now,
  })
  const eventId = event && write.uid
  const meetingUrl = event?.wantsMeeting ? simulatedLink(write.holderId) : null
  if (first && meetingUrl !== null) {
    await noteIntent(db, write, { meetingUrl })
    const { eventTypeId } = first.booking
    const link = { eventTypeId, holderId: write.holderId, url: meetingUrl, maker: 'calendar' as const, now }
    answerOf(await askEventType(env, eventTypeId, LINK_MEETING, link))
  }
  const ids = written.map(({ booking }) => booking.id)
  await commitBatch(db, [
    endWrite(
      db,
      write,
      {
        status: event ? 'written' : 'removed',
        eventId,
        writtenRevision: write.wantedRevision,
        sequence: event?.sequence ?? write.sequence,
        writtenStart: event?.start ?? null,
        writtenEnd: event?.end ?? null,
        meetingUrl,
        attempts: 0,
        lastError: null,
      },
      now,
    ),
    ...(isNothing ? [] : [item.statement]),
    event ? showInBookings(db, write, ids, { calendarEventId: eventId }) : hideEvent(db, write),
  ])
}

function textOf(event: CalendarEvent): string {
  const lines = [
    event.summary,
    `UID: ${event.uid}`,
    `SEQUENCE: ${event.sequence}`,
    `From: ${formatInstant(event.start)}`,
    `Until: ${formatInstant(event.end)}`,
    ...(event.location === null ? [] : [`Where: ${event.location}`]),
    ...(event.url === null ? [] : [`Link: ${event.url}`]),
    event.description,
  ]
  return lines.join('\n')
}
