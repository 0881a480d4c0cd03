import { LINK_MEETING } from '../../booking/bookings/commands.ts'
import { askEventType } from '../../engine/turn/command.ts'
import { answerOf } from '../../engine/turn/outcome.ts'
import { commitBatch } from '../../platform/db/client.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import { retryAt } from '../../platform/queue/retry-schedules.ts'
import type { ExternalEvent, WrittenEvent } from '../client/calendar-client.ts'
import { type Attempt, isOwnCalendar } from './attempt.ts'
import { awaitReturn } from './await-return.ts'
import { blockElsewhere } from './block-elsewhere.ts'
import { describeEvent, type Written } from './describe-event.ts'
import { findInAccount } from './find-in-account.ts'
import {
  clearSuspicion,
  complainAgain,
  endWrite,
  noteIntent,
  showInBookings,
  type WriteRow,
} from './queries.ts'

type Known = { readonly id: string; readonly etag: string | null }

/** Creates or updates the event, wherever in the account its owner put it; their changes are overwritten. */
export async function putEvent(began: Attempt, written: readonly [Written, ...Written[]]): Promise<void> {
  const { env, db, write, connection, client, now } = began
  let attempt = began
  const event = await describeEvent(env, write, written, now)
  // Stored before the request, so that an attempt that dies during it leaves an event to look for.
  const known = knownOf(write)
  if (known === null)
    await noteIntent(db, write, {
      eventId: null,
      etag: null,
      writtenStart: event.start,
      writtenEnd: event.end,
    })

  let put: WrittenEvent
  try {
    if (known !== null && known.etag === null) await client.findEvent(known.id).then(assertThere)
    put = await client.writeEvent(event, known)
  } catch (error) {
    if (known === null || !isElsewhere(error)) throw error
    const found = await findInAccount(began)
    if (!found && isOwnCalendar(began)) return awaitReturn(began, written)
    attempt = found?.attempt ?? began
    put = await attempt.client.writeEvent(event, found?.event ?? null)
  }

  const { id: eventId, etag, meetingUrl, noMeeting = null } = put
  const link = meetingUrl ?? write.meetingUrl
  // Some suites make the link after they have answered; for some accounts they never make one.
  const isAwaited = write.wantsMeeting && link === null && noMeeting === null
  const next = isAwaited ? retryAt('awaitedLink', write.attempts, now) : null
  // Done before the attempt ends: dying here must not leave the bookings without their link.
  if (write.wantsMeeting && link !== null) await giveLink(attempt, written[0], link)
  const bookingIds = written.map(({ booking }) => booking.id)
  await commitBatch(db, [
    endWrite(
      db,
      write,
      {
        status: next === null ? 'written' : 'pending',
        nextAttemptAt: next,
        eventId,
        etag,
        calendarId: attempt.write.calendarId,
        cancelAt: null,
        writtenRevision: write.wantedRevision,
        sequence: event.sequence,
        writtenStart: event.start,
        writtenEnd: event.end,
        meetingUrl: link,
        isMoved: false,
        ...(next === null && { attempts: 0 }),
        lastError: null,
      },
      now,
    ),
    clearSuspicion(db, write),
    showInBookings(db, write, bookingIds, {
      calendarEventId: eventId,
      syncError: noMeeting,
      outOfSync: null,
    }),
    // It blocks no longer where its owner had put it.
    ...(write.isMoved
      ? [
          ...blockElsewhere(began, null, { id: eventId, start: event.start, end: event.end }),
          complainAgain(db, connection.id, now),
        ]
      : []),
  ])
}

/** The calendar has the link already. It is stored first, so that adding it to the bookings causes no other write. */
async function giveLink({ env, db, write, now }: Attempt, { booking }: Written, url: string): Promise<void> {
  if (write.meetingUrl !== url) await noteIntent(db, write, { meetingUrl: url })
  const { eventTypeId } = booking
  const link = { eventTypeId, holderId: write.holderId, url, maker: 'calendar' as const, now }
  answerOf(await askEventType(env, eventTypeId, LINK_MEETING, link))
}

/** The event as it was last written; null when none should be there. */
function knownOf({ eventId, etag, writtenStart }: WriteRow): Known | null {
  return eventId === null || writtenStart === null ? null : { id: eventId, etag }
}

function assertThere(event: ExternalEvent | null): void {
  if (event === null || event.time === null) throw new CalendarError('changed', 'The event no longer exists.')
}

/** Whether it is not as it was known, or the calendar that it was dragged to is gone. */
function isElsewhere(error: unknown): boolean {
  return error instanceof CalendarError && (error.failure === 'changed' || error.failure === 'absent')
}
