import type { CalendarChanges, CalendarClient } from '../../providers/calendar/calendar-client.ts'
import { inTime } from '../../providers/calendar/in-time.ts'
import type { Interval } from '../../scheduling/interval.ts'

/** Connecting a calendar waits no longer than this; the first sync reads the rest. */
const PATIENCE_MS = 10_000

/** Everything in the calendar; null when that takes too long. */
export async function lookThrough(client: CalendarClient, window: Interval): Promise<CalendarChanges | null> {
  const nothing = { cursor: null, etags: async () => new Map<string, string>() }
  const told = await inTime(PATIENCE_MS, () => client.listChanges(window, nothing))
  return told && { ...told, isComplete: true }
}
