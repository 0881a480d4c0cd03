import { DAY_MS } from '../../core/time-units.ts'
import { commitBatch } from '../../platform/db/client.ts'
import { CalendarError } from '../../platform/icalendar/calendar-error.ts'
import type { CalendarClient, ExternalEvent } from '../client/calendar-client.ts'
import type { Attempt } from './attempt.ts'
import { blockElsewhere } from './block-elsewhere.ts'
import { findInAccount } from './find-in-account.ts'
import {
  clearSuspicion,
  complainAgain,
  endWrite,
  hideEvent,
  NOTHING_THERE,
  noteIntent,
  type WriteRow,
} from './queries.ts'

/** Deletes the event, also one that was made by an attempt with an unknown end. */
export async function removeFromCalendar(attempt: Attempt): Promise<void> {
  const { db, write, connection, now } = attempt
  const there = attempt.isShared ? null : await whereItIs(attempt)
  if (there) {
    const { client, eventId, calendarId } = there
    // Stored before: from here on, we removed it ourselves.
    await noteIntent(db, write, { writtenStart: null, writtenEnd: null, eventId, calendarId })
    await client.removeEvent(eventId)
  }
  await commitBatch(db, [
    endWrite(
      db,
      write,
      {
        status: 'removed',
        ...NOTHING_THERE,
        writtenRevision: write.wantedRevision,
        attempts: 0,
        lastError: null,
      },
      now,
    ),
    clearSuspicion(db, write),
    hideEvent(db, write),
    ...(write.isMoved ? [...blockElsewhere(attempt, null), complainAgain(db, connection.id, now)] : []),
  ])
}

/** Null where there is nothing to remove. Its owner may have dragged it elsewhere a moment ago. */
async function whereItIs(attempt: Attempt) {
  const { client, write } = attempt
  const { eventId, calendarId } = write
  if (eventId === null) {
    const made = await findElsewhere(client, write)
    return made && { client, eventId: made.id, calendarId }
  }
  // An attempt before this one was about to remove it there.
  if (write.writtenStart === null) return { client, eventId, calendarId }
  const known = await client.findEvent(eventId).catch(nullIfAbsent)
  if (known && known.time !== null) return { client, eventId, calendarId }
  const found = await findInAccount(attempt)
  return (
    found && {
      client: found.attempt.client,
      eventId: found.event.id,
      calendarId: found.attempt.write.calendarId,
    }
  )
}

/** The calendar that it was dragged to may be gone. */
function nullIfAbsent(error: unknown): null {
  if (error instanceof CalendarError && error.failure === 'absent') return null
  throw error
}

/**
 * Our event by its UID, where it is not under its known id; null when it is not in the calendar.
 * A calendar that is gone, or does not answer, throws: only one that answers can say that an event is gone.
 */
async function findElsewhere(
  client: CalendarClient,
  { uid, writtenStart, writtenEnd }: WriteRow,
): Promise<ExternalEvent | null> {
  if (writtenStart === null || writtenEnd === null) return null
  const range = { start: writtenStart - DAY_MS, end: writtenEnd + DAY_MS }
  const listed = await client.listEvents(range)
  return listed.find((event) => event.uid === uid && event.time !== null) ?? null
}
