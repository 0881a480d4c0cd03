import { commitBatch } from '../../../db/client.ts'
import { findElsewhere } from './find-elsewhere.ts'
import { clearSuspicion, endWrite, hideEvent, noteIntent, setComplaint } from './queries.ts'
import type { Attempt } from './write-to-calendar.ts'

/** Deletes the event, also one that was made by an attempt with an unknown end. */
export async function removeFromCalendar({ db, write, connection, client, now }: Attempt): Promise<void> {
  const eventId = write.eventId ?? (await findElsewhere(client, write))?.id ?? null
  if (eventId !== null) {
    // Stored before: from here on, we removed it ourselves.
    await noteIntent(db, write, { writtenStart: null, writtenEnd: null })
    await client.removeEvent(eventId)
  }
  await commitBatch(db, [
    endWrite(
      db,
      write,
      {
        status: 'removed',
        eventId: null,
        etag: null,
        writtenRevision: write.wantedRevision,
        writtenStart: null,
        writtenEnd: null,
        meetingUrl: null,
        isMoved: false,
        attempts: 0,
        lastError: null,
      },
      now,
    ),
    clearSuspicion(db, write),
    hideEvent(db, write),
    ...(write.isMoved ? [setComplaint(db, connection.id, null)] : []),
  ])
}
