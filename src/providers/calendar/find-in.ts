import type { Interval } from '../../scheduling/interval.ts'
import type { FoundEvent } from './account-client.ts'
import type { CalendarClient } from './calendar-client.ts'

type Known = {
  readonly calendarId: string
  readonly eventId: string
  readonly uid: string
  readonly around: Interval
}

/** An event of ours in one calendar: under its id, else by its UID around where it was written; null when in neither. */
export async function findIn(
  client: CalendarClient,
  { calendarId, eventId, uid, around }: Known,
): Promise<FoundEvent | null> {
  const there = await client.findEvent(eventId)
  if (there && there.time !== null) return { calendarId, event: there }
  const listed = await client.listEvents(around)
  const event = listed.find((each) => each.uid === uid && each.time !== null)
  return event ? { calendarId, event } : null
}
