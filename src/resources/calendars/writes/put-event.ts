import { commitBatch } from '../../../db/client.ts'
import { CalendarError, type WrittenEvent } from '../../../providers/calendar/calendar-client.ts'
import { retryAt } from '../../../queue/retry-schedules.ts'
import { askEventType } from '../../../turn/command.ts'
import { answerOf } from '../../../turn/outcome.ts'
import { LINK_MEETING } from '../../bookings/commands.ts'
import { cancelForOwner } from './cancel-for-owner.ts'
import { describeEvent, type Written } from './describe-event.ts'
import { findElsewhere } from './find-elsewhere.ts'
import {
  clearSuspicion,
  endWrite,
  noteIntent,
  setComplaint,
  showInBookings,
  type WriteRow,
} from './queries.ts'
import type { Attempt } from './write-to-calendar.ts'

type Known = { readonly id: string; readonly etag: string | null }

/** Creates or updates the event; its owner's changes are overwritten. */
export async function putEvent(attempt: Attempt, written: readonly [Written, ...Written[]]): Promise<void> {
  const { env, db, write, connection, client, now } = attempt
  const event = describeEvent(env, write, written, now)
  // Stored before the request, so that an attempt that dies during it leaves an event to look for.
  const known = knownOf(write)
  if (known === null)
    await noteIntent(db, write, {
      eventId: null,
      etag: null,
      writtenStart: event.start,
      writtenEnd: event.end,
    })

  let put: WrittenEvent | null
  try {
    if (known !== null && known.etag === null) await client.findEvent(known.id).then(assertThere)
    put = await client.writeEvent(event, known)
  } catch (error) {
    if (!(error instanceof CalendarError) || error.failure !== 'changed' || known === null) throw error
    const there = await currentOf(attempt, known, write)
    put = there && (await client.writeEvent(event, there))
  }
  if (put === null) return cancelForOwner(attempt, written)

  const { id: eventId, etag, meetingUrl } = put
  const link = meetingUrl ?? write.meetingUrl
  // Some suites make the link after they have answered.
  const next = write.wantsMeeting && link === null ? retryAt('awaitedLink', write.attempts, now) : null
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
    showInBookings(db, write, bookingIds, { calendarEventId: eventId, syncError: null }),
    ...(write.isMoved ? [setComplaint(db, connection.id, null)] : []),
  ])
}

/** The calendar has the link already. It is stored first, so that adding it to the bookings causes no other write. */
async function giveLink({ env, db, write, now }: Attempt, { booking }: Written, url: string): Promise<void> {
  if (write.meetingUrl !== url) await noteIntent(db, write, { meetingUrl: url })
  const { eventTypeId } = booking
  const link = { eventTypeId, holderId: write.holderId, url, now }
  answerOf(await askEventType(env, eventTypeId, LINK_MEETING, link))
}

/** The event as it was last written; null when none should be there. */
function knownOf({ eventId, etag, writtenStart }: WriteRow): Known | null {
  return eventId === null || writtenStart === null ? null : { id: eventId, etag }
}

function assertThere(event: unknown): void {
  if (event === null) throw new CalendarError('changed', 'The event no longer exists.')
}

/** Where an event is that others changed; null when its owner deleted it. */
async function currentOf({ client }: Attempt, known: Known, write: WriteRow): Promise<Known | null> {
  const there = await client.findEvent(known.id)
  if (there && there.time !== null) return { id: there.id, etag: there.etag }
  return findElsewhere(client, write)
}
