import { DAY_MS } from '../../core/time-units.ts'
import type { CalendarClient, ExternalEvent } from '../client/calendar-client.ts'
import type { WriteRow } from './queries.ts'

/**
 * Our event by its UID, where it is not under its known id; null when it is not in the calendar.
 * A calendar that is gone, or does not answer, throws: only one that answers can say that an event is gone.
 */
export async function findElsewhere(
  client: CalendarClient,
  { uid, writtenStart, writtenEnd }: WriteRow,
): Promise<ExternalEvent | null> {
  if (writtenStart === null || writtenEnd === null) return null
  const range = { start: writtenStart - DAY_MS, end: writtenEnd + DAY_MS }
  const listed = await client.listEvents(range)
  return listed.find((event) => event.uid === uid && event.time !== null) ?? null
}
