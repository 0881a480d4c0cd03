import { DAY_MS } from '../../core/time-units.ts'
import type { ConnectionRow } from '../../platform/db/schema/calendars.ts'
import type { AccountClient } from '../client/account-client.ts'
import type { CalendarClient, ExternalEvent } from '../client/calendar-client.ts'
import type { Attempt } from './attempt.ts'
import { listCalendarsOfOthers } from './queries.ts'

type CalendarRef = Pick<ConnectionRow, 'calendarId' | 'timezone'>

/** A calendar of the account, the connection's own one where none is named. */
export function calendarOf(
  account: AccountClient,
  { calendarId, timezone }: CalendarRef,
  elsewhere: string | null,
): CalendarClient {
  return account.openCalendar({ calendarId: elsewhere ?? calendarId, timezone })
}

export type Found = {
  readonly event: ExternalEvent
  /** The attempt as it goes on there, with the event as it is. */
  readonly attempt: Attempt
}

/** Whether nobody else has it in a calendar. */
function isOfOne(written: Attempt['written']): boolean {
  return written.length > 0 && written.every(({ booking }) => booking.coHosts === null)
}

/**
 * The event that was written, in whichever calendar of the account it is by now; null when all of them answered and none
 * has it. A calendar that does not answer throws, for it proves nothing.
 */
export async function findInAccount(attempt: Attempt): Promise<Found | null> {
  const { db, account, connection, write, written } = attempt
  const { eventId, uid, writtenStart, writtenEnd } = write
  if (eventId === null || writtenStart === null || writtenEnd === null) return null
  const found = await account.findAnywhere({
    calendarId: write.calendarId ?? connection.calendarId,
    eventId,
    uid,
    except: isOfOne(written) ? [] : await listCalendarsOfOthers(db, write),
    around: { start: writtenStart - DAY_MS, end: writtenEnd + DAY_MS },
  })
  if (!found) return null
  const { event } = found
  const calendarId = found.calendarId === connection.calendarId ? null : found.calendarId
  const client =
    calendarId === write.calendarId ? attempt.client : calendarOf(account, connection, calendarId)
  return {
    event,
    attempt: { ...attempt, client, write: { ...write, calendarId, eventId: event.id, etag: event.etag } },
  }
}
